# A bare machine: a minimal system of the release that runs here, in a folder. Sourced after say.sh
# and setup.sh, never run.
#
#   bare_install         debootstrap, and unshare to step into what it makes
#   bare_make ROOT       makes it, from where this machine's own packages come: the least that can
#                        boot, Git and sudo. Fails after one sentence when that cannot be done
#   bare_exec ROOT SHARED JDK …
#                        becomes that command, as root, in that root. From outside it sees the
#                        network, the folder SHARED at the same place, the JDK, the docker
#                        command with the daemon's socket, and what Maven has fetched before.
#                        The mounts are its own and are gone with it

bare_install() {
  if ! may_be_root; then
    say 'a bare machine needs root or a sudo without password.'
    return 1
  fi
  command -v unshare > /dev/null || apt_install unshare util-linux || return 1
  PATH=$PATH:/usr/sbin command -v debootstrap > /dev/null || apt_install debootstrap debootstrap
}

bare_make() {
  local root=$1 suite origin file
  suite=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
  origin=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" \
    | head -n 1)
  if ! as_root unshare --mount env "PATH=$PATH:/usr/sbin:/sbin" debootstrap --variant=minbase \
    --include=ca-certificates,git,sudo "$suite" "$root" "$origin" > "$root.log" 2>&1; then
    tail -n 20 "$root.log" >&2
    say "debootstrap could not make a bare machine; the lines above end $root.log."
    return 1
  fi
  as_root rm -rf "$root/etc/apt"
  for file in /etc/apt /usr/share/keyrings /etc/resolv.conf /etc/hosts; do
    as_root cp -RL "$file" "$root$(dirname "$file")/"
  done
}

bare_exec() {
  local become=()
  [ "$(id -u)" -eq 0 ] || become=(sudo -n)
  exec "${become[@]}" unshare --mount sh -c '
    set -e
    root=$1 shared=$2 jdk=$3 docker=$4 repository=$5
    shift 5
    share() {
      if [ -d "$1" ]; then
        mkdir -p "$root$2"
      else
        mkdir -p "$root${2%/*}"
        [ -e "$root$2" ] || : > "$root$2"
      fi
      mount --rbind "$1" "$root$2"
    }
    for place in /proc /sys /dev "$shared" "$docker"; do
      share "$place" "$place"
    done
    [ ! -S /var/run/docker.sock ] || share /var/run/docker.sock /run/docker.sock
    share "$jdk" "/usr/lib/jvm/${jdk##*/}"
    share "$repository" /root/.m2
    exec chroot "$root" "$@"' \
    sh "$1" "$2" "$3" "$(command -v docker)" "$HOME/.m2" "${@:4}"
}
