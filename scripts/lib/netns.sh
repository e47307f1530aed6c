# A network of one's own. Sourced after say.sh and setup.sh, never run.
#
#   netns_install   what is needed for it: ip, unshare, and the Docker engine for a private daemon
#   netns_exec …    becomes that command, as root, in new network and mount namespaces, which are
#                   gone when the last process in them is; only 127.0.0.1 is there
#
# What a private dockerd does to interfaces, firewall and mounts thus never reaches the machine.

netns_install() {
  if ! may_be_root; then
    say 'a private Docker daemon needs root or a sudo without password.'
    return 1
  fi
  command -v unshare > /dev/null || apt_install unshare util-linux || return 1
  command -v ip > /dev/null || apt_install ip iproute2 || return 1
  docker_install
}

netns_exec() {
  local become=()
  [ "$(id -u)" -eq 0 ] || become=(sudo -n)
  exec "${become[@]}" unshare --net --mount sh -c \
    'PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && exec "$@"' sh "$@"
}
