# Event streams through four ways to the same engine. Sourced by scripts/bench.

# The engine and the load are one process, so that both read one clock.
streams_open() {
  coproc STREAMS { exec "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -cp "$BENCH_CLASSES" \
    dev.swapgate.proxy.bench.StreamBench "$UPSTREAM"; }
  HOP_PIDS+=("$STREAMS_PID")
  read -r -u "${STREAMS[0]}" _
}

# stream_begin HOP[/PATH] STREAMS EVENTS PERIOD_MICROS [PHASES]: each stream has a moment of its own
# in the period, or shares it with others where there are fewer phases; 1 has all speak in step.
stream_begin() {
  local hop=${1%%/*}
  printf 'http://127.0.0.1:%s%s %s %s %s %s\n' "$(hop_port "$hop")" "${1#"$hop"}" "$2" "$3" "$4" \
    "${5:-$2}" >&"${STREAMS[1]}"
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
  local raw=$RAW/streams.tsv rounds=3 load hop round streams events period phases before line ticks
  # Streams, events each, us between them, phases: a fast model, a busy box, the same as an engine
  # speaks that computes all its answers together, far more than a box has.
  local loads=('1 1000 5000 1' '100 300 20000 100' '100 300 20000 1' '1000 60 100000 1000')
  if [ -n "$QUICK" ]; then
    rounds=1 loads=('1 100 5000 1' '100 50 20000 100' '100 50 20000 1' '1000 10 100000 1000')
  fi
  streams_open
  hops_start "$UPSTREAM"
  for hop in direct nginx haproxy swapgate swapgate; do # warm
    stream_load "$hop" 100 100 10000 > /dev/null
  done
  [ -n "$QUICK" ] || for _ in 1 2 3 4 5; do
    stream_load swapgate 1000 2 10000 > /dev/null
    stream_load swapgate 100 100 10000 > /dev/null
  done
  {
    printf 'streams\tphases\thop\tround\tevents\tlost\tage_p50\tage_p99\t'
    printf 'gap_p50\tgap_p99\tfirst_p50\tfirst_p99\tcpu_ms_1000\n'
  } > "$raw"
  for load in "${loads[@]}"; do
    read -r streams events period phases <<< "$load"
    for round in $(seq "$rounds"); do
      for hop in direct nginx haproxy swapgate; do
        before=$(hop_ticks "$hop")
        line=$(stream_load "$hop" "$streams" "$events" "$period" "$phases")
        ticks=$(($(hop_ticks "$hop") - before))
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$streams" "$phases" "$hop" "$round" "$line" \
          "$(awk -v t="$ticks" -v n="$((streams * events))" 'BEGIN { print t * 10 * 1000 / n }')" \
          >> "$raw"
      done
    done
  done
  streams_table "$raw"
}

streams_table() {
  local raw=$1 out=$BENCH_DIR/streams.table streams phases hop column
  printf 'streams\tphases\thop\tage p50 us\tadded\tp99\tbetween p50\tadded\tp99\t' > "$out"
  printf 'first p50\tadded\tp99\tlost\tCPU ms/1000\n' >> "$out"
  while read -r streams phases; do
    for hop in direct nginx haproxy swapgate; do
      printf '%s\t%s\t%s' "$streams" "$phases" "$hop" >> "$out"
      for column in 7 9 11; do
        printf '\t%s\t%s\t%s' "$(figure "$raw" "$column" "$streams" "$phases" "$hop")" \
          "$(($(figure "$raw" "$column" "$streams" "$phases" "$hop") \
            - $(figure "$raw" "$column" "$streams" "$phases" direct)))" \
          "$(figure "$raw" $((column + 1)) "$streams" "$phases" "$hop")" >> "$out"
      done
      printf '\t%s\t%s\n' "$(figure "$raw" 6 "$streams" "$phases" "$hop")" \
        "$(figure "$raw" 13 "$streams" "$phases" "$hop")" >> "$out"
    done
  done < <(tail -n +2 "$raw" | cut -f1,2 | uniq)
  guard 'CPU for an event of nginx, 100 streams' \
    "$(ratio "$(figure "$raw" 13 100 100 swapgate)" "$(figure "$raw" 13 100 100 nginx)")" \
    at_most 3.00
  printf '\nStreams (median of the rounds; us; "added" is above direct)\n\n'
  table "$out"
}
