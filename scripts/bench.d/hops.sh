# The engine that does nothing, and the hops in front of it. Sourced by scripts/bench.
#
#   bench_install            wrk, nginx, HAProxy
#   upstream_start           an nginx that answers anything with a short JSON, on UPSTREAM
#   hops_start PORT          nginx, HAProxy and swapgate in front of that port of this machine
#   hop_port NAME            where direct, nginx, haproxy or swapgate listens
#   hop_pids NAME            its processes
#   swapgate_start PORT [YAML]   swapgate alone; its engine is what listens on PORT
#   hops_stop                ends what was started

UPSTREAM=18600
NGINX=18601
HAPROXY=18602
SWAPGATE=18603
SWAPGATE_ADMIN=18604
NOBODY=18605 # nobody listens there
HOP_PIDS=()
declare -A PID_OF=()
TARGET=$UPSTREAM

bench_install() {
  PATH=$PATH:/usr/sbin
  command -v wrk > /dev/null || apt_install 'a load generator' wrk || return 1
  command -v nginx > /dev/null || apt_install nginx nginx-light || return 1
  haproxy_install
}

# Ends with what was tried and the end of a log.
hop_failed() {
  tail -n 20 "$2" >&2
  die "$1; the lines above end its log"
}

# Remembers a process that was started in the background under the name $1.
hop_started() {
  PID_OF[$1]=$2
  HOP_PIDS+=("$2")
}

nginx_start() {
  local name=$1 port=$2 locations=$3 dir=$BENCH_DIR/$1
  mkdir -p "$dir"
  cat > "$dir/nginx.conf" <<EOF
worker_processes $(nproc);
pid $dir/pid;
error_log $dir/error.log;
daemon off;
events { worker_connections 8192; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path $dir; proxy_temp_path $dir; fastcgi_temp_path $dir;
  uwsgi_temp_path $dir; scgi_temp_path $dir;
  client_max_body_size 64m;
  client_body_buffer_size 512k;
  upstream engine { server 127.0.0.1:$TARGET; keepalive 256; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:$port backlog=4096;
    $locations
  }
}
EOF
  nginx -c "$dir/nginx.conf" -e "$dir/error.log" &
  hop_started "$name" $!
  wait_until 10 port_answers "$port" || hop_failed "nginx did not come up" "$dir/error.log"
}

port_answers() { ! port_is_free "$1"; }

# 184 bytes, as in the figures of other proxies.
upstream_start() {
  local body='{\"id\":\"chatcmpl-0\",\"object\":\"chat.completion\",\"model\":\"any\",'
  body+='\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",'
  body+='\"content\":\"hello, world\"},'
  body+='\"finish_reason\":\"stop\"}]}'
  nginx_start upstream "$UPSTREAM" \
    "location / { default_type application/json; return 200 \"$body\"; }"
}

hops_start() {
  TARGET=$1
  nginx_start nginx "$NGINX" 'location / {
      proxy_pass http://engine; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $http_host; proxy_buffering off;
    }'
  cat > "$BENCH_DIR/haproxy.cfg" <<EOF
global
  nbthread $(nproc)
  maxconn 8192
defaults
  mode http
  http-reuse always
  option http-no-delay
  timeout connect 5s
  timeout client 120s
  timeout server 120s
frontend chat
  bind 127.0.0.1:$HAPROXY backlog 4096
  default_backend engine
backend engine
  server engine 127.0.0.1:$TARGET maxconn 8192
EOF
  haproxy -db -f "$BENCH_DIR/haproxy.cfg" > "$BENCH_DIR/haproxy.log" 2>&1 &
  hop_started haproxy $!
  swapgate_start "$TARGET"
}

# Its engine's container is a process that does nothing; the engine itself listens on $1.
swapgate_start() {
  local java
  TARGET=$1
  mkdir -p "$BENCH_DIR/card"
  java="$JDK/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx96m"
  java+=" -cp $PWD/backends/target/classes"
  # shellcheck disable=SC2086 # the words of a command
  $java dev.swapgate.backends.sim.FakeDockerApi --socket "$BENCH_DIR/docker.sock" \
    --image idle=sleep --container 'engine idle 1000000' --container 'media idle 1000000' \
    > "$BENCH_DIR/docker.log" 2>&1 &
  hop_started docker $!
  wait_until 20 test -S "$BENCH_DIR/docker.sock" || die 'the fake Docker API did not come up'
  cat > "$BENCH_DIR/swapgate.yaml" <<EOF
listen: 127.0.0.1:$SWAPGATE
admin: {listen: "127.0.0.1:$SWAPGATE_ADMIN"}
state_dir: $BENCH_DIR/state
docker: {host: "unix://$BENCH_DIR/docker.sock"}
card: {index: 0, tool: $PWD/scripts/pretend/nvidia-smi}
engines:
  engine:
    container: engine
    url: http://127.0.0.1:$TARGET
    readiness: {path: /health, budget: 60s, interval: 100ms}
    stop_grace_period: 1s
media:
  media:
    type: comfyui
    container: media
    url: http://127.0.0.1:$NOBODY
    readiness: {path: /health, budget: 60s, interval: 100ms}
    stop_grace_period: 1s
${2:-}
EOF
  export SWAPGATE_CONFIG=$BENCH_DIR/swapgate.yaml SIM_CARD=$BENCH_DIR/card
  scripts/swapgate serve > "$BENCH_DIR/swapgate.log" 2>&1 &
  hop_started swapgate $!
  wait_until 60 chat_open || hop_failed 'chat did not open' "$BENCH_DIR/swapgate.log"
}

chat_open() { http GET "$SWAPGATE_ADMIN" /readyz && [ "$HTTP_STATUS" = 200 ]; }

chat_shut() { http GET "$SWAPGATE_ADMIN" /readyz && [ "$HTTP_STATUS" = 503 ]; }

hop_port() {
  case $1 in
    direct) echo "$TARGET" ;;
    nginx) echo "$NGINX" ;;
    haproxy) echo "$HAPROXY" ;;
    swapgate) echo "$SWAPGATE" ;;
  esac
}

hop_pids() {
  local pid=${PID_OF[$1]:-}
  [ -n "$pid" ] && echo "$pid" && pgrep -P "$pid" || true
}

# The CPU time of a hop in clock ticks of 10 ms.
hop_ticks() {
  local pid sum=0 stat
  for pid in $(hop_pids "$1"); do
    read -ra stat <<< "$(sed 's/.*) //' "/proc/$pid/stat" 2> /dev/null)"
    sum=$((sum + ${stat[11]:-0} + ${stat[12]:-0}))
  done
  echo "$sum"
}

# Resident memory of a hop in MB.
hop_memory() {
  local pid
  for pid in $(hop_pids "$1"); do
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2> /dev/null
  done | awk '{ sum += $1 } END { printf "%.0f\n", sum / 1000 }'
}

hops_stop() {
  local pid
  for pid in "${HOP_PIDS[@]}"; do
    kill "$pid" 2> /dev/null || true
  done
  for pid in "${HOP_PIDS[@]}"; do
    wait "$pid" 2> /dev/null || true
  done
  HOP_PIDS=()
  PID_OF=()
  rm -rf "$BENCH_DIR/docker.sock" "$BENCH_DIR/state" "$BENCH_DIR/card"
}
