#!/usr/bin/env bash
# Shows `dither attack` as a user meets it: the list, one attack as a table, as JSON and as a plot, wrong usage, budgets from a policy,
# rows of a policy, Ctrl-C that leaves nothing behind; and that the table in docs/attacks.md has the program's attacks, with figures
# that a quick run finds again, row by row.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
page=$SOURCE_DIR/docs/attacks.md
mkdir "$work/tmp"
export TMPDIR=$work/tmp
clean() {
    [ -z "$(ls "$work/tmp")" ] || complain "left behind: $(ls "$work/tmp")"
}

# The list, the page's table and the page's sections name the same attacks, in the same order.
expect 0 attack
sed 's/ .*//' "$work/out" >"$work/names"
[ "$(wc -l <"$work/names")" -ge 15 ] || complain "too few attacks: $(cat "$work/names")"
# shellcheck disable=SC2016 # backquotes of Markdown
sed -n 's/^| `\([a-z-]*\)` |.*/\1/p' "$page" >"$work/rows"
sed -n 's/^### \([a-z-]*\)$/\1/p' "$page" >"$work/sections"
cmp -s "$work/names" "$work/rows" || complain "docs/attacks.md has other rows: $(diff "$work/names" "$work/rows")"
cmp -s "$work/names" "$work/sections" || complain "docs/attacks.md has other sections: $(diff "$work/names" "$work/sections")"

# The page's figures: by name, guessing, baseline, Dither, at most.
# shellcheck disable=SC2016
figures() {
    awk -F '|' '/^\| `/ { gsub(/[ `]/, "", $2); print $2, $4 + 0, $6 + 0, $7 + 0, $8 ~ /-/ ? -1 : $8 + 0 }' "$1"
}
figures "$page" >"$work/printed"

# On the page every baseline falls, and Dither does not: not beyond its bound, nor beyond guessing by more than half of what the
# baseline gains. 0.05 is four standard errors of 1600 trials; the page says how many there are.
while read -r name guessing baseline dither most; do
    awk -v g="$guessing" -v b="$baseline" -v d="$dither" -v m="$most" \
        'BEGIN { exit !(b > g + 0.3 && d < g + (b - g) * 0.75 && (m < 0 || d < m + 0.05)) }' ||
        complain "docs/attacks.md: the row of $name shows no baseline that falls, or a Dither that does"
done <"$work/printed"

# A quick run of all finds every row of the page again. Baselines do not depend on Dither's noise, and differ by the number of trials
# alone; Dither's figures are within five standard errors of the quick run's trials. Timing is the machine's: its row is there.
expect 0 attack --all --quick --format json
python3 - "$work/out" "$work/printed" <<'P' || complain "docs/attacks.md: the program finds other figures"
import json, sys
from statistics import NormalDist
printed = {line.split()[0]: [float(part) for part in line.split()[1:]] for line in open(sys.argv[2])}
found = json.load(open(sys.argv[1]))
assert [row["attack"] for row in found] == list(printed), found
wrong = []
for row in found:
    guessing, baseline, dither, most = printed[row["attack"]]
    far = 2.5 / row["trials"] ** 0.5
    assert row["data"] == "made up", row
    if row["attack"] == "membership":  # with fewer attributes: Phi(sqrt(d/n) / 2), as the page says
        assert abs(baseline - NormalDist().cdf((1000 / 50) ** 0.5 / 2)) < 0.02, baseline
        baseline = NormalDist().cdf((200 / 50) ** 0.5 / 2)
    if row["attack"] != "timing" and (abs(row["guessing"] - guessing) > 0.001 or abs(row["baseline"] - baseline) > 0.1
                                      or abs(row["dither"] - dither) > far or abs((row["at_most"] or -1) - most) > 0.001):
        wrong.append((row["attack"], row["baseline"], row["dither"], printed[row["attack"]]))
if wrong:
    sys.exit(str(wrong))
P
clean

# The commands of the page run as written, from a place that has the examples.
mkdir "$work/bin" "$work/tree"
ln -s "$DITHER" "$work/bin/dither"
ln -s "$examples" "$work/tree/examples"
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" >"$work/commands"
[ "$(grep -c '^dither attack' "$work/commands")" -ge 4 ] || complain "docs/attacks.md shows too few commands"
while IFS= read -r line; do
    (cd "$work/tree" && PATH=$work/bin:$PATH bash -euo pipefail -c "$line" >"$work/out" 2>"$work/err" </dev/null) ||
        complain "docs/attacks.md: '$line' fails: $(cat "$work/err")"
    [ -s "$work/out" ] || complain "docs/attacks.md: '$line' prints nothing"
    case $line in
    *--data*)
        prints 'patients'
        prints 'success: people whose secret was told right'
        ;;
    *tracker*)
        prints 'success: patients of whom it was told right whether they are sick'
        prints 'exact counts, small and large ones refused'
        prints '0.525' # e^0.1 / (1 + e^0.1)
        ;;
    esac
done <"$work/commands"
[ -s "$work/tree/bits.svg" ] || complain "docs/attacks.md: no plot"
clean

# As JSON, and drawn.
expect 0 attack floating-point --quick --format json --plot "$work/plot.svg" --seed 2
grep -q '^{"attack":"floating-point"' <(tr -d ' ' <"$work/out") || complain "no JSON: $(head -c 200 "$work/out")"
prints '"at_most"'
prints 'Dither, answers impossible on one side'
head -c 5 "$work/plot.svg" | grep -q '<svg ' || complain "no plot"
expect 0 attack tracker --quick --plot "$work/levels.svg" # no curve of its own: its levels
grep -q '>at most</text>' "$work/levels.svg" || complain "no levels: $(cat "$work/levels.svg")"
if command -v xmllint >/dev/null; then xmllint --noout "$work/plot.svg" "$work/levels.svg"; fi

# The budget of a policy.
expect 0 attack floating-point --quick --policy "$examples/hospital/hospital.yaml" --format json
grep -q '"at_most": *0.99995' "$work/out" || complain "not the policy's epsilon 10: $(grep -o '"at_most[^,]*' "$work/out")"

# Wrong usage.
refuses 2 'there is no attack "averagin"; did you mean "averaging"?' attack averagin
refuses 2 'one attack at a time' attack averaging tracker
refuses 2 '--all takes no name' attack --all averaging
refuses 2 '--plot draws one attack' attack --all --plot x.svg
refuses 2 '--epsilon or --policy, not both' attack averaging --epsilon 1 --policy x.yaml
refuses 2 'must be above 0' attack averaging --epsilon 0
refuses 2 'must be above 0' attack averaging --epsilon 101
refuses 2 '--epsilon' attack averaging --epsilon NaN
refuses 2 '--seed' attack averaging --seed -1
refuses 2 'must be table, json or markdown' attack averaging --format csv
refuses 1 'missing.yaml' attack averaging --policy "$work/missing.yaml"
refuses 1 'missing.yaml' attack averaging --data "$work/missing.yaml"
refuses 2 'census needs data of a shape of its own' attack census --data "$examples/hospital/hospital.yaml"
refuses 1 'plot.svg' attack floating-point --quick --plot "$work/no/such/plot.svg"
TMPDIR=$work/nowhere refuses 1 'no directory can be made there' attack tracker --quick
clean

# Rows that may be about somebody are not attacked; nor is a policy without victims.
cp "$examples"/hospital/*.csv "$work"
sed '/^synthetic:/d' "$examples/hospital/hospital.yaml" >"$work/real.yaml"
refuses 1 'may be about real people' attack averaging --quick --data "$work/real.yaml"
sed '/smoker:/d' "$examples/hospital/hospital.yaml" >"$work/bare.yaml"
refuses 1 'the attacks need a CSV file with one row for each unit' attack averaging --quick --data "$work/bare.yaml"
# Whose rows they are, the exact histogram tells who is there, and Dither hides it as well as its budget says: 0.731, and at most 0.94
# with 142 victims but once in a million times.
expect 0 attack membership --quick --data "$examples/hospital/hospital.yaml" --format json
python3 - "$work/out" <<'P' || complain "membership on the example's rows: $(cat "$work/out")"
import json, sys
row = json.load(open(sys.argv[1]))
assert row["data"] == "patients" and row["trials"] > 100, row
assert row["baseline"] == 1 and 0.5 < row["dither"] < 0.94, row
P
[ ! -e "$examples/hospital/hospital.ledger" ] || complain "an attack on the example's rows opened its ledger"
clean

# Ctrl-C, or SIGTERM, in the middle: the scratch directory goes too.
# (A background job of a script ignores SIGINT, so SIGTERM stands for both.)
"$DITHER" attack averaging >"$work/out" 2>"$work/err" &
victim=$!
for _ in $(seq 600); do
    [ -z "$(ls "$work/tmp")" ] || break
    kill -0 "$victim" 2>/dev/null || break
    sleep 0.1
done
status=0
kill "$victim"
wait "$victim" || status=$?
[ "$status" = 130 ] || complain "stopped with exit status $status"
clean
