# shellcheck shell=bash
# Questions over HTTP to a server; source after hospital.sh.
: "${work:?}" "${SOURCE_DIR:?}"
# shellcheck source=tests/support/server.sh
source "$SOURCE_DIR/tests/support/server.sh"

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
