# What a reload gains when its files were read ahead. Sourced by scripts/bench.
#
# Real files on the disk of TMPDIR, read as an engine reads its weights: from beginning to end. The
# page cache is dropped before each round. Under a hypervisor the host may still have them in a
# cache of its own: then "the disk" is that, and the gain of a real disk is greater.

PREFETCH_FILES=4

bench_prefetch() {
  local dir=$BENCH_DIR/models each=512 rounds=5 raw=$RAW/prefetch.tsv out=$BENCH_DIR/prefetch.table
  [ -z "$QUICK" ] || each=64 rounds=2
  mkdir -p "$dir"
  prefetch_possible "$dir" "$each" || return 0
  prefetch_write "$dir" "$each"
  printf 'round\twithout_ms\tprefetch_ms\twith_ms\tother_alone_ms\tother_beside_ms\n' > "$raw"
  prefetch_rounds "$dir" "$rounds" >> "$raw"
  prefetch_table "$raw" $((each * PREFETCH_FILES)) > "$out"
  printf '\nReload of %s MB of files (%s, median of %s rounds)\n\n' $((each * PREFETCH_FILES)) \
    "$(stat -f -c %T "$dir")" "$rounds"
  table "$out"
  printf '\n    ratio of reading them, with to without: %s\n' \
    "$(ratio "$(figure "$raw" 4)" "$(figure "$raw" 2)")"
  printf '    ratio of another program reading beside it to alone: %s\n' \
    "$(ratio "$(figure "$raw" 6)" "$(figure "$raw" 5)")"
}

prefetch_possible() {
  local dir=$1 needed=$(($2 * (PREFETCH_FILES + 1)))
  if ! drop_caches 2> /dev/null; then
    say 'prefetch: left out, only root may drop the page cache (/proc/sys/vm/drop_caches)'
  elif [[ $(stat -f -c %T "$dir") =~ tmpfs|ramfs ]]; then
    say "prefetch: left out, $dir lies in memory; set TMPDIR to a folder on a disk"
  elif [ "$(df -m --output=avail "$dir" | tail -n 1)" -lt $((needed + 1024)) ]; then
    say "prefetch: left out, $dir has no room for $needed MB"
  else
    return 0
  fi
  return 1
}

drop_caches() {
  sync
  # shellcheck disable=SC2016 # for the other shell
  as_root sh -c 'echo 3 > /proc/sys/vm/drop_caches'
}

# Of chance, so that nothing on the way to the disk makes them smaller.
prefetch_write() {
  local n
  for n in $(seq "$PREFETCH_FILES"); do
    head -c "$2M" /dev/urandom > "$1/model-$n.safetensors"
  done
  head -c "$2M" /dev/urandom > "$1/other"
}

prefetch_rounds() {
  local dir=$1 round without read with alone beside reader
  for round in $(seq "$2"); do
    drop_caches
    without=$(milliseconds cat "$dir"/model-*)
    drop_caches
    read=$(prefetch_run "$dir" | cut -f 1)
    with=$(milliseconds cat "$dir"/model-*)
    drop_caches
    alone=$(milliseconds cat "$dir/other")
    drop_caches
    prefetch_run "$dir" > /dev/null &
    reader=$!
    wait_until 20 prefetch_began "$dir" || die 'prefetch did not begin to read'
    beside=$(milliseconds cat "$dir/other")
    wait "$reader"
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$round" "$without" "$read" "$with" "$alone" "$beside"
  done
}

# By swapgate's own reader. Fails unless it read all.
prefetch_run() {
  local words
  "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
    -cp "$BENCH_CLASSES" dev.swapgate.proxy.bench.PrefetchBench "$1/model-*" > "$BENCH_DIR/read" \
    2> "$BENCH_DIR/prefetch.log" || hop_failed 'prefetch failed' "$BENCH_DIR/prefetch.log"
  read -r words < <(tail -n 1 "$BENCH_DIR/read") # The logger speaks first.
  [ -z "$(cut -f 3 <<< "$words")" ] || die "prefetch stopped: $(cut -f 3 <<< "$words")"
  echo "$words"
}

prefetch_began() { [ "$(fincore -b -n -o RES "$1/model-1.safetensors")" -gt 0 ]; }

prefetch_table() {
  local column=1 name ms mb
  printf 'read\tseconds\tMB/s\n'
  for name in 'as an engine does, from the disk' 'by prefetch, rests included' \
    'as an engine does, after prefetch' 'another file, alone' 'another file, beside prefetch'; do
    column=$((column + 1))
    mb=$2
    [ "$column" -lt 5 ] || mb=$(($2 / PREFETCH_FILES))
    ms=$(figure "$1" "$column")
    awk -v name="$name" -v ms="$ms" -v mb="$mb" \
      'BEGIN { printf "%s\t%.2f\t%.0f\n", name, ms / 1000, mb * 1048.576 / (ms ? ms : 1) }'
  done
}
