# The pretend box as processes behind a fake Docker API. Sourced by scripts/demo; offers what
# box-docker.sh does. swapgate talks to it as it talks to Docker.

FAKE_PID=
FAKE_CONTAINERS=()

box_open() {
  say 'the box: processes behind a fake Docker API; no Docker daemon is used'
  DEMO_DOCKER_HOST=unix://$DEMO_DIR/docker.sock
}

# Remembered only: the API makes them all when it starts, which is with the last of them.
box_create() {
  local name=$1 simulator=$2 outside=$4
  shift 4
  FAKE_CONTAINERS+=(--container "swapgate-demo-$name sim $simulator SIM_NAME=$name \
    SIM_PORT=$outside SIM_CARD=$DEMO_DIR/card SIM_DATA=$DEMO_DIR/$name $*")
}

box_start() {
  local java="$JDK/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx96m"
  local room=dev.swapgate.backends.sim
  java+=" -cp $PWD/backends/target/classes"
  # shellcheck disable=SC2086 # the words of a command
  $java $room.FakeDockerApi --socket "$DEMO_DIR/docker.sock" --image "sim=$java $room.Sim" \
    "${FAKE_CONTAINERS[@]}" > "$DEMO_DIR/docker.log" 2>&1 &
  FAKE_PID=$!
  wait_until 20 test -S "$DEMO_DIR/docker.sock" || give_up 'the fake Docker API did not come up'
}

box_close() {
  [ -n "$FAKE_PID" ] || return 0
  kill "$FAKE_PID" 2> /dev/null
  wait "$FAKE_PID" 2> /dev/null
  FAKE_PID=
}
