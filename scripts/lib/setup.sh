# What a fresh Debian or Ubuntu lacks. Sourced after say.sh and jdk.sh, never run.
#
#   setup_build      a JDK 21 or newer and Maven
#   docker_install   the Docker engine with its command line tool
#   haproxy_install  HAProxy, in which the filter before Docker's socket runs
#   chromium_install Chromium, in which the tests look at the dashboard
#   compose_install  Docker Compose: the plugin, or the older program of that name
#
# Only what is missing is installed, and its name is said first. Both end or fail with one
# sentence when that cannot be done.

APT_UPDATED=

# Installs packages; $1 says what for.
apt_install() {
  local purpose=$1
  shift
  if ! command -v apt-get > /dev/null; then
    say "$purpose is missing and this machine has no apt-get; install it by hand."
    return 1
  fi
  if ! may_be_root; then
    say "$purpose is missing; run 'sudo apt-get install $*' and repeat."
    return 1
  fi
  apt_refresh || return 1
  say "installing $* ($purpose)"
  if ! apt_get install -y -qq --no-install-recommends "$@" > "$APT_LOG" 2>&1 < /dev/null; then
    tail -n 20 "$APT_LOG" >&2
    say "apt-get could not install $*; the lines above end its output."
    return 1
  fi
}

apt_refresh() {
  [ -z "$APT_UPDATED" ] || return 0
  APT_LOG=$(mktemp) || return 1
  if ! apt_get update -qq > "$APT_LOG" 2>&1 < /dev/null; then
    tail -n 5 "$APT_LOG" >&2
    say "apt-get update failed; going on with the package lists that are here"
  fi
  APT_UPDATED=yes
}

# The lock is waited for: a fresh cloud machine runs its own updates in the first minutes.
apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"; }

apt_has() {
  local candidate
  candidate=$(apt-cache policy "$1" 2> /dev/null | sed -n 's/^ *Candidate: //p')
  [ -n "$candidate" ] && [ "$candidate" != '(none)' ]
}

setup_build() {
  local package
  if ! find_jdk > /dev/null; then
    if command -v apt-get > /dev/null && may_be_root; then
      apt_refresh || true
      # The newest long-term release that the package lists have. Debian 12 has none of them.
      for package in openjdk-{25,21}-jdk-headless temurin-{25,21}-jdk; do
        apt_has "$package" || continue
        apt_install "JDK $JAVA_NEEDED or newer" "$package" || exit 69
        break
      done
    fi
  fi
  require_jdk
  if ! command -v mvn > /dev/null; then
    apt_install Maven maven || exit 69
  fi
}

docker_install() {
  local missing=()
  command -v dockerd > /dev/null || missing+=(docker.io)
  command -v iptables > /dev/null || missing+=(iptables)
  [ ${#missing[@]} -eq 0 ] || apt_install 'the Docker engine' "${missing[@]}" || return 1
  # Newer releases put the command line tool into a package of its own.
  command -v docker > /dev/null || apt_install 'the docker command' docker-cli
}

# Also where a PATH without /usr/sbin hides it.
haproxy_install() {
  PATH=$PATH:/usr/sbin command -v haproxy > /dev/null || apt_install HAProxy haproxy
}

chromium_install() {
  command -v chromium > /dev/null || command -v google-chrome > /dev/null \
    || apt_install 'Chromium (or Google Chrome)' chromium
}

compose_install() {
  docker compose version > /dev/null 2>&1 || command -v docker-compose > /dev/null \
    || apt_install 'Docker Compose' docker-compose
}
