# shellcheck shell=bash
# What the tests of the whole program share. $DITHER is the program, $work a folder of the test's own.
set -euo pipefail
: "${DITHER:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export examples=$SOURCE_DIR/examples

complain() {
    printf '%s\n' "$*" >&2
    exit 1
}

# expect STATUS ARGUMENT...: runs the program and checks how it ends; what it wrote is in $work/out and $work/err.
expect() {
    local wanted=$1 status=0
    shift
    "$DITHER" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || {
        cat "$work/err" >&2
        complain "dither $*: exit status $status, not $wanted"
    }
}

# refuses STATUS TEXT ARGUMENT...: one line on stderr that says TEXT, nothing on stdout.
refuses() {
    local wanted=$1 text=$2
    shift 2
    expect "$wanted" "$@"
    [ "$(wc -l <"$work/err")" = 1 ] || complain "dither $*: not one line on stderr: $(cat "$work/err")"
    grep -q '^dither: ' "$work/err" || complain "dither $*: stderr does not begin with 'dither: '"
    grep -qF -- "$text" "$work/err" || complain "dither $*: stderr does not say '$text' but: $(cat "$work/err")"
    [ ! -s "$work/out" ] || complain "dither $*: refused, and yet printed something"
}

# prints TEXT: the last output holds TEXT.
prints() {
    grep -qF -- "$1" "$work/out" || complain "the output does not hold '$1': $(cat "$work/out")"
}
