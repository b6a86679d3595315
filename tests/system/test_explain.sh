#!/usr/bin/env bash
# Shows that `dither explain` says what a question would cost and how it would be answered, and that it neither spends nor reads:
# it says the same whatever the rows are.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"
question="SELECT region, count(*) AS n, avg(salary) AS pay FROM patients GROUP BY region"

expect 0 explain hospital.yaml "$question" --epsilon 0.5
prints patient_id # whose rows
prints 0.5        # the cost
prints SELECT     # the engine's SQL
prints geometric
cp "$work/out" "$work/first"
expect 0 explain hospital.yaml "$question" --epsilon 0.5 --format json
grep -q '^{.*}$' "$work/out" || complain "this is no JSON object: $(cat "$work/out")"

# Nothing is spent, and a data set with nobody in it is explained in the same words.
expect 0 budget hospital.yaml
grep -qE '^dataset +hospital +\.{20} +0 ' "$work/out" || complain "explain has spent something: $(cat "$work/out")"
head -n 1 patients.csv >one && mv one patients.csv
expect 0 explain hospital.yaml "$question" --epsilon 0.5
cmp -s "$work/out" "$work/first" || complain "explain depends on the rows: $(diff "$work/out" "$work/first")"

# From standard input and from a file, too; refusals point.
echo "$question" >question.sql
expect 0 explain hospital.yaml --file question.sql --epsilon 0.5
"$DITHER" explain hospital.yaml - --epsilon 0.5 <question.sql >"$work/first" || complain "standard input is not read"
cmp -s "$work/out" "$work/first" || complain "file and standard input differ"
points 1 11 1 'salry' explain hospital.yaml "SELECT avg(salry) FROM patients"
expect 1 explain hospital.yaml "SELECT age FROM patients"

refuses 2 'explain needs a policy and a question' explain
refuses 2 'what is the question?' explain hospital.yaml
refuses 2 '--format must be table or json' explain hospital.yaml "$question" --format csv
refuses 1 'No such file or directory' explain nowhere.yaml "$question"
