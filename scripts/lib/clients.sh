# The JavaScript client libraries that the contract tests call. Sourced after say.sh and setup.sh,
# never run.
#
#   clients_install   Node and npm where they are missing, then what the lock file in
#                     proxy/src/test/clients names, into a folder of target/ for each lock file.
#                     Fails after one sentence when that cannot be done.
#
# All paths are relative to the checkout.

readonly NODE_NEEDED=18 # the oldest under which the libraries were seen to load

node_suits() {
  local feature
  feature=$(node -p 'process.versions.node.split(".")[0]' 2> /dev/null) \
    && [ "$feature" -ge "$NODE_NEEDED" ]
}

node_install() {
  node_suits || apt_install "Node $NODE_NEEDED or newer" nodejs || return 1
  command -v npm > /dev/null || apt_install npm npm || return 1
  if ! node_suits; then
    say "the client tests need Node $NODE_NEEDED or newer, and $(node --version) is what is here;" \
      'get one from https://nodejs.org/ and put it on PATH.'
    return 1
  fi
}

clients_install() {
  local source=proxy/src/test/clients place digest
  node_install || return 1
  digest=$(sha256sum "$source/package-lock.json")
  place=proxy/target/clients/${digest:0:16}
  [ ! -d "$place/node_modules" ] || return 0
  say 'installing the JavaScript client libraries'
  rm -rf "$place.part"
  mkdir -p "$place.part"
  cp "$source/package.json" "$source/package-lock.json" "$place.part"
  if ! (cd "$place.part" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) \
    > "$place.log" 2>&1 < /dev/null; then
    tail -n 20 "$place.log" >&2
    say "npm could not install the client libraries; the lines above end $place.log."
    return 1
  fi
  # Whole or not at all, so that a broken download is not taken for an installation.
  rm -rf "$place"
  mv "$place.part" "$place"
}
