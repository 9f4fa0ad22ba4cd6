# For scripts that test a stack: `start_stack` starts a stack without limits in the folder $place, unless STACK
# names the stack.json of a running one, and `stop_stack` ends it. It uses SQLite and in-process counters, or the servers
# with the URLs STACK_POSTGRES and STACK_REDIS. Sourced, in the root of the repository.

stack=''

start_stack() {
    [[ ! ${STACK-} ]] || return 0
    local target servers=()
    if [[ ${STACK_POSTGRES-} ]]; then servers=(--postgres "$STACK_POSTGRES" --redis "$STACK_REDIS"); fi
    cargo build --quiet --locked --workspace --bins --tests
    target=$(cargo metadata --locked --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    export STACK=$place/stack/stack.json
    RATE_LIMITS=pages=1000000,read=1000000,write=1000000,publish=1000000 RUST_LOG=warn \
        "$target/debug/devstack" --data "$place/stack" --port-base 0 "${servers[@]}" >"$place/stack.log" 2>&1 &
    stack=$!
    for _ in {1..600}; do
        ! grep -q 'Fourfold is ready' "$place/stack.log" || return 0
        kill -0 "$stack" 2>/dev/null || break
        sleep 0.1
    done
    cat "$place/stack.log"
    return 1
}

stop_stack() {
    if [[ $stack ]] && kill "$stack" 2>/dev/null; then wait "$stack" || true; fi
}
