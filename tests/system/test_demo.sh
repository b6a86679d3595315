#!/usr/bin/env bash
# Shows that the demo runs from any folder, in seconds, twice, and leaves nothing behind; and that one can connect as it says at the
# end: its lines are run, on a copy, with a password from a pipe and a port that is free.
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

# As it says at the end.
sed -n 's/^  \(dither\|psql\) /\1 /p' "$work/out" | tail -n 3 >"$work/lines"
[ "$(cut -d ' ' -f 1 "$work/lines" | xargs)" = "dither dither psql" ] || complain "the demo does not say how to connect: $(cat "$work/lines")"
mkdir -p "$work/house/examples"
cp -r "$examples/hospital" "$work/house/examples/"
cd "$work/house"
export XDG_STATE_HOME=$work/state PGPASSWORD=pencil PGCONNECT_TIMEOUT=20
eval "\"\$DITHER\" $(sed -n '1s/^dither //p' "$work/lines") --password-file -" <<<pencil >"$work/out" 2>&1 || complain "$(cat "$work/out")"
eval "exec \"\$DITHER\" $(sed -n '2s/^dither //p' "$work/lines") --port 0" >"$work/said" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 600); do
    grep -q '^listening on' "$work/said" && break
    sleep 0.1
done
port=$(sed -n 's/^listening on .*, port //p' "$work/said")
eval "$(sed -n 3p "$work/lines" | sed "s/-p 5433/-p ${port:?}/")" >"$work/out" 2>&1 || complain "$(cat "$work/out" "$work/said")"
prints '(4 rows)'
