# HTTP and JSON as far as a script needs them, without curl or jq. Sourced, never run.
#
#   http GET|POST|… <port> <path> [<json body>]
#       asks 127.0.0.1 and sets HTTP_STATUS, HTTP_BODY, HTTP_RETRY_AFTER and HTTP_ANSWERED_BY;
#       fails when nothing answers within 30 s
#   json <name>   prints the first value of that name in the JSON on stdin
#   port_is_free <port>

http() {
  local method=$1 port=$2 path=$3 body=${4:-} line connection LC_ALL=C
  HTTP_STATUS='' HTTP_BODY='' HTTP_RETRY_AFTER='' HTTP_ANSWERED_BY=''
  { exec {connection}<> "/dev/tcp/127.0.0.1/$port"; } 2> /dev/null || return 1
  {
    printf '%s %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n' "$method" "$path" "$port"
    [ -z "$body" ] || printf 'Content-Type: application/json\r\nContent-Length: %d\r\n' "${#body}"
    printf '\r\n%s' "$body"
  } 1>&"$connection" 2> /dev/null
  IFS= read -r -t 30 -u "$connection" line && HTTP_STATUS=${line:9:3}
  while IFS= read -r -t 30 -u "$connection" line; do
    line=${line%$'\r'}
    [ -n "$line" ] || break
    case ${line,,} in
      retry-after:*) HTTP_RETRY_AFTER=${line#*: } ;;
      x-swapgate-answered-by:*) HTTP_ANSWERED_BY=${line#*: } ;;
    esac
  done
  HTTP_BODY=$(timeout 30 cat <&"$connection" 2> /dev/null)
  exec {connection}>&-
  [ -n "$HTTP_STATUS" ]
}

json() {
  # Strings with escapes are printed as they stand in the JSON.
  tr -d '\n' | grep -oE "\"$1\" *: *(\"([^\"\\\\]|\\\\.)*\"|[^],}\"]+)" | head -n 1 \
    | sed -E "s/^\"$1\" *: *//; s/^\"(.*)\"$/\1/"
}

port_is_free() { ! (exec 8<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }
