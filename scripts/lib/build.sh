# Runs Maven. Sourced after jdk.sh, never run.
#
#   run_maven …      plain output, no colours, no download bars, no question asked; with the JDK
#                    that require_jdk found, which the build's own choice of a JDK then sees too
#
# Maven runs as a child that is waited for, so that a TERM reaches the script's trap at once.

MAVEN_RUNS=

run_maven() {
  local status=0
  JAVA_HOME=$JDK mvn -B -ntp -Dstyle.color=never "$@" < /dev/null &
  MAVEN_RUNS=$!
  wait "$MAVEN_RUNS" || status=$?
  MAVEN_RUNS=
  return "$status"
}

stop_maven() {
  [ -z "$MAVEN_RUNS" ] || kill "$MAVEN_RUNS" 2> /dev/null
}
