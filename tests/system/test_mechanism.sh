#!/usr/bin/env bash
# Shows `dither mechanism` and `dither noise` on real files: the answers are near the truth (a huge epsilon makes the noise
# small), the formats are well-formed, hidden keys leave no trace, big counts stream.
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

expect 0 mechanism truncated-mean --range 1000:100000 --output 2000:4000 --min-size 5 --epsilon 1 "$examples/salaries.csv"
prints "noise scale  2000"
prints "cost         epsilon 1"
expect 0 mechanism mean --range 1000:100000 --min-size 5 --epsilon 1e6 --format csv "$examples/salaries.csv"
near "$(csv 1 1)" 3300 1
tail -n +2 "$examples/salaries.csv" >"$work/plain.csv"
expect 0 mechanism mean --range 1000:100000 --min-size 5 --epsilon 1e6 --format csv "$work/plain.csv"
near "$(csv 1 1)" 3300 1
"$DITHER" mechanism mean --range 1000:100000 --min-size 5 --epsilon 1e6 --format csv - <"$work/plain.csv" >"$work/out"
near "$(csv 1 1)" 3300 1
expect 0 mechanism sum --range 0:10 --epsilon 1e6 --format csv 1 2 3 -4 99
near "$(csv 1 1)" 16 0.1 # -4 and 99 are clamped to 0 and 10

expect 0 mechanism histogram --edges 1000,2000,3000,4000 --epsilon 100 --format csv "$examples/incomes.csv"
[ "$(sed -n 2p "$work/out" | cut -d '"' -f 2)" = "[1000, 2000)" ] || complain "the first bucket is not named"
[ "$(sed 's/"[^"]*"/b/' "$work/out" | cut -d , -f 2 | tr '\n' ' ')" = "answer 5 7 4 " ] ||
    complain "the histogram is not 5, 7, 4: $(cat "$work/out")"

expect 0 mechanism marginals --categories 2,2,2 --ways 2 --epsilon 300 --format csv "$examples/bits.csv"
[ "$(tail -n +2 "$work/out" | cut -d , -f 1,2 | tr '\n' ' ')" = \
    "1=0 2=0,4 1=0 2=1,2 1=1 2=0,3 1=1 2=1,1 1=0 3=0,5 1=0 3=1,1 1=1 3=0,1 1=1 3=1,3 2=0 3=0,3 2=0 3=1,4 2=1 3=0,3 2=1 3=1,0 " ] ||
    complain "the marginals are not those of deck 002: $(cat "$work/out")"
refuses 1 '3 columns, but --categories names 2' mechanism marginals --categories 2,2 --ways 2 --epsilon 1 "$examples/bits.csv"

# Keys: frequent ones are shown, sorted; a key of one person never is (delta 1e-9), not even as a gap.
expect 0 mechanism threshold-histogram --epsilon 5 --delta 1e-9 --column editor --format csv "$examples/editors.csv"
[ "$(tail -n +2 "$work/out" | cut -d , -f 1 | tr '\n' ' ')" = "Atom Emacs Notepad Sublime Vim " ] ||
    complain "not the five frequent editors: $(cat "$work/out")"
near "$(awk -F , '$1 == "Vim" { print $2 }' "$work/out")" 312 20
expect 0 mechanism threshold-histogram --epsilon 5 --delta 1e-9 --column editor --format json "$examples/editors.csv"
! grep -qE 'Butterflies|"ed"|null' "$work/out" || complain "a rare key is shown"
expect 0 mechanism partition-selection --epsilon 1 --delta 1e-6 --format csv 1000 2000 0
[ "$(tail -n +2 "$work/out" | cut -d , -f 1,2 | tr '\n' ' ')" = "1,1 2,1 " ] || complain "$(cat "$work/out")"

expect 0 mechanism exponential --epsilon 10 --format csv 1 2 500
[ "$(csv 1 1)" = 2 ] || complain "the best choice was not taken"
expect 0 mechanism above-threshold --epsilon 10 --threshold 1000 --format json 1 2 3
prints '"choice": null'

# A command's JSON is JSON, with the cost and the scale.
expect 0 mechanism gaussian --epsilon 0.5 --delta 1e-6 --format json 10 20
python3 - "$work/out" <<'P' || complain "the JSON of mechanism is not as documented"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["mechanism"] == "gaussian" and len(answer["answers"]) == 2, answer
for number in answer["answers"]:
    low, high = number["interval"]
    assert low < number["value"] < high
    assert abs((high - low) / 2 - answer["half_width"]) < 1e-6
assert 0 < answer["cost"]["epsilon"] <= 0.5 and 0 < answer["cost"]["delta"] <= 1e-6
assert answer["scale"] > 0 and answer["confidence"] == 0.95
P

# Two draws differ, two programs at once do too.
"$DITHER" noise gaussian --scale 1000 --count 20 >"$work/one" &
first=$!
"$DITHER" noise gaussian --scale 1000 --count 20 >"$work/two"
wait "$first"
[ "$(cat "$work/one" "$work/two" | wc -l)" = 40 ] || complain "not 20 numbers each"
! cmp -s "$work/one" "$work/two" || complain "two runs drew the same noise"

# Noise has its scale: the mean of |x| is b for Laplace, and 0.798 sigma for Gaussian; and lies on its grid.
expect 0 noise laplace --scale 3 --count 20000 --grid 2^-4
awk '{ x = $1 * 16; if (x != int(x)) exit 1; s += $1 < 0 ? -$1 : $1 } END { m = s / NR; exit !(m > 2.85 && m < 3.15) }' \
    "$work/out" || complain "laplace noise of scale 3 has another mean size, or is off its grid"
expect 0 noise discrete-gaussian --scale 100 --count 20000
awk '{ if ($1 != int($1)) exit 1; s += $1 < 0 ? -$1 : $1 } END { m = s / NR; exit !(m > 77 && m < 83) }' "$work/out" ||
    complain "discrete Gaussian noise of scale 100 has another mean size"
expect 0 noise geometric --scale 1 --count 0
[ ! -s "$work/out" ] || complain "no numbers were asked for"
expect 0 noise laplace --scale 0.1 --count 5 --format json
python3 -c 'import json, sys; a = json.load(open(sys.argv[1])); assert len(a["values"]) == 5 and a["scale"] == 0.1' \
    "$work/out" || complain "the JSON of noise is not as documented"

# A million numbers stream: the program itself stays small (the sanitizers' own memory is not counted here).
[ "$("$DITHER" noise geometric --scale 10 --count 1e6 | wc -l)" = 1000000 ] || complain "not a million lines"
