# Chat outage of one and the same swap, by swapgate and by a script that only calls docker and polls
# every 10 ms. Sourced by scripts/bench. The containers are the simulators on a real Docker daemon.

ENGINE_PORT=18610
COMFYUI_PORT=18611

box_open() {
  docker_ensure || die 'the swap is measured on real containers.'
  scripts/build-images > /dev/null
  docker_remove_labelled dev.swapgate.bench
  mkdir -m 777 "$BENCH_DIR/simcard"
  # The script does not look at the card: with memory that comes back late it would fail.
  echo 0 > "$BENCH_DIR/simcard/lag-ms"
  box_container engine engine 8000 "$ENGINE_PORT" SIM_LOAD_TIME=4s
  box_container media comfyui 8188 "$COMFYUI_PORT" SIM_LOAD_TIME=2s SIM_STEP_TIME=50ms
  BENCH_DOCKER=${DOCKER_HOST:-unix:///var/run/docker.sock}
  cat > "$BENCH_DIR/box.yaml" <<EOF
listen: 127.0.0.1:$SWAPGATE
admin: {listen: "127.0.0.1:$SWAPGATE_ADMIN"}
state_dir: $BENCH_DIR/box
docker: {host: "$BENCH_DOCKER"}
card: {index: 0, tool: $PWD/scripts/bench.d/nvidia-smi}
engines:
  engine:
    container: swapgate-bench-engine
    url: http://127.0.0.1:$ENGINE_PORT
    readiness: {path: /health, budget: 60s}
media:
  media:
    type: comfyui
    container: swapgate-bench-media
    url: http://127.0.0.1:$COMFYUI_PORT
    readiness: {path: /system_stats, budget: 60s}
policy: {min_chat: 100ms}
EOF
  SWAPGATE_CONFIG=$BENCH_DIR/box.yaml SIM_CARD=$BENCH_DIR/simcard scripts/swapgate serve \
    > "$BENCH_DIR/box.log" 2>&1 &
  hop_started swapgate $!
  wait_until 60 chat_open || hop_failed 'chat did not open' "$BENCH_DIR/box.log"
}

box_container() {
  local variable variables=() name=$1 simulator=$2 inside=$3 outside=$4
  shift 4
  for variable in "SIM_NAME=$name" "SIM_PORT=$inside" SIM_CARD=/card "$@"; do
    variables+=(-e "$variable")
  done
  docker create --name "swapgate-bench-$name" --label dev.swapgate.bench "${variables[@]}" \
    --stop-timeout 5 -v "$BENCH_DIR/simcard:/card" -p "127.0.0.1:$outside:$inside" \
    swapgate/sim:local "$simulator" > /dev/null
}

box_close() {
  hops_stop
  docker_remove_labelled dev.swapgate.bench
  docker_finish
  rm -rf "$BENCH_DIR/simcard" "$BENCH_DIR/box"
}

# every_10ms WHAT…: until it succeeds; ends with what was waited for after a minute. Containers
# that start reset connections, which bash has something to say of.
every_10ms() {
  local tries=0
  until "$@" 2> /dev/null; do
    sleep 0.01
    [ $((tries += 1)) -lt 6000 ] || die "in vain for a minute: $*"
  done
}

answers_chat() {
  http POST "$1" /v1/chat/completions '{"model":"any","messages":[],"max_tokens":1}' \
    && [ "$HTTP_STATUS" = 200 ]
}

refuses_chat() { ! answers_chat "$1"; }

# Milliseconds from the first request that is not answered to the first one that is again.
outage() {
  local begin
  every_10ms refuses_chat "$1"
  begin=$(date +%s%N)
  every_10ms answers_chat "$1"
  echo $((($(date +%s%N) - begin) / 1000000))
}

swap_by_swapgate() {
  local workflow
  workflow=$(tr -d '\n' < scripts/demo.d/picture.json)
  http POST "$SWAPGATE_ADMIN" /api/v1/jobs "{\"backend\":\"media\",\"workflow\":$workflow}"
  [ "$HTTP_STATUS" = 202 ] || die "the job was refused: $HTTP_BODY"
  outage "$SWAPGATE"
}

is_200() { http GET "$1" "$2" && [ "$HTTP_STATUS" = 200 ]; }

has_picture() { http GET "$COMFYUI_PORT" "/history/$1" && [[ $HTTP_BODY == *filename* ]]; }

# What a careful person's script does, and no more: no proof of the card, nothing kept.
script() {
  local id file part_begin
  part_begin=$(date +%s%N)
  docker stop swapgate-bench-engine > /dev/null
  part stopping_engine
  docker start swapgate-bench-media > /dev/null
  every_10ms is_200 "$COMFYUI_PORT" /system_stats
  part starting_media
  http POST "$COMFYUI_PORT" /prompt "{\"prompt\":$(tr -d '\n' < scripts/demo.d/picture.json)}"
  id=$(json prompt_id <<< "$HTTP_BODY")
  every_10ms has_picture "$id"
  file=$(json filename <<< "$HTTP_BODY")
  # Bash says that it passes over the picture's zero bytes.
  http GET "$COMFYUI_PORT" "/view?filename=$file&type=output" 2> /dev/null
  part running
  docker stop swapgate-bench-media > /dev/null
  part stopping_media
  docker start swapgate-bench-engine > /dev/null
  every_10ms is_200 "$ENGINE_PORT" /health
  part restoring
}

# part PHASE: what went on since the last one was that part of the script's swap.
part() {
  local now
  now=$(date +%s%N)
  printf 'script\t%s\t%s\n' "$1" "$(((now - part_begin) / 1000000))" >> "$RAW/swap-parts.tsv"
  part_begin=$now
}

# The phases of swapgate's swaps, by its log; what it did beside them is left out.
parts_of_log() {
  awk 'match($0, / phase [a-z_]+ => [a-z_]+ took_ms=[0-9]+/) {
      split(substr($0, RSTART, RLENGTH), word, / (=> )?|=/)
      from = word[3]; to = word[4]; took = word[6]
      if (from == "serving") swapping = (to == "stopping_engine")
      else if (swapping) {
        if (from == "freeing") from = "freeing_before_" to
        print "swapgate\t" from "\t" took
      }
    }' "$1"
}

swap_by_script() {
  local pid
  script > /dev/null &
  pid=$!
  outage "$ENGINE_PORT"
  wait "$pid" || die 'the script failed'
}

bench_swap() {
  local raw=$RAW/swap.tsv pairs=${PAIRS:-20} pair
  [ -z "$QUICK" ] || pairs=1
  box_open
  printf 'pair\tscript_ms\tswapgate_ms\n' > "$raw"
  printf 'by\tpart\tms\n' > "$RAW/swap-parts.tsv"
  for pair in $(seq "$pairs"); do
    http POST "$SWAPGATE_ADMIN" /api/v1/maintenance '{"on":true}'
    printf '%s\t%s' "$pair" "$(swap_by_script)" >> "$raw"
    http POST "$SWAPGATE_ADMIN" /api/v1/maintenance '{"on":false}'
    wait_until 30 chat_open || die 'chat did not open again after the script'
    printf '\t%s\n' "$(swap_by_swapgate)" >> "$raw"
    wait_until 30 chat_open
  done
  parts_of_log "$BENCH_DIR/box.log" >> "$RAW/swap-parts.tsv"
  box_close
  guard 'chat outage of a swap, of the script' \
    "$(ratio "$(figure "$raw" 3)" "$(figure "$raw" 2)")" at_most 1.35
  printf '\nChat outage of a swap: script %s ms, swapgate %s ms, %s ms more, ratio %s; %s pairs\n' \
    "$(figure "$raw" 2)" "$(figure "$raw" 3)" \
    "$(tail -n +2 "$raw" | awk '{ print $3 - $2 }' | median)" \
    "$(ratio "$(figure "$raw" 3)" "$(figure "$raw" 2)")" "$pairs"
  swap_parts "$RAW/swap-parts.tsv"
}

swap_parts() {
  local out=$BENCH_DIR/swap-parts.table part
  printf 'part\tscript ms\tswapgate ms\n' > "$out"
  for part in stopping_engine freeing_before_starting_media starting_media running \
    stopping_media freeing_before_restoring restoring; do
    printf '%s\t%s\t%s\n' "$part" "$(figure "$1" 3 script "$part")" \
      "$(figure "$1" 3 swapgate "$part")" >> "$out"
  done
  printf '\n'
  table "$out"
}
