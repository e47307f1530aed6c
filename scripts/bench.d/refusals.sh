# What a storm of refused requests meets, and what it costs a swap. Sourced by scripts/bench, which
# has requests.sh's `load` and swap.sh's box for it.

. scripts/bench.d/requests.sh
. scripts/bench.d/swap.sh

bench_refusals() {
  local raw=$RAW/refusals.tsv out=$BENCH_DIR/refusals.table rounds=3 length=3 round connections hop
  if [ -n "$QUICK" ]; then rounds=1 length=1; fi
  upstream_start
  nginx_start nginx "$NGINX" 'location / {
      default_type application/json; add_header Retry-After 174 always;
      return 429 "{\"error\":{\"message\":\"Rate limit: the GPU is busy with a media job.\"}}";
    }'
  swapgate_start "$UPSTREAM"
  http POST "$SWAPGATE_ADMIN" /api/v1/leases '{"backend":"none","for":"30m"}'
  wait_until 30 chat_shut || die 'chat stayed open under a lease of nobody'
  swapgate_warm
  printf 'connections\thop\tround\tper_second\tp50_us\tp99_us\tfailed\trefused\n' > "$raw"
  for connections in 32 256; do
    for round in $(seq "$rounds"); do
      for hop in nginx swapgate; do
        printf '%s\t%s\t%s\t%s\n' "$connections" "$hop" "$round" \
          "$(load "$(hop_port "$hop")" "$connections" 200 "$length")" >> "$raw"
      done
    done
  done
  hops_stop
  printf 'connections\thop\t429/s\tof nginx\tp99 us\n' > "$out"
  for connections in 32 256; do
    for hop in nginx swapgate; do
      printf '%s\t%s\t%s\t%s\t%s\n' "$connections" "$hop" \
        "$(figure "$raw" 4 "$connections" "$hop")" \
        "$(ratio "$(figure "$raw" 4 "$connections" "$hop")" \
          "$(figure "$raw" 4 "$connections" nginx)")" \
        "$(figure "$raw" 6 "$connections" "$hop")" >> "$out"
    done
  done
  guard '429s per second of nginx, 32 connections' \
    "$(ratio "$(figure "$raw" 4 32 swapgate)" "$(figure "$raw" 4 32 nginx)")" at_least 0.30
  printf '\nRefusals (nginx: its own `return 429`)\n\n'
  table "$out"
  storm
}

# The same swap in quiet and with 32 connections that ask again at once, one after the other.
storm() {
  local raw=$RAW/storm.tsv said=$BENCH_DIR/storm.txt pairs=3 pair wrk_pid
  [ -z "$QUICK" ] || pairs=1
  box_open
  printf 'pair\tquiet_ms\tstorm_ms\tper_second\tp99_us\n' > "$raw"
  for pair in $(seq "$pairs"); do
    printf '%s\t%s' "$pair" "$(swap_by_swapgate)" >> "$raw"
    BODY=200 wrk -t1 -c32 -d600s --latency -s scripts/bench.d/wrk.lua \
      "http://127.0.0.1:$SWAPGATE" > "$said" &
    wrk_pid=$!
    printf '\t%s' "$(swap_by_swapgate)" >> "$raw"
    kill -INT "$wrk_pid"
    wait "$wrk_pid" || true
    printf '\t%s\n' "$(sed -n 's/^FIGURES\t//p' "$said" | cut -f1,3)" >> "$raw"
  done
  box_close
  printf '\nA swap in a storm of 32 connections: outage %s ms, in quiet %s ms, ratio %s;\n' \
    "$(figure "$raw" 3)" "$(figure "$raw" 2)" "$(ratio "$(figure "$raw" 3)" "$(figure "$raw" 2)")"
  printf '%s answers a second meanwhile, p99 %s us\n' "$(figure "$raw" 4)" "$(figure "$raw" 5)"
}
