# The pretend box as containers of a real Docker daemon. Sourced by scripts/demo.
#
#   box_open      makes ready what holds the containers, and says which Docker that is
#   box_create    <name> <simulator> <port inside> <port on this machine> <VARIABLE=value>…
#                 makes one container, which does not run yet
#   box_start     whatever is left to do before swapgate starts
#   box_close     removes all of them, running or not
#
# box-fake.sh offers the same where there is no Docker.

readonly DEMO_LABEL=dev.swapgate.demo

box_open() {
  say 'the box: containers of the Docker daemon on this machine'
  docker_remove_labelled "$DEMO_LABEL"
  scripts/build-images >&2
  DEMO_DOCKER_HOST=${DOCKER_HOST:-unix:///var/run/docker.sock}
}

box_create() {
  local name=$1 simulator=$2 inside=$3 outside=$4 variable
  local variables=()
  shift 4
  for variable in "SIM_NAME=$name" "SIM_PORT=$inside" SIM_CARD=/card "$@"; do
    variables+=(-e "$variable")
  done
  docker create --name "swapgate-demo-$name" --label "$DEMO_LABEL" "${variables[@]}" \
    -v "$DEMO_DIR/card:/card" -p "127.0.0.1:$outside:$inside" \
    swapgate/sim:local "$simulator" > /dev/null
}

box_start() { :; }

box_close() { docker_remove_labelled "$DEMO_LABEL"; }
