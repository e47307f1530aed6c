# Resident memory of swapgate. Sourced by scripts/bench.

. scripts/bench.d/streams.sh

bench_memory() {
  local out=$BENCH_DIR/memory.table counts='1 10 100 1000' streams
  [ -z "$QUICK" ] || counts='1 10 100'
  streams_open
  swapgate_start "$UPSTREAM"
  printf 'state\tMB\n' > "$out"
  printf 'idle, just started\t%s\n' "$(hop_memory swapgate)" >> "$out"
  for streams in $counts; do
    stream_begin swapgate "$streams" 50 100000
    sleep 4
    printf '%s streams\t%s\n' "$streams" "$(hop_memory swapgate)" >> "$out"
    stream_end > /dev/null
  done
  http POST "$SWAPGATE_ADMIN" /api/v1/leases '{"backend":"none","for":"30s"}'
  wait_until 30 chat_shut || die 'chat stayed open under a lease of nobody'
  stream_begin swapgate/as/hold "$streams" 1 100000
  wait_until 20 all_held "$streams" || die "only $(held) of $streams requests are held"
  printf '%s held\t%s\n' "$streams" "$(hop_memory swapgate)" >> "$out"
  cp "$out" "$RAW/memory.tsv"
  guard "MB with $streams streams" "$(figure "$out" 2 "$streams streams")" at_most 200
  printf '\nMemory of swapgate (resident; its heap is bounded at 256 MB)\n\n'
  table "$out"
}

held() {
  http GET "$SWAPGATE_ADMIN" /api/v1/status
  json held <<< "$HTTP_BODY"
}

all_held() { [ "$(held)" = "$1" ]; }
