#!/usr/bin/env bash
# Shows that a newcomer gets from a CSV file to a private answer by the README alone: the commands of its section "Five minutes"
# run as written, in order, in one shell that starts at the top of the tree; the folder they make is in a home of the test's own.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

mkdir "$work/bin" "$work/home"
ln -s "$DITHER" "$work/bin/dither"
awk '/^## / { section = /Five minutes/ } /^```sh$/ { inside = section; next } /^```/ { inside = 0 } inside' \
    "$SOURCE_DIR/README.md" >"$work/commands"
for command in init check explain ask budget; do
    grep -q "^dither $command " "$work/commands" || complain "README.md does not show dither $command"
done

begin=$SECONDS
(
    cd "$SOURCE_DIR"
    unset XDG_STATE_HOME
    HOME=$work/home PATH=$work/bin:$PATH bash -euo pipefail -x "$work/commands" >"$work/out" 2>"$work/err" </dev/null
) || complain "the README's commands fail: $(cat "$work/out" "$work/err")"
[ $((SECONDS - begin)) -le 60 ] || complain "five minutes are $((SECONDS - begin)) s"
for region in north south east; do # 812, 588 and 392 people stand behind these: they cannot stay hidden
    prints "$region"
done

# Before the ranges are filled in, nothing is answered, and the line is named.
cd "$work/home"
cp "$examples/hospital/patients.csv" .
expect 0 init patients.csv --output draft.yaml
refuses 1 'range of column patients.age needs both bounds' ask draft.yaml "SELECT count(*) FROM patients"
