#!/usr/bin/env bash
# Shows that the demo runs from any folder, in seconds, twice, and leaves nothing behind.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

mkdir "$work/home" "$work/tmp"
find "$examples" | sort >"$work/before"
for run in first second; do
    begin=$SECONDS
    (cd "$work/home" && HOME=$work/home TMPDIR=$work/tmp "$examples/demo.sh" "$DITHER" >"$work/$run" 2>"$work/err" </dev/null) ||
        complain "the demo fails: $(cat "$work/$run" "$work/err")"
    [ $((SECONDS - begin)) -le 60 ] || complain "the demo takes $((SECONDS - begin)) s"
    [ ! -s "$work/err" ] || complain "the demo complains: $(cat "$work/err")"
done
find "$examples" | sort | cmp -s - "$work/before" || complain "the demo leaves something in examples/"
[ -z "$(find "$work/home" "$work/tmp" -mindepth 1)" ] || complain "the demo leaves $(find "$work/home" "$work/tmp" -mindepth 1)"

cp "$work/second" "$work/out"
[ "$(grep -c '^[1-5]\. ' "$work/out")" = 5 ] || complain "there are not five questions"
prints "That is all."
prints north
prints hypertension # 407 patients have it
! grep -q myasthenia "$work/out" || complain "the one patient with a rare disease is shown"
grep -qE '^  dataset +hospital +#' "$work/out" || complain "the budget is not shown"
