# shellcheck shell=bash
# A copy of examples/hospital in $work/hospital with a ledger and an anchor of its own; source after program.sh. The current
# folder is the copy.
: "${work:?}" "${examples:?}"
mkdir "$work/hospital"
cp "$examples"/hospital/*.csv "$examples"/hospital/hospital.yaml "$work/hospital"
export XDG_STATE_HOME=$work/state
cd "$work/hospital" || exit 1

# The same data under a budget so large that noise is hardly ever seen; its ledger is its own.
sed -e 's/^dataset: .*/dataset: noiseless/' -e 's/^  epsilon: 10$/  epsilon: 1e12/' -e 's/^  max_per_question: .*/  max_per_question: 1e9/' \
    -e 's/^  per_question: .*/  per_question: 1e6/' hospital.yaml >noiseless.yaml
export one_count="SELECT count(*) AS n FROM patients"

# points LINE CARET STATUS TEXT ARGUMENT...: as `refuses`, with the line of the question and the caret below it.
points() {
    local line=$1 column=$2 wanted=$3 text=$4
    shift 4
    expect "$wanted" "$@"
    [ ! -s "$work/out" ] || complain "dither $*: refused, and yet printed something"
    [ "$(wc -l <"$work/err")" = 3 ] || complain "dither $*: not three lines on stderr: $(cat "$work/err")"
    head -n 1 "$work/err" | grep -qF -- "$text" || complain "dither $*: stderr does not say '$text' but: $(cat "$work/err")"
    sed -n 2p "$work/err" | grep -qF -- "line $line: " || complain "dither $*: not line $line: $(cat "$work/err")"
    # the caret stands below the column, which counts from 0 behind "  line N: "
    [ "$(sed -n 3p "$work/err")" = "$(printf '%*s^' $((column + 10)) '')" ] ||
        complain "dither $*: the caret is not below column $column: $(cat "$work/err")"
}

# spent POLICY: the epsilon that the ledger says is spent of the dataset's budget.
spent() {
    "$DITHER" budget "$1" --format json | tr -d ' "' | sed -n 's/^[^[]*,spent:{epsilon:\([0-9.]*\).*/\1/p'
}
