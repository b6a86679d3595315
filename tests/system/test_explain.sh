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

# The way from the rows to the unit, join by join, for every private table that is read; and in JSON.
printf 'customer_id\n1\n2\n' >customers.csv
printf 'order_id,customer_id\n10,1\n11,2\n' >orders.csv
printf 'order_id,line\n10,1\n10,2\n' >items.csv
cat >shop.yaml <<'POLICY'
dataset: shop
tables:
  customers: {source: customers.csv, unit: customer_id, rows_per_unit: 1, columns: {customer_id: {type: integer}}}
  orders: {source: orders.csv, join: {customer_id: customers.customer_id}, max_rows: 5, max_groups: 2,
           columns: {order_id: {type: integer}, customer_id: {type: integer}}}
  items: {source: items.csv, join: {order_id: orders.order_id}, max_rows: 9, max_groups: 2,
          columns: {order_id: {type: integer}, line: {type: integer}}}
budget: {epsilon: 1, per_question: 0.1}
POLICY
expect 0 check shop.yaml --data
expect 0 explain shop.yaml "SELECT count(*) FROM items"
prints '  unit: customers.customer_id'
prints '  path: items.order_id -> orders.order_id, orders.customer_id -> customers.customer_id'
expect 0 explain shop.yaml "SELECT count(*) FROM orders o JOIN customers c ON o.customer_id = c.customer_id" --format json
prints '"paths": ["orders.customer_id -> customers.customer_id", "customers.customer_id"]'

refuses 2 'explain needs a policy and a question' explain
refuses 2 'what is the question?' explain hospital.yaml
refuses 2 '--format must be table or json' explain hospital.yaml "$question" --format csv
refuses 1 'No such file or directory' explain nowhere.yaml "$question"
