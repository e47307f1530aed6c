# How long the command line and the server take to start. Sourced by scripts/bench.

# The time until the admin side answers, of a swapgate with nothing to do; ended again.
serve_once() {
  local begin pid
  begin=$(date +%s%N)
  scripts/swapgate serve > "$BENCH_DIR/serve.log" 2>&1 &
  pid=$!
  until port_answers "$SWAPGATE_ADMIN"; do sleep 0.005; done
  echo $((($(date +%s%N) - begin) / 1000000))
  kill "$pid"
  wait "$pid" 2> /dev/null || true
}

bench_start() {
  local raw=$RAW/start.tsv out=$BENCH_DIR/start.table rounds=10 kind command
  [ -z "$QUICK" ] || rounds=2
  printf 'cache\tcommand\tround\tms\n' > "$raw"
  for kind in plain jsa aot; do
    rm -f proxy/target/swapgate.jar.*
    [ "$kind" = plain ] || SWAPGATE_CACHE=$kind scripts/start-cache > /dev/null
    SWAPGATE_CACHE=$kind start_rounds "$kind" "$rounds" >> "$raw"
  done
  rm -f proxy/target/swapgate.jar.*
  printf 'cache\tcommand\tmedian ms\n' > "$out"
  for kind in plain jsa aot; do
    for command in status serve; do
      printf '%s\t%s\t%s\n' "$kind" "$command" \
        "$(figure "$raw" 4 "$kind" "$command")" >> "$out"
    done
  done
  printf '\nStart (jsa: class-data sharing; aot: AOT cache, from Java 25 on)\n\n'
  table "$out"
}

# status is asked of a swapgate that runs; serve is started on a box of its own.
start_rounds() {
  local kind=$1 rounds=$2 round
  export SWAPGATE_CACHE
  upstream_start
  swapgate_start "$UPSTREAM" > /dev/null
  for round in $(seq "$rounds"); do
    printf '%s\tstatus\t%s\t%s\n' "$kind" "$round" "$(milliseconds scripts/swapgate status)"
  done
  hops_stop
  for round in $(seq "$rounds"); do
    printf '%s\tserve\t%s\t%s\n' "$kind" "$round" "$(serve_once)"
    rm -rf "$BENCH_DIR/state"
  done
}
