# Requests per second and latency of four ways to the same engine. Sourced by scripts/bench.

# load PORT CONNECTIONS BODY SECONDS: requests per second, median and 99th percentile in us, failed.
load() {
  BODY=$3 wrk -t1 "-c$2" "-d${4}s" --latency -s scripts/bench.d/wrk.lua "http://127.0.0.1:$1" \
    | sed -n 's/^FIGURES\t//p'
}

bench_requests() {
  local raw=$RAW/requests.tsv rounds=3 length=3 connections body hop round
  if [ -n "$QUICK" ]; then rounds=1 length=1; fi
  upstream_start
  hops_start "$UPSTREAM"
  for hop in nginx haproxy; do
    load "$(hop_port "$hop")" 32 200 1 > /dev/null
  done
  swapgate_warm
  printf 'body\tconnections\thop\tround\tper_second\tp50_us\tp99_us\tfailed\tnot_2xx\n' > "$raw"
  for body in 200 200000; do
    for connections in 1 32 256; do
      for round in $(seq "$rounds"); do
        for hop in direct nginx haproxy swapgate; do
          printf '%s\t%s\t%s\t%s\t%s\n' "$body" "$connections" "$hop" "$round" \
            "$(load "$(hop_port "$hop")" "$connections" "$body" "$length")" >> "$raw"
        done
      done
    done
  done
  requests_table "$raw"
}

requests_table() {
  local raw=$1 out=$BENCH_DIR/requests.table body connections hop
  printf 'body\tconnections\thop\treq/s\tof nginx\tp50 us\tadded\tof HAProxy\tp99 us\n' > "$out"
  for body in 200 200000; do
    for connections in 1 32 256; do
      for hop in direct nginx haproxy swapgate; do
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$body" "$connections" "$hop" \
          "$(figure "$raw" 5 "$body" "$connections" "$hop")" \
          "$(ratio "$(figure "$raw" 5 "$body" "$connections" "$hop")" \
            "$(figure "$raw" 5 "$body" "$connections" nginx)")" \
          "$(figure "$raw" 6 "$body" "$connections" "$hop")" \
          "$(added "$body" "$connections" "$hop")" \
          "$(ratio "$(added "$body" "$connections" "$hop")" \
            "$(added "$body" "$connections" haproxy)")" \
          "$(figure "$raw" 7 "$body" "$connections" "$hop")" >> "$out"
      done
    done
  done
  guard 'requests per second of nginx, 32 connections' \
    "$(ratio "$(figure "$raw" 5 200 32 swapgate)" "$(figure "$raw" 5 200 32 nginx)")" at_least 0.40
  guard 'added latency of HAProxy, 1 connection' \
    "$(ratio "$(added 200 1 swapgate)" "$(added 200 1 haproxy)")" at_most 2.50
  printf '\nRequests (median of the rounds; "added" is p50 above direct)\n\n'
  table "$out"
}

# Java compiles what is used often; a server that runs for weeks has that behind it.
swapgate_warm() {
  [ -n "$QUICK" ] || load "$SWAPGATE" 32 200 15 > /dev/null
  load "$SWAPGATE" 1 200 4 > /dev/null
}

added() {
  local raw=$RAW/requests.tsv
  echo "$(($(figure "$raw" 6 "$1" "$2" "$3") - $(figure "$raw" 6 "$1" "$2" direct)))"
}
