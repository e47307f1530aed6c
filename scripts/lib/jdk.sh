# Finds a Java 21 or newer. Sourced, never run; changes nothing on the machine.
#
#   find_jdk      prints the home of a JDK (javac is there), or fails silently
#   find_java     the same, but a runtime without javac will do
#   require_jdk   puts that home into JDK, or ends (69) with a sentence on where to get one
#   require_java  the same for find_java
#
# The order: JAVA_HOME, the newest under /usr/lib/jvm (and where sdkman and tarballs put them),
# java on PATH. Versions are read from the `release` file, because asking java itself costs
# 40 ms or more for each candidate.

readonly JAVA_NEEDED=21

# Prints the feature version of the Java in $1 (21, 25, …), or nothing.
java_feature() {
  local line version=
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in
        JAVA_VERSION=*) version=${line#JAVA_VERSION=} ;;
      esac
    done < "$1/release"
  else
    version=$("$1/bin/java" -version 2>&1) || return 0
    version=${version#*version }
  fi
  version=${version#\"}
  version=${version#1.}
  version=${version%%[!0-9]*}
  printf '%s' "$version"
}

# Whether the Java in $1 is new enough and has the program $2.
java_suits() {
  local feature
  [ -x "$1/bin/$2" ] || return 1
  feature=$(java_feature "$1")
  [ -n "$feature" ] && [ "$feature" -ge "$JAVA_NEEDED" ]
}

# Prints the best home that has the program $1.
find_home_with() {
  local program=$1 home feature best='' best_feature=0 on_path
  if [ -n "${JAVA_HOME:-}" ] && java_suits "$JAVA_HOME" "$program"; then
    printf '%s\n' "$JAVA_HOME"
    return 0
  fi
  for home in /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* \
    "${HOME:-/root}"/.sdkman/candidates/java/* "${HOME:-/root}"/.jdks/*; do
    java_suits "$home" "$program" || continue
    feature=$(java_feature "$home")
    if [ "$feature" -gt "$best_feature" ]; then
      best=$home best_feature=$feature
    fi
  done
  if [ -z "$best" ] && on_path=$(command -v java); then
    home=$(readlink -f "$on_path")
    home=${home%/bin/java}
    java_suits "$home" "$program" && best=$home
  fi
  [ -n "$best" ] && printf '%s\n' "$best"
}

find_jdk() { find_home_with javac; }

find_java() { find_home_with java; }

no_java() {
  printf '%s: no %s of version %s or newer was found in JAVA_HOME, /usr/lib/jvm or on PATH; ' \
    "${0##*/}" "$1" "$JAVA_NEEDED" >&2
  printf 'get one from https://adoptium.net/installation/ (apt repository or tarball) %s\n' \
    'and set JAVA_HOME if it lies elsewhere.' >&2
  exit 69
}

# Without a command substitution of the caller's own, so that `exit` ends the script:
#   require_jdk; "$JDK/bin/java" …
require_jdk() {
  JDK=$(find_jdk) || no_java JDK
}

require_java() {
  JDK=$(find_java) || no_java 'Java runtime'
}
