# shellcheck shell=bash
# `dither serve` for tests of the whole program; source after program.sh. It is stopped by its id, at the latest when the test ends.
: "${work:?}" "${DITHER:?}"
server=

stop() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    server=
}
trap 'stop; rm -rf "$work"' EXIT

# start POLICY OPTION...: on free ports, in $PGPORT and $http; what it says is in $work/said and $work/complaints.
start() {
    : >"$work/said"
    "$DITHER" serve "$@" --port 0 >"$work/said" 2>"$work/complaints" &
    server=$!
    for _ in $(seq 600); do
        grep -q '^HTTP on' "$work/said" && break
        kill -0 "$server" 2>/dev/null || complain "the server ended: $(cat "$work/complaints")"
        sleep 0.1
    done
    PGPORT=$(sed -n 's/^listening on .*, port //p' "$work/said")
    http=$(sed -n 's/^HTTP on .*, port //p' "$work/said")
    [[ -n $PGPORT && -n $http ]] || complain "the server does not say its ports: $(cat "$work/said" "$work/complaints")"
    export PGPORT http PGHOST=127.0.0.1
}
