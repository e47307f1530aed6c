# What the demo shows, step by step, each with its time. Sourced by scripts/demo.

STARTED=
PHASE=

# Tenths of a second since the show began.
tenths() {
  local now=${EPOCHREALTIME/./} from=${STARTED/./}
  printf '%d' $(((now - from) / 100000))
}

tell() {
  local t
  t=$(tenths)
  printf '%4d.%d s  %s\n' $((t / 10)) $((t % 10)) "$*"
}

heading() { printf '\n%s\n' "$*"; }

give_up() {
  say "$*"
  [ ! -s "$DEMO_DIR/serve.log" ] || {
    say 'the last lines of its log:'
    tail -n 20 "$DEMO_DIR/serve.log" >&2
  }
  exit 1
}

swapgate() { scripts/swapgate "$@"; }

# Asks one question as any OpenAI client would; sets HTTP_….
chat() {
  http POST "$DEMO_CHAT_PORT" /v1/chat/completions \
    "{\"model\":\"local\",\"messages\":[{\"role\":\"user\",\"content\":\"$1\"}]}"
}

# Chats and tells what came back.
chat_tells() {
  chat "$1" || give_up "nothing answered the chat on port $DEMO_CHAT_PORT"
  if [ "$HTTP_STATUS" = 200 ]; then
    tell "chat 200 from $HTTP_ANSWERED_BY: $(json content <<< "$HTTP_BODY")"
  else
    tell "chat $HTTP_STATUS, Retry-After: $HTTP_RETRY_AFTER"
  fi
}

# Tells the phase if it is another than before.
phase_tells() {
  local phase
  http GET "$DEMO_ADMIN_PORT" /api/v1/status || give_up 'swapgate no longer answers'
  phase=$(json phase <<< "$HTTP_BODY")
  if [ "$phase" != "$PHASE" ]; then
    tell "phase $phase"
    PHASE=$phase
  fi
}

chat_is_open() {
  phase_tells
  [ "$(json chat_open <<< "$HTTP_BODY")" = true ]
}

submit() {
  local answer
  answer=$(swapgate submit "$@" --json) || give_up "the job was not accepted: $answer"
  JOB=$(json id <<< "$answer")
  [ -n "$JOB" ] || give_up "no job id in the answer: $answer"
  tell "job $JOB for $1 accepted"
}

# Goes on chatting, once a second, until chat is open again after both jobs.
chat_through_the_swap() {
  local refused=0 second='' told='' deadline=$((SECONDS + 240))
  while [ "$SECONDS" -lt "$deadline" ]; do
    phase_tells
    if [ "$SECONDS" != "$second" ]; then
      second=$SECONDS
      chat 'Are you there?' || give_up 'the chat port no longer answers'
      case $HTTP_STATUS in
        429)
          [[ $HTTP_RETRY_AFTER =~ ^[1-9][0-9]*$ ]] || give_up "429 without a Retry-After"
          refused=$((refused + 1))
          # Once in each phase, and every third.
          if [ "$PHASE" != "$told" ] || [ $((refused % 3)) -eq 0 ]; then
            tell "chat 429, Retry-After: $HTTP_RETRY_AFTER"
            told=$PHASE
          fi
          ;;
        200)
          if [ "$refused" -gt 0 ] && jobs_have_ended; then
            tell "chat 200 from $HTTP_ANSWERED_BY, after $refused honest refusals"
            return 0
          fi
          ;;
        *) give_up "chat answered $HTTP_STATUS: $HTTP_BODY" ;;
      esac
    fi
    sleep 0.2
  done
  give_up 'chat did not come back within 240 s'
}

state_of() {
  http GET "$DEMO_ADMIN_PORT" "/api/v1/jobs/$1" || give_up 'swapgate no longer answers'
  json state <<< "$HTTP_BODY"
}

jobs_have_ended() {
  local job
  for job in "$PICTURE" "$SONG"; do
    case $(state_of "$job") in
      done) ;;
      failed | cancelled) give_up "job $job did not end well: $HTTP_BODY" ;;
      *) return 1 ;;
    esac
  done
}

files_tell() {
  local file count=0
  while IFS= read -r file; do
    tell "file ${file#"$DEMO_DIR/"}, $(stat -c %s "$file") bytes"
    count=$((count + 1))
  done < <(find "$DEMO_DIR/results" -type f -size +0 | sort)
  [ "$count" -ge 2 ] || give_up "two jobs are done, but $count files came out"
}

show() {
  STARTED=$EPOCHREALTIME
  heading 'The selected engine is started, and chat opens.'
  wait_until 120 chat_is_open || give_up 'chat did not open within 120 s'
  tell "dashboard http://127.0.0.1:$DEMO_ADMIN_PORT/"
  chat_tells 'Who has the card?'
  [ "$HTTP_STATUS" = 200 ] || give_up 'the first chat was not answered'

  heading 'A picture and a song are wanted. Both take the whole card; chat has to wait.'
  submit comfyui scripts/demo.d/picture.json --set '6.text=a turnstile in the rain'
  PICTURE=$JOB
  submit music scripts/demo.d/song.json
  SONG=$JOB
  chat_through_the_swap
  files_tell

  heading 'Another engine is selected, without a word to the clients.'
  swapgate select ninfer > /dev/null || give_up 'the other engine could not be selected'
  chat_until_answered_by ninfer

  heading 'What swapgate wrote down.'
  swapgate history | tac || give_up 'there is no history'
  printf '\nAll of it went as it should.\n'
}

chat_until_answered_by() {
  local deadline=$((SECONDS + 120))
  while [ "$SECONDS" -lt "$deadline" ]; do
    phase_tells
    chat 'And who are you?' || give_up 'the chat port no longer answers'
    if [ "$HTTP_STATUS" = 200 ] && [ "$HTTP_ANSWERED_BY" = "engine:$1" ]; then
      tell "chat 200 from $HTTP_ANSWERED_BY: $(json content <<< "$HTTP_BODY")"
      return 0
    fi
    sleep 0.5
  done
  give_up "$1 did not answer within 120 s"
}

invite() {
  cat <<END

The box stays up until Ctrl-C.
  dashboard   http://127.0.0.1:$DEMO_ADMIN_PORT/
  chat        http://127.0.0.1:$DEMO_CHAT_PORT/v1
  more work   scripts/swapgate --admin http://127.0.0.1:$DEMO_ADMIN_PORT submit comfyui \\
                scripts/demo.d/picture.json --wait
END
}
