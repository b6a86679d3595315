#!/usr/bin/env bash
# Shows surveys as people meet them: the walk-through of docs/local.md runs word by word and ends in a picture; an app in C
# (examples/local_client.c) sends reports that are counted, until its lifetime cap; the collector answers over HTTP, is killed and
# loses nothing; one person keeps memos; mistakes are named.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

mkdir "$work/bin" "$work/tree"
ln -s "$DITHER" "$work/bin/dither"
cp -r "$SOURCE_DIR/examples" "$work/tree"

# The walk-through: every block of its section, in one shell.
awk '/^## / { section = /from a file to a picture/ } /^```sh$/ { inside = section; next } /^```/ { inside = 0 } inside' \
    "$SOURCE_DIR/docs/local.md" >"$work/commands"
for command in survey client collect estimate; do
    grep -q "^dither local $command " "$work/commands" || complain "docs/local.md does not show dither local $command"
done
(cd "$work/tree" && PATH=$work/bin:$PATH bash -euo pipefail -m "$work/commands" >"$work/out" 2>"$work/err" </dev/null) ||
    complain "the walk-through fails: $(cat "$work/out" "$work/err")"
prints 'who answers everything loses an epsilon of 4 each time, and up to 48 in a year'
prints 'counted     4000'
prints '{"counted": 0, "replayed": 1, "refused": {}}'
prints 'transport, How do you get to work?: 2000 people, epsilon 2'
grep -q '</svg>' "$work/tree/survey/commuting.svg" || complain "no picture"
grep -q 'bicycle' "$work/tree/survey/commuting.svg" || complain "a picture without names"
grep -q 'Estimated density of the numbers' "$work/tree/survey/minutes.svg" || complain "no density of the minutes"
prints 'everybody is asked 2 of the 3 questions, drawn by chance'
for name in rake rose tulip 'quantile 0.5'; do
    grep -qF ">$name</text>" "$work/tree/survey/garden.svg" || complain "the garden's picture has no $name"
done
# The answers have 772 cars and a mean of 31.3 minutes: six standard errors around them.
awk -F , '$2 == "car" { good = $3 > 772 - 6 * 47 && $3 < 772 + 6 * 47 } END { exit !good }' "$work/out" ||
    complain "not the share of cars"
awk '$1 == "mean" && !seen++ { good = $2 > 31.3 - 6 * 1.3 && $2 < 31.3 + 6 * 1.3 } END { exit !good }' "$work/out" ||
    complain "not the mean"
[ "$(stat -c %a "$work/tree/survey/commuting.reports")" = 600 ] || complain "others can read the reports"

# The app. A cap of 10 allows five reports of epsilon 2.
cd "$work/tree/survey"
flags=(-std=c17 -Wall -Wextra -Werror "-I$SOURCE_DIR/include")
[ -z "${DITHER_SANITIZE-}" ] || flags+=("-fsanitize=$DITHER_SANITIZE")
"${CC:?}" "${flags[@]}" -o "$work/app" "$SOURCE_DIR/examples/local_client.c" "-L${BUILD_DIR:?}" -ldither "-Wl,-rpath,$BUILD_DIR"
expect 0 local survey commuting.yaml --code
while IFS= read -r line; do
    grep -qF -- "$line" "$SOURCE_DIR/examples/local_client.c" || complain "examples/local_client.c has not '$line'"
done < <(sed -n '/commuting_transport/,/^}/p' "$work/out")
for value in 0 1 2 3 4; do
    "$work/app" "$work/account" "$value" >>app.txt || complain "the app fails"
done
if "$work/app" "$work/account" 0 >"$work/out" 2>"$work/err"; then complain "the lifetime cap was passed"; fi
grep -q 'would pass the lifetime cap of 10' "$work/err" || complain "the app does not say why: $(cat "$work/err")"
[ ! -s "$work/out" ] || complain "a report that was not paid for"
expect 0 local collect commuting.yaml app.txt --format json
prints '"counted": 5,'

# The app that asks again and again: seven reports about three values are three memos of epsilon 2, and a fourth value there is none.
cp "$SOURCE_DIR/examples/mood/mood.yaml" daily.yaml
"$CC" "${flags[@]}" -o "$work/again" "$SOURCE_DIR/examples/local_again.c" "-L$BUILD_DIR" -ldither "-Wl,-rpath,$BUILD_DIR"
expect 0 local survey daily.yaml --code
while IFS= read -r line; do
    grep -qF -- "$line" "$SOURCE_DIR/examples/local_again.c" || complain "examples/local_again.c has not '$line'"
done < <(sed -n '/mood_today/,/^}/p' "$work/out")
for value in 2 2 0 2 1 0 2; do
    "$work/again" "$work/state" "$value" >>again.txt || complain "the app that asks again fails"
done
python3 -c 'import struct, sys; cap, spent = struct.unpack("dd", open(sys.argv[1], "rb").read(16)); assert (cap, spent) == (10, 6), spent' \
    "$work/state" || complain "seven reports of three values are not three memos"
if "$work/again" "$work/state" 3 2>"$work/err"; then complain "a value that there is not"; fi
printf 'x' | dd of="$work/state" bs=1 seek=60 conv=notrunc status=none
if "$work/again" "$work/state" 2 >"$work/out" 2>"$work/err"; then complain "a damaged memory was believed"; fi
grep -q 'the memory is damaged: cleared, it is paid for anew' "$work/err" || complain "damaged memory: $(cat "$work/err")"
[ ! -s "$work/out" ] || complain "a report from a damaged memory"
expect 0 local collect daily.yaml again.txt --format json
prints '"counted": 7,'

# Killed while it collects over HTTP: what was acknowledged is there, and sent again it is not counted again.
expect 0 local client commuting.yaml --question transport <(printf 'bus\nwalk\n\ntrain\n')
cp "$work/out" three.txt
[ "$(wc -l <three.txt)" = 3 ] || complain "an empty answer is no report"
for round in counted replayed; do
    : >listening.txt # the last one's port is not this one's
    "$DITHER" local collect commuting.yaml --listen 127.0.0.1:0 >listening.txt &
    collector=$!
    until grep -q http listening.txt; do sleep 0.05; done
    python3 - "$(grep -o 'http://.*' listening.txt)" three.txt "$round" <<'P' || complain "HTTP: not $round"
import json, sys, urllib.request, urllib.error
def post(body, kind="application/json"):
    request = urllib.request.Request(sys.argv[1] + "/v1/reports", body, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)
lines = open(sys.argv[2]).read().split()
status, reply = post(json.dumps({"reports": lines + [lines[0][:-2]]}).encode())
assert status == 200 and reply[sys.argv[3]] == 3 and reply["refused"] == {"length": 1}, (status, reply)
assert post(json.dumps({"reports": ["zz"]}).encode())[0] == 422
for bad in b'{"reports": [1]}', b'{"reports": ["00"], "more": 1}', b'[]', b'{', b'':
    assert post(bad)[0] == 400, bad
assert post(b'{}', "text/plain")[0] == 415
assert urllib.request.urlopen(sys.argv[1] + "/v1/survey").read() == open("commuting.yaml", "rb").read()
assert json.load(urllib.request.urlopen(sys.argv[1] + "/healthz")) == {"ok": True}
P
    kill -9 "$collector"
    wait "$collector" 2>/dev/null || true
done
expect 0 local estimate commuting.yaml --question transport --format json
prints '"people": 2008,'

# A slow pipe: what came is counted while it is still open. A line longer than any report is one refusal.
expect 0 local client commuting.yaml --question transport <(printf 'bus\ncar\n')
cp "$work/out" two.txt
mkfifo pipe
"$DITHER" local collect commuting.yaml - --format json <pipe >piped.json &
collector=$!
exec 3>pipe
head -n 1 two.txt >&3
people() { "$DITHER" local estimate commuting.yaml --question transport --format json | grep -o '"people": [0-9]*'; }
for _ in {1..100}; do
    [ "$(people)" != '"people": 2009' ] || break
    sleep 0.1
done
[ "$(people)" = '"people": 2009' ] || complain "a report in an open pipe is not counted: $(people)"
{ head -c 9000000 /dev/zero | tr '\0' 'a' && echo && tail -n 1 two.txt | tr -d '\n'; } >&3
exec 3>&-
wait "$collector" || complain "the pipe's collector fails"
grep -q '"counted": 2, "replayed": 0, "malformed": 1,' piped.json || complain "the pipe: $(cat piped.json)"

# One person who is asked every day: memos are kept, and paid for once; numbers are paid for each time.
cat >mood.yaml <<'Y'
survey: mood
period: daily
questions:
  today: {values: [bad, good], mechanism: lsue, epsilon: 1, permanent: 2}
  hours: {range: [0, 24], mechanism: duchi, epsilon: 1}
Y
refuses 1 'needs the memory of one person' local client mood.yaml <(echo good,8)
expect 0 local survey mood.yaml --format json
prints '"mechanism": "lsue"'
expect 0 local person me.state --cap 6
: >mood.txt
for day in 1 2 3 4; do # a memo of epsilon 2, then a number of epsilon 1 each day: the fifth day is beyond 6
    expect 0 local client mood.yaml --person me.state --period "2026-11-0$day" <(echo good,8)
    cat "$work/out" >>mood.txt
done
[ "$(wc -l <mood.txt)" = 8 ] || complain "not two reports a day"
expect 1 local client mood.yaml --person me.state --period 2026-11-05 <(echo good,8)
grep -q 'cap' "$work/err" || complain "beyond the cap: $(cat "$work/err")"

# Sets, texts and drawn questions: 900 people, each asked two of the three; from a file, a pipe, over HTTP, and again.
cat >orchard.yaml <<'Y'
survey: orchard
ask: 2
questions:
  tools: {values: [saw, drill, rake], items: 2, mechanism: oue, epsilon: 4}
  plant: {question: A plant?, mechanism: prefix, length: 3, group_bits: 12, epsilon: 10}
  size: {range: [0, 100], mechanism: wave, epsilon: 4}
Y
expect 0 local survey orchard.yaml --people 900
prints 'everybody is asked 2 of the 3 questions, drawn by chance'
prints 'who answers everything asked loses an epsilon of at most 14'
awk 'BEGIN { for (i = 0; i < 900; i++) print (i % 2 ? "saw;rake" : ";") "," (i % 3 ? "oak" : "fig") "," i % 100 }' >orchard.csv
expect 0 local client orchard.yaml orchard.csv
cp "$work/out" orchard.txt
[ "$(wc -l <orchard.txt)" = 1800 ] || complain "not two reports of each"
expect 0 local collect orchard.yaml <(head -n 600 orchard.txt)
expect 0 local collect orchard.yaml - <(tail -n +601 orchard.txt | head -n 600) </dev/null
: >listening.txt
"$DITHER" local collect orchard.yaml --listen 127.0.0.1:0 >listening.txt &
collector=$!
until grep -q http listening.txt; do sleep 0.05; done
{ printf '{"reports": ["' && tail -n +1100 orchard.txt | paste -sd @ | sed 's/@/", "/g' | tr -d '\n' && printf '"]}'; } >body.json
curl -s -H 'Content-Type: application/json' --data @body.json "$(grep -o 'http://.*' listening.txt)/v1/reports" >reply.json
kill -9 "$collector"
wait "$collector" 2>/dev/null || true
grep -qF '{"counted": 600, "replayed": 101, "refused": {}}' reply.json || complain "HTTP: $(cat reply.json)"
expect 0 local estimate orchard.yaml --quantiles 0.5 --plot orchard.svg --format json
python3 - "$work/out" <<'P' || complain "orchard: $(cat "$work/out")"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["people"] == 900, answer
parts = {part["name"]: part for part in answer["questions"]}
assert sum(part["people"] for part in parts.values()) == 1800
def near(name, value, truth):
    row = [row for row in parts[name]["estimates"] if row["value"] == value][0]
    assert abs(row["estimate"] - truth) < 6 * row["standard_error"], (row, truth)
near("tools", "saw", 450), near("tools", "drill", 0), near("tools", "rake", 450)
near("plant", "oak", 600), near("plant", "fig", 300)
assert [row["value"] for row in parts["plant"]["estimates"]] == ["oak", "fig"]
near("size", "mean", 49.5), near("size", "quantile 0.5", 49.5)
P
grep -q '>oak</text>' orchard.svg || complain "a picture without its texts"
refuses 1 'draws which questions a person is asked' local client orchard.yaml --question size <(echo 5)
refuses 1 'line 1: the answer to tools names something that is none of its values' local client \
    <(sed '/^ask/d' orchard.yaml) <(echo 'spade,oak,5')
refuses 1 '--keep is for texts' local estimate orchard.yaml --question size --keep 5

# Mistakes are named.
sed 's/epsilon: 1,/epsilon: 100,/' mood.yaml >bad.yaml
refuses 1 'bad.yaml:4: epsilon of question today must lie between' local survey bad.yaml
refuses 1 "line 2: the answer to transport is none of its values" local client commuting.yaml --question transport <(printf 'transport\nboat\n')
refuses 1 'has no question "transprt"; did you mean transport?' local estimate commuting.yaml --question transprt
refuses 1 '--period of this survey must be a day' local estimate commuting.yaml --period yesterday
refuses 2 'which survey, and which files' local collect commuting.yaml
refuses 2 'a survey, and no files' local collect commuting.yaml app.txt --listen 127.0.0.1:0
refuses 1 'an address and a port' local collect commuting.yaml --listen nowhere
refuses 1 'nowhere.txt: No such file' local collect commuting.yaml nowhere.txt
refuses 1 'cannot be opened' local estimate mood.yaml
sed 's/epsilon: 2/epsilon: 3/' commuting.yaml >other.yaml
echo 'database: commuting.reports' >>other.yaml
refuses 1 'was declared otherwise' local collect other.yaml app.txt
printf 'no database' >broken.reports
echo 'database: broken.reports' | cat commuting.yaml - >broken.yaml
refuses 1 'is not a database of reports, or is damaged' local collect broken.yaml app.txt
