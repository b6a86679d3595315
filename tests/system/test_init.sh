#!/usr/bin/env bash
# Shows that `dither init` drafts a policy that becomes one when the owner has filled it in: types and keys are guessed, ranges are
# not, unless the owner lets it peek; nothing is overwritten.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
export XDG_STATE_HOME=$work/state
mkdir "$work/data"
cp "$examples"/hospital/*.csv "$work/data"
cd "$work/data"

expect 0 init patients.csv visits.csv clinics.csv --output draft.yaml --dataset county
prints 'draft.yaml is drafted: fill in'
for line in 'dataset: county' '    source: patients.csv' '    unit: patient_id' '    join: {patient_id: patients.patient_id}' \
    '      smoker: {type: boolean}' '      day: {type: date}' '      region: {type: text}'; do
    grep -qF -- "$line" draft.yaml || complain "the draft has no '$line': $(cat draft.yaml)"
done
[ "$(grep -c 'range: *# fill in' draft.yaml)" = 4 ] || complain "age, salary, cost and beds have no range yet: $(cat draft.yaml)"
! grep -q peeked draft.yaml || complain "a draft without --peek has looked"
refuses 1 'draft.yaml:' check draft.yaml
sed -i 's/range: *#.*/range: [0, 100000]/; s/max_rows: *#.*/max_rows: 6/; s/max_groups: *#.*/max_groups: 2/' draft.yaml
expect 0 check draft.yaml --data
expect 0 ask draft.yaml "SELECT count(*) FROM visits"

# Nothing is overwritten, and a draft in another folder finds its files.
cp draft.yaml before.yaml
refuses 1 'is there already' init patients.csv --output draft.yaml
cmp -s draft.yaml before.yaml || complain "init has overwritten a file"
mkdir "$work/elsewhere"
expect 0 init patients.csv --output "$work/elsewhere/p.yaml"
grep -qF "source: $work/data/patients.csv" "$work/elsewhere/p.yaml" || complain "the source is not found from there"
cd "$work"
expect 0 init data/patients.csv
prints 'source: data/patients.csv'
cd "$work/data"

# The draft is the same whatever the values are; only --peek looks.
head -n 3 patients.csv >few.csv && expect 0 init few.csv --dataset x && cp "$work/out" "$work/few"
{ head -n 1 patients.csv && echo 17,99,moon,false,7,flu; } >few.csv
expect 0 init few.csv --dataset x
cmp -s "$work/out" "$work/few" || complain "a draft depends on values: $(diff "$work/out" "$work/few")"

# Peeked ranges are rounded outwards and marked, and nothing is answered under them.
expect 0 init patients.csv --peek --output peeked.yaml
grep -qE 'age: \{type: integer, range: \[0, 100\], peeked: true\}' peeked.yaml || complain "age: $(grep age peeked.yaml)"
! grep -q 'patient_id: .*range' peeked.yaml || complain "an id has a range"
refuses 1 'peeked' ask peeked.yaml "SELECT avg(age) FROM patients"
refuses 1 'peeked' ask peeked.yaml "SELECT avg(age) FROM patients" --analyst alice

# What is no data.
: >empty.csv
expect 1 init empty.csv
grep -q 'empty.csv' "$work/err" || complain "the empty file is not named"
refuses 1 'nowhere.csv' init nowhere.csv
echo text >notes.txt
refuses 1 'notes.txt' init notes.txt
expect 1 init patients.csv --output /nowhere/draft.yaml
refuses 2 'init needs data files' init
refuses 2 'there is no option --peak; did you mean --peek?' init patients.csv --peak
