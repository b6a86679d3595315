#!/usr/bin/env bash
# Shows `dither local`: the lecture's numbers, matrices, advice, and reports that travel as text from client to estimate.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

# near VALUE TRUTH WIDTH
near() {
    awk -v value="$1" -v truth="$2" -v width="$3" \
        'BEGIN { d = value - truth; exit !(value ~ /[0-9]/ && d <= width && d >= -width) }' ||
        complain "$1 is not within $3 of $2"
}

# csv COLUMN ROW: a cell of the last output.
csv() {
    awk -F , -v column="$1" -v row="$2" 'NR == row + 1 { print $column }' "$work/out"
}

# 45 No and 55 Yes of a coin that forces Yes: 90 and 10; and a No is a proof.
expect 0 local rr --truth 0.5 --yes 1 --observed 55:45
prints "epsilon: infinite"
expect 0 local rr --truth 0.5 --yes 1 --observed 55:45 --format csv
near "$(csv 2 1)" 10 1e-9
near "$(csv 2 2)" 90 1e-9
expect 0 local rr --truth 0.5 --yes 0.75 --observed 425:575 --format csv
near "$(csv 2 1)" 100 1e-9
expect 0 local rr --coin 0.75
prints "epsilon: 1.09861" # ln 3
refuses 2 'give --epsilon, or --coin' local rr
refuses 2 'needs two counts' local rr --epsilon 1 --observed 1:2:3
refuses 1 'singular' local rr --coin 0.5 --observed 5:5

printf '0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n' >"$work/matrix.csv"
expect 0 local pram --matrix "$work/matrix.csv" --observed 42:38:20 --format csv
near "$(csv 2 1)" 50 1e-9
near "$(csv 2 3)" 20 1e-9
expect 0 local pram --epsilon 10 --categories 7
near "$(csv 1 0)" 0.9997277 1e-7
expect 0 local pram --matrix "$work/matrix.csv" 0 1 2 2
[ "$(grep -c '^[012]$' "$work/out")" = 4 ] || complain "not four reports"
refuses 1 'not a category below 3' local pram --matrix "$work/matrix.csv" 3
printf '0.7,0.2\n0.1,0.9\n' >"$work/bad.csv"
refuses 2 'row 1 adds to 0.9' local pram --matrix "$work/bad.csv"
expect 0 local pram --epsilon 1 --region "$work/region.svg"
grep -q '</svg>' "$work/region.svg" || complain "no picture of the region"
# (0,1), (a,a), (1,0), (b,b) with a = e/(1+e), b = 1-a; area tanh(1/2) = 0.462117
prints '0.462117'
expect 0 local pram --epsilon 1 --region "$work/region.svg" --format json
python3 - "$work/out" <<'P' || complain "not the corners: $(cat "$work/out")"
import json, math, sys
region = json.load(open(sys.argv[1]))
a = math.e / (1 + math.e)
for point, wanted in zip(sorted(region["points"]), sorted([[0, 1], [a, a], [1, 0], [1 - a, 1 - a]])):
    assert all(abs(p - w) < 1e-12 for p, w in zip(point, wanted)), (point, wanted)
assert abs(region["area"] - math.tanh(0.5)) < 1e-12
P

# The best oracle of the table at these settings: grr for few values, ss or pgr for many.
expect 0 local advise --domain 5 --epsilon 2 --people 1000 --format csv --plot "$work/advise.svg"
grep -q '</svg>' "$work/advise.svg" || complain "no picture of the advice"
near "$(awk -F , '$1 == "grr" { print $2 }' "$work/out")" 0.0159533 1e-6 # sqrt((e^2 + 3) / (e^2 - 1)^2 / 1000)
awk -F , 'NR > 1 { if ($2 < last * 0.9999999) exit 1; last = $2 }' "$work/out" || complain "the best is not first"
refuses 2 'give --domain' local advise --domain 1 --epsilon 1 --people 10

# From client to estimate: at epsilon 12 three quarters of 400 people are seen to have value 3, whatever the mechanism.
awk 'BEGIN { for (i = 0; i < 400; i++) print i % 4 ? 3 : 1 }' >"$work/values"
for mechanism in grr sue oue olh ss hadamard pgr cms hcms rappor; do
    survey=(--mechanism "$mechanism" --domain 6 --epsilon 12)
    "$DITHER" local client "${survey[@]}" - <"$work/values" >"$work/reports" || complain "$mechanism: no reports"
    { head -n 1 "$work/reports" | tr '0-9a-f' 'x' && echo && echo 0; } >"$work/hostile"
    expect 0 local estimate "${survey[@]}" --format json "$work/reports" "$work/hostile"
    python3 - "$work/out" "$mechanism" <<'P' || complain "$mechanism: not the estimate of the values"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["people"] == 400, answer["people"]
assert answer["refused"] == 3, answer["refused"]
for value, truth in ((1, 100), (3, 300), (4, 0)):
    row = answer["estimates"][value]
    assert row["lower"] <= row["count"] <= row["upper"]
    assert abs(row["count"] - truth) < 6 * row["standard_error"] + 1, row
P
done
expect 0 local estimate --mechanism oue --domain 6 --epsilon 12 --project --format csv /dev/null
refuses 2 'did you mean hadamard' local client --mechanism hadamart --domain 6 --epsilon 1 0
refuses 1 'value 2 is not a whole number below 6' local client --mechanism grr --domain 6 --epsilon 1 0 6
refuses 2 'grr has no option width' local client --mechanism grr --domain 6 --epsilon 1 --width 8 0
refuses 2 'epsilon must lie between' local client --mechanism grr --domain 6 --epsilon 21 0
refuses 1 'cannot read' local estimate --mechanism grr --domain 6 --epsilon 1 "$work/nothing"

expect 0 local shuffle --epsilon 2 --people 10000 --delta 1e-6 --format json
near "$(grep -oE '"epsilon": *[0-9.]+' "$work/out" | grep -oE '[0-9.]+$')" 0.15505 2e-4
expect 0 local shuffle --epsilon 2 --people 10000
prints "2 against who sees the senders"
refuses 2 'delta must lie' local shuffle --epsilon 2 --people 10000 --delta 0
