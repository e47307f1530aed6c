# Event streams through four ways to the same engine. Sourced by scripts/bench.

# The engine and the load are one process, so that both read one clock.
streams_open() {
  coproc STREAMS { exec "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -cp "$BENCH_CLASSES" \
    dev.swapgate.proxy.bench.StreamBench "$UPSTREAM"; }
  HOP_PIDS+=("$STREAMS_PID")
  read -r -u "${STREAMS[0]}" _
}

# stream_begin HOP[/PATH] STREAMS EVENTS PERIOD_MICROS
stream_begin() {
  local hop=${1%%/*}
  printf 'http://127.0.0.1:%s%s %s %s %s\n' "$(hop_port "$hop")" "${1#"$hop"}" "$2" "$3" "$4" \
    >&"${STREAMS[1]}"
}

# What StreamBench says once all streams have ended.
stream_end() {
  local line
  read -r -u "${STREAMS[0]}" line
  printf '%s' "$line"
}

stream_load() {
  stream_begin "$@"
  stream_end
}

bench_streams() {
  local raw=$RAW/streams.tsv rounds=3 load hop round streams events period before line ticks
  # Streams, events each, us between them: as a fast model, a busy box, far more than a box has.
  local loads=('1 1000 5000' '100 300 20000' '1000 60 100000')
  if [ -n "$QUICK" ]; then rounds=1 loads=('1 100 5000' '100 50 20000' '1000 10 100000'); fi
  streams_open
  hops_start "$UPSTREAM"
  for hop in direct nginx haproxy swapgate swapgate; do # warm
    stream_load "$hop" 100 100 10000 > /dev/null
  done
  [ -n "$QUICK" ] || for _ in 1 2 3 4 5; do stream_load swapgate 1000 2 10000 > /dev/null; done
  {
    printf 'streams\thop\tround\tevents\tlost\t'
    printf 'age_p50\tage_p99\tfirst_p50\tfirst_p99\tcpu_ms_1000\n'
  } > "$raw"
  for load in "${loads[@]}"; do
    read -r streams events period <<< "$load"
    for round in $(seq "$rounds"); do
      for hop in direct nginx haproxy swapgate; do
        before=$(hop_ticks "$hop")
        line=$(stream_load "$hop" "$streams" "$events" "$period")
        ticks=$(($(hop_ticks "$hop") - before))
        printf '%s\t%s\t%s\t%s\t%s\n' "$streams" "$hop" "$round" "$line" \
          "$(awk -v t="$ticks" -v n="$((streams * events))" 'BEGIN { print t * 10 * 1000 / n }')" \
          >> "$raw"
      done
    done
  done
  streams_table "$raw"
}

streams_table() {
  local raw=$1 out=$BENCH_DIR/streams.table streams hop column
  printf 'streams\thop\tage p50 us\tadded\tp99\tfirst p50\tadded\tp99\tlost\tCPU ms/1000\n' > "$out"
  for streams in 1 100 1000; do
    for hop in direct nginx haproxy swapgate; do
      printf '%s\t%s' "$streams" "$hop" >> "$out"
      for column in 6 8; do
        printf '\t%s\t%s\t%s' "$(figure "$raw" "$column" "$streams" "$hop")" \
          "$(($(figure "$raw" "$column" "$streams" "$hop") \
            - $(figure "$raw" "$column" "$streams" direct)))" \
          "$(figure "$raw" $((column + 1)) "$streams" "$hop")" >> "$out"
      done
      printf '\t%s\t%s\n' "$(figure "$raw" 5 "$streams" "$hop")" \
        "$(figure "$raw" 10 "$streams" "$hop")" >> "$out"
    done
  done
  guard 'CPU for an event of nginx, 100 streams' \
    "$(ratio "$(figure "$raw" 10 100 swapgate)" "$(figure "$raw" 10 100 nginx)")" at_most 3.00
  printf '\nStreams (median of the rounds; us; "added" is above direct)\n\n'
  table "$out"
}
