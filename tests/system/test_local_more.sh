#!/usr/bin/env bash
# Shows numbers, sets, strings, several and repeated questions through `dither local`: every command of their sections in docs/local.md
# runs as written, what it prints without chance is what the page says; estimates return the truth; mistakes are told in one line;
# a person's cap holds, whatever is asked.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
mkdir "$work/bin" "$work/page"
ln -s "$DITHER" "$work/bin/dither"
cd "$work/page"

# ---- The page ----

# A command and what stands under it; compared where no coin is tossed.
check_command() {
    local command=$1 expected=$2
    PATH=$work/bin:$PATH bash -euo pipefail -c "$command" >"$work/out" 2>"$work/err" </dev/null ||
        complain "docs/local.md: '$command' fails: $(cat "$work/err")"
    case $command in
    *' advise '* | *' loss '* | 'dither local person '*)
        [ "$(cat "$work/out")" = "$expected" ] || complain "docs/local.md: '$command' prints: $(cat "$work/out")"
        ;;
    esac
}
sed -n '/^## Numbers/,/^## What an anonymous channel/p' "$SOURCE_DIR/docs/local.md" >"$work/sections"
command='' expected='' commands=0
while IFS= read -r line; do
    if [[ $line == '$ '* || ($line == '```' && -n $command) ]]; then
        [ -z "$command" ] || check_command "$command" "$expected"
        command='' expected=''
    fi
    if [[ $line == '$ '* ]]; then
        command=${line#'$ '}
        commands=$((commands + 1))
    elif [ -n "$command" ]; then
        expected+=${expected:+$'\n'}$line
    fi
done <"$work/sections"
[ "$commands" -ge 15 ] || complain "docs/local.md shows too few commands"
for picture in ages.svg loss.svg; do
    grep -q '</svg>' "$picture" || complain "no picture $picture"
done

# ---- Estimates return the truth ----

# holds COLUMN=NAME VALUE WIDTH: the row of the JSON answer with that name has its number near the value.
holds() {
    python3 - "$work/out" "$1" "$2" "$3" <<'P' || complain "$1 is not near $2: $(cat "$work/out")"
import json, sys
answer = json.load(open(sys.argv[1]))
column, name = sys.argv[2].split("=", 1)
rows = [row for row in answer["estimates"] if str(row[column]) == name]
assert len(rows) == 1, rows
number = rows[0]["value"] if column == "figure" else rows[0]["count"]
assert abs(number - float(sys.argv[3])) <= float(sys.argv[4]), number
assert rows[0]["lower"] <= number <= rows[0]["upper"]
P
}
# At epsilon 12: a quarter of 400 people have 20, the others 60; mean 50, variance 300. Standard errors are below 2.
awk 'BEGIN { for (i = 0; i < 400; i++) print i % 4 ? 60 : 20 }' >"$work/numbers"
for mechanism in duchi piecewise hybrid wave; do
    survey=(--mechanism "$mechanism" --range -10:100 --epsilon 12)
    "$DITHER" local client "${survey[@]}" - <"$work/numbers" >"$work/reports" || complain "$mechanism: no reports"
    echo ffffffff >>"$work/reports"
    expect 0 local estimate "${survey[@]}" --format json "$work/reports"
    holds figure=mean 50 16 # six times what a bit can tell: 55 / sqrt(400)
    grep -q '"refused": 1[,}]' "$work/out" || complain "$mechanism: a hostile report was counted"
    [ "$mechanism" = duchi ] && continue
    holds figure=mean 50 3
    holds figure=variance 300 60
    holds 'figure=quantile 0.5' 60 6
done
survey=(--mechanism prefix --length 4 --epsilon 8)
awk 'BEGIN { for (i = 0; i < 900; i++) print i % 3 ? "yes" : "n\303\266" }' >"$work/words"
"$DITHER" local client "${survey[@]}" - <"$work/words" >"$work/reports"
expect 0 local estimate "${survey[@]}" --format json "$work/reports"
holds text=yes 600 250 # 225 people in the last group: five standard errors
holds "text=$(printf 'n\303\266')" 300 200
for mechanism in lgrr lsue losue rappor biloloha ololoha; do
    survey=(--mechanism "$mechanism" --domain 6 --epsilon 8 --permanent 9)
    awk 'BEGIN { for (i = 0; i < 400; i++) print i % 4 ? 3 : 1 }' |
        "$DITHER" local client "${survey[@]}" - >"$work/reports"
    expect 0 local estimate "${survey[@]}" --format json "$work/reports"
    holds value=3 300 150 # biloloha: two buckets, 20 a standard error and more where few hashes tell
done

# The lecture's epsilon / T, and what T reports cost that are not split.
expect 0 local loss --epsilon 1 --reports 4 --format csv
[ "$(tail -n 1 "$work/out")" = 4,4,0.25 ] || complain "4 reports: not 4 and 1/4: $(cat "$work/out")"

# ---- A person ----

person=$work/person
expect 0 local person "$person" --cap 5
today=(--mechanism losue --domain 9 --epsilon 1 --permanent 2 --person "$person")
for _ in 1 2 3; do expect 0 local client "${today[@]}" 4; done
expect 0 local client "${today[@]}" 5
refuses 1 'this would cost 2, and 4 of the lifetime cap of 5 are spent' local client "${today[@]}" 6
expect 0 local client --mechanism hybrid --range 0:1 --epsilon 0.5 --person "$person" 0.3
refuses 1 'is not a number' local client --mechanism hybrid --range 0:1 --epsilon 0.5 --person "$person" x
expect 0 local person "$person" --format json
grep -q '"spent": 4.5' "$work/out" || complain "a mistake was paid for, or a report was not: $(cat "$work/out")"
refuses 1 'can only be lowered' local person "$person" --cap 6
expect 0 local person "$person" --cap 4
refuses 1 'lifetime cap of 4' local client --mechanism grr --domain 2 --epsilon 0.1 --person "$person" 1
printf 'survey: coin\nquestions: {side: {values: [heads, tails], mechanism: grr, epsilon: 3}}\n' >"$work/coin.yaml"
echo heads >"$work/side"
rich=$work/rich
expect 0 local person "$rich" --cap 5
expect 0 local client "$work/coin.yaml" --person "$rich" "$work/side"
refuses 1 'this would cost 3, and 3 of the lifetime cap of 5 are spent' local client "$work/coin.yaml" --person "$rich" "$work/side"
sed -i '/^memo/d' "$person" # a memory that was lost
refuses 1 'this would cost 2' local client "${today[@]}" 4
printf 'spend 1 0000\n' >>"$person"
refuses 1 'is damaged' local person "$person"
refuses 1 'cannot open' local client --mechanism grr --domain 2 --epsilon 1 --person "$work/nobody" 1
refuses 2 'which file' local person

# ---- Mistakes ----

refuses 2 'did you mean hybrid' local client --mechanism hybrd --range 0:1 --epsilon 1 0
refuses 2 'needs --range' local client --mechanism wave --epsilon 1 0
refuses 2 'has no option domain' local client --mechanism wave --domain 4 --range 0:1 --epsilon 1 0
refuses 2 'has no option range' local client --mechanism grr --domain 4 --range 0:1 --epsilon 1 0
refuses 2 'smaller to a larger' local client --mechanism wave --range 1:0 --epsilon 1 0
refuses 2 'a grid has 2 to' local client --mechanism wave --range 0:1 --steps 1 --epsilon 1 0
refuses 2 'permanent epsilon lies above' local client --mechanism lgrr --domain 4 --epsilon 1 --permanent 1 0
refuses 2 'strings have 1 to' local client --mechanism prefix --length 99 --epsilon 1 x
refuses 1 'value 1 is not a whole number below 4' local client --mechanism grr --domain 4 --items 2 --epsilon 1 1,4
refuses 1 'fewer than 3 answers' local client --mechanism grr --domain 4 --attributes 3 --epsilon 1 1,2
refuses 2 'one at a time' local client --mechanism lgrr --domain 4 --epsilon 1 --permanent 2 --attributes 3 1,2,3
refuses 1 'two reports at least' local estimate --mechanism duchi --range 0:1 --epsilon 1 /dev/null
refuses 2 'not for single bits' local estimate --mechanism duchi --range 0:1 --epsilon 1 --quantiles 0.5 /dev/null
refuses 2 'between 0 and 1' local estimate --mechanism wave --range 0:1 --epsilon 1 --quantiles 1.5 /dev/null
refuses 2 'give --epsilon and --reports' local loss --epsilon 1
refuses 2 'keeps no memo' local loss --mechanism grr --domain 4 --epsilon 1 --reports 3
refuses 2 'for values, or --range' local advise --epsilon 1 --people 10
expect 0 local estimate --mechanism prefix --epsilon 1 /dev/null
