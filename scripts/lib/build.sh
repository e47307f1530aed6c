# Runs Maven. Sourced after jdk.sh, never run.
#
#   run_maven …        plain output, no download bars, no question asked; with the JDK that
#                      require_jdk found, which the build's own choice of a JDK then sees too
#   run_all_tests …    run_maven verify …, but on through failing tests, so that each module has
#                      its turn; fails when anything failed. What it prints also stands in
#                      target/test.log
#   stop_maven         ends what run_maven started, for a trap
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

run_all_tests() {
  local log=target/test.log pipe=target/test.pipe copying status=0
  mkdir -p target
  rm -f "$pipe"
  mkfifo "$pipe"
  tee "$log" < "$pipe" &
  copying=$!
  run_maven -Dmaven.test.failure.ignore verify "$@" > "$pipe" || status=1
  wait "$copying"
  rm -f "$pipe"
  # Maven then calls everything a success, a test JVM that crashed too; its own lines tell.
  ! grep -q '^\[ERROR\]' "$log" || status=1
  return "$status"
}

stop_maven() {
  [ -z "$MAVEN_RUNS" ] || kill "$MAVEN_RUNS" 2> /dev/null
}
