# How scripts speak and become root. Sourced, never run.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# One sentence and the end. Exit code 69 (unavailable) is the one swapgate itself uses when the
# machine lacks something; see DOCKER_MISSING in docker.sh.
die() {
  say "$*"
  exit 69
}

# Runs a command as root: directly, or by sudo when it needs no password. Fails without a word
# where neither works, so that the caller can say what was to be done.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
    sudo -n "$@"
  else
    return 126
  fi
}

may_be_root() { as_root true; }

# Waits until "$2 …" succeeds, asking five times a second, at most $1 seconds.
wait_until() {
  local tries=$(($1 * 5))
  shift
  while [ "$tries" -gt 0 ]; do
    "$@" && return 0
    sleep 0.2
    tries=$((tries - 1))
  done
  return 1
}
