# shellcheck shell=bash
# Servers for tests of the whole program; source after hospital.sh.
: "${work:?}" "${DITHER:?}"
server=
stop_server() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    server=
}
trap 'stop_server; rm -rf "$work"' EXIT

# start_server POLICY OPTION...: on free ports, in $PGPORT and $http; what it says is in $work/said and $work/complaints.
start_server() {
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
    [ -n "$PGPORT$http" ] || complain "the server does not say its ports: $(cat "$work/said" "$work/complaints")"
    export PGPORT http PGHOST=127.0.0.1
}

# call CODE TEXT ARGUMENT...: curl's answer has this status and holds TEXT; the answer is in $work/body.
call() {
    local code=$1 text=$2 got
    shift 2
    got=$(curl -sS --max-time 60 -o "$work/body" -w '%{http_code}' "$@" 2>"$work/curl") || true
    [ "$got" = "$code" ] || complain "curl $*: $got, not $code: $(cat "$work/body" "$work/curl")"
    grep -qF -- "$text" "$work/body" || complain "curl $*: not '$text' but: $(cat "$work/body")"
}

# ask TOKEN CODE TEXT JSON [ARGUMENT...]: a question over HTTP.
ask() {
    local token=$1 code=$2 text=$3 body=$4
    shift 4
    call "$code" "$text" "${scheme:-http}://127.0.0.1:$http/v1/ask" -H "Authorization: Bearer $token" \
        -H 'Content-Type: application/json' -d "$body" "$@"
}
