# A Docker daemon that answers. Sourced after say.sh and setup.sh, never run.
#
#   docker_answers   whether a daemon answers now
#   docker_ensure    as above; else installs the engine if it is missing and starts a daemon.
#                    Fails after one sentence when that cannot be done.
#   docker_finish    stops the daemon if docker_ensure started it; otherwise does nothing
#
# A daemon that was there before is left exactly as it was found.

# Where dockerd and iptables lie, which not every PATH has.
PATH=$PATH:/usr/sbin:/sbin

readonly DOCKERD_PIDFILE=/var/run/docker.pid
readonly CONTAINERD_PIDFILE=/var/run/docker/containerd/containerd.pid
readonly DOCKERD_LOG=${TMPDIR:-/tmp}/swapgate-dockerd.log
DOCKERD_STARTED= # the pid of the daemon we started

docker_answers() { docker version > /dev/null 2>&1; }

# The name of the process that the pid file $1 names, or nothing.
process_in() {
  local pid
  pid=$(cat "$1" 2> /dev/null) && [ -n "$pid" ] && cat "/proc/$pid/comm" 2> /dev/null
}

docker_ensure() {
  docker_answers && return 0
  if [ -n "${DOCKER_HOST:-}" ]; then
    say "no Docker daemon answers at DOCKER_HOST=$DOCKER_HOST; start it or unset DOCKER_HOST."
    return 1
  fi
  if [ -S /var/run/docker.sock ] && [ ! -w /var/run/docker.sock ] \
    && [ "$(process_in "$DOCKERD_PIDFILE")" = dockerd ]; then
    say "a Docker daemon runs, but $(id -un) may not use it; run 'sudo usermod -aG docker" \
      "$(id -un)', log in again and repeat."
    return 1
  fi
  if ! may_be_root; then
    say "no Docker daemon answers, and starting one needs root or a sudo without password."
    return 1
  fi
  docker_install || return 1
  if [ "$(process_in "$DOCKERD_PIDFILE")" = dockerd ]; then
    wait_until 30 docker_answers && return 0 # someone else started it a moment ago
  fi
  docker_answers && return 0 # where systemd runs, installing the package starts the daemon
  if [ -d /run/systemd/system ]; then
    as_root systemctl start docker || true
    wait_until 30 docker_answers && DOCKERD_STARTED=systemd && return 0
    say "systemd could not start Docker; see 'journalctl -u docker'."
    return 1
  fi
  # The second try is for the dockerd that finds the containerd of one that was killed: it waits
  # for it in vain, ends, and the next one starts at once.
  dockerd_start || dockerd_start || {
    tail -n 20 "$DOCKERD_LOG" >&2
    say "the Docker daemon could not be started; the lines above end its log $DOCKERD_LOG."
    return 1
  }
  say "started a Docker daemon (pid $DOCKERD_STARTED), which is stopped at the end"
}

dockerd_start() {
  local pid
  dockerd_sweep
  # Descriptor 9 is the caller's lock, which must not live on in a daemon.
  as_root setsid dockerd > "$DOCKERD_LOG" 2>&1 < /dev/null 9>&- &
  pid=$!
  dockerd_settled() { docker_answers || ! kill -0 "$pid" 2> /dev/null; }
  wait_until 45 dockerd_settled
  if docker_answers; then
    DOCKERD_STARTED=$(cat "$DOCKERD_PIDFILE" 2> /dev/null || echo "$pid")
    return 0
  fi
  as_root kill "$pid" 2> /dev/null
  wait "$pid" 2> /dev/null
  return 1
}

# Removes what a crash left. A leftover socket does no harm; a pid file that names a living process
# keeps dockerd from starting, and so does a containerd without its dockerd.
dockerd_sweep() {
  [ -e "$DOCKERD_PIDFILE" ] && [ "$(process_in "$DOCKERD_PIDFILE")" != dockerd ] \
    && as_root rm -f "$DOCKERD_PIDFILE"
  if [ "$(process_in "$CONTAINERD_PIDFILE")" = containerd ] \
    && [ "$(process_in "$DOCKERD_PIDFILE")" != dockerd ]; then
    as_root kill "$(cat "$CONTAINERD_PIDFILE")"
    wait_until 5 containerd_gone
  fi
  return 0
}

containerd_gone() { [ "$(process_in "$CONTAINERD_PIDFILE")" != containerd ]; }

dockerd_gone() { [ ! -d "/proc/$DOCKERD_STARTED" ]; }

docker_finish() {
  case $DOCKERD_STARTED in
    '') return 0 ;;
    systemd) as_root systemctl stop docker.socket docker.service ;;
    *)
      # TERM and patience: after a kill -9 the containerd lives on and spoils the next start.
      as_root kill "$DOCKERD_STARTED" 2> /dev/null
      wait_until 30 dockerd_gone \
        || say "the Docker daemon that was started here (pid $DOCKERD_STARTED) still runs"
      ;;
  esac
  DOCKERD_STARTED=
}

# Removes containers with the label $1, running or not.
docker_remove_labelled() {
  local ids
  ids=$(docker ps -aq --filter "label=$1" 2> /dev/null)
  # shellcheck disable=SC2086 # one word per id
  [ -z "$ids" ] || docker rm -f $ids > /dev/null 2>&1 || true
}
