# What one more job costs, against how many wait. Sourced by scripts/bench.

bench_queue() {
  local raw=$RAW/queue.tsv lengths='10 100 1000 10000 100000' length have=0
  [ -z "$QUICK" ] || lengths='10 100 1000'
  upstream_start
  swapgate_start "$UPSTREAM" 'limits: {queue: 100000}'
  printf 'waiting\tsubmit_ms\tstatus_ms\tjobs_ms\tmemory_mb\n' > "$raw"
  for length in $lengths; do
    queue_fill $((length - have - 10))
    have=$length
    printf '%s\t%s\t%s\t%s\t%s\n' "$length" "$(queue_each queue_submit)" \
      "$(queue_each http GET "$SWAPGATE_ADMIN" /api/v1/status)" \
      "$(queue_each http GET "$SWAPGATE_ADMIN" /api/v1/jobs)" "$(hop_memory swapgate)" >> "$raw"
  done
  printf '\nA queue of jobs (median of ten calls)\n\n'
  table "$raw"
}

# None of them is ever due.
queue_submit() {
  http POST "$SWAPGATE_ADMIN" /api/v1/jobs "{\"backend\":\"media\",\"repeat\":${1:-1},
    \"when\":\"2099-01-01T00:00:00Z\",\"workflow\":$(tr -d '\n' < scripts/demo.d/picture.json)}"
  [ "$HTTP_STATUS" = 202 ] || die "the job was refused: $HTTP_BODY"
}

queue_fill() {
  local left=$1 some
  while [ "$left" -gt 0 ]; do
    some=$((left > 1000 ? 1000 : left))
    queue_submit "$some"
    left=$((left - some))
  done
}

queue_each() {
  local begin round
  for round in 1 2 3 4 5 6 7 8 9 10; do
    begin=$(date +%s%N)
    "$@" > /dev/null
    echo $((($(date +%s%N) - begin) / 10000))
  done | median | awk '{ print $1 / 100 }'
}
