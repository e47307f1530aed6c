# How java is started, and with which cache of loaded classes. Sourced after jdk.sh, never run.
#
#   java_flags KIND      puts the options for `ask` or `serve` into FLAGS
#   cache_file JAR KIND  prints where the cache of that jar lies, for the java in JDK
#   use_cache JAR KIND   adds it to FLAGS when there is one that is not older than the jar
#
# From 25 on it is an AOT cache, before that a class-data archive; SWAPGATE_CACHE=jsa takes the
# archive everywhere. Java itself leaves one alone that
# was made by another java or of another jar; what it has to say about that is of no use here.

java_flags() {
  # A command lives for a blink: the quick compiler is enough and starts faster. What serves keeps
  # the full one. The drain time makes a client that left noticed at once; Undertow reads it when it
  # is loaded, and Listener sets it only if that is the first of its classes.
  if [ "$1" = serve ]; then
    FLAGS=(-Xms32m -Xmn16m -Xmx256m -XX:+UseSerialGC -Dio.undertow.max-drain-time=50)
  else
    FLAGS=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)
  fi
}

cache_file() {
  local feature
  feature=$(java_feature "$JDK")
  if [ "$feature" -ge 25 ] && [ "${SWAPGATE_CACHE:-aot}" = aot ]; then
    printf '%s.%s-%s.aot' "$1" "$2" "$feature"
  else
    printf '%s.%s-%s.jsa' "$1" "$2" "$feature"
  fi
}

use_cache() {
  local cache
  cache=$(cache_file "$1" "$2")
  [ -f "$cache" ] && [ ! "$1" -nt "$cache" ] || return 0
  case $cache in
    *.aot) FLAGS+=("-XX:AOTCache=$cache" -Xlog:disable -Xlog:all=error:stderr) ;;
    *) FLAGS+=("-XX:SharedArchiveFile=$cache" -Xlog:disable) ;;
  esac
}
