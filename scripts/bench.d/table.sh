# Tables and figures for scripts/bench. Sourced, never run.
#
#   machine              prints what all figures depend on
#   table FILE           prints a TSV, its first line the heads, as a table
#   figure FILE COLUMN [KEY…]   prints the median of that column of a TSV, its heads left out,
#                        over the lines that begin with the keys
#   median               prints the median of the numbers on standard input, one a line
#   guard WHAT FIGURE at_least|at_most LIMIT   sets WORSE for a figure beyond its limit
#   milliseconds COMMAND…   prints how long it took
#   ratio A B            prints A / B with two decimals

# guard WHAT FIGURE at_least|at_most LIMIT: tells of a figure beyond its limit, and remembers it.
# Ratios and memory depend little on the machine, so that the limits hold on any. They do not hold
# for Java that is still cold, so that --quick has none.
guard() {
  [ -z "$QUICK" ] || return 0
  if [ "$3" = at_least ]; then set -- "$@" '>='; else set -- "$@" '<='; fi
  awk -v a="$2" -v b="$4" "BEGIN { exit !(a $5 b) }" && return 0
  say "worse than it may be: $1 is $2, the limit ${3/_/ } $4"
  WORSE=yes
}

machine() {
  printf '%s, %s cores, %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
    "$(nproc)" "$(uname -sr)"
  printf 'java %s, %s, %s, %s; %s\n' \
    "$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$JDK/release")" \
    "$(nginx -v 2>&1 | sed 's/.*: //')" "$(haproxy -v | sed -n '1s/ version//;1s/-.*//p')" \
    "$(wrk -v 2>&1 | sed -n '1s/ \[.*//p')" "$(date -u +%Y-%m-%d)"
}

table() {
  column -t -s "$(printf '\t')" "$1" | sed 's/^/    /'
}

figure() {
  local raw=$1 column=$2 keys=''
  shift 2
  [ $# -eq 0 ] || keys=$(printf '%s\t' "$@")
  awk -F'\t' -v n="$column" -v keys="$keys" \
    'NR > 1 && (keys == "" || index($0, keys) == 1) { print $n }' "$raw" | median
}

milliseconds() {
  local begin
  begin=$(date +%s%N)
  "$@" > /dev/null
  echo $((($(date +%s%N) - begin) / 1000000))
}

median() {
  sort -g | awk '{ all[NR] = $1 } END { print NR % 2 ? all[(NR + 1) / 2] \
    : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", b ? a / b : 0 }'; }
