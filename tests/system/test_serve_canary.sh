#!/usr/bin/env bash
# Shows that nothing of private rows is in any reply, log or temporary file: the data hold canaries (ids, names, amounts, dates that
# stand nowhere else), every kind of question, failure and refusal is tried over HTTP and over the PostgreSQL protocol, and then
# everything that was written is searched for them. The same search finds them in the data: it is able to fail.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served_http.sh
source "$SOURCE_DIR/tests/support/served_http.sh"
command -v curl >/dev/null || complain "curl is missing"
command -v psql >/dev/null || complain "psql is missing"
mkdir "$work/data" "$work/run" "$work/temporary"
export XDG_STATE_HOME=$work/run/state TMPDIR=$work/temporary PGCONNECT_TIMEOUT=20 PGPASSWORD=pencil PGUSER=alice PGDATABASE=birds
unset PGSERVICE PGOPTIONS
cd "$work/run"

# Two canaries among three hundred ordinary people: ids, a name, a town, amounts (one beyond its range), a day.
canaries=(918273645 827364591 Quetzalcoatlus Zzyzxville 77123.4567 66012.3456 987654321.125 2031-07-19)
awk 'BEGIN {
    print "id,name,town,amount,day"
    for (i = 1; i <= 300; i++)
        printf "%d,name%d,%s,%d,2024-01-%02d\n", i, i % 5, i % 2 ? "Ulm" : "Bonn", i % 1000, i % 28 + 1
    print "918273645,Quetzalcoatlus,Zzyzxville,77123.4567,2031-07-19"
    print "827364591,Quetzalcoatlus,Zzyzxville,987654321.125,2031-07-19"
}' >"$work/data/people.csv"
awk 'BEGIN {
    print "id,cost"
    for (i = 1; i <= 900; i++) printf "%d,%d\n", i % 300 + 1, i % 50
    print "918273645,66012.3456"
}' >"$work/data/visits.csv"
cat >birds.yaml <<END
dataset: birds
tables:
  people:
    source: $work/data/people.csv
    unit: id
    rows_per_unit: 1
    columns:
      id: {type: integer, null: false}
      name: {type: text}
      town: {type: text}
      amount: {type: real, range: [0, 100000]}
      day: {type: date, range: [2019-01-01, 2025-01-01]}
  visits:
    source: $work/data/visits.csv
    join: {id: people.id}
    max_rows: 5
    max_groups: 1
    columns:
      id: {type: integer}
      cost: {type: real, range: [0, 100]}
budget: {epsilon: 10000, delta: 1e-3, per_question: 1, delta_per_question: 1e-6, max_per_question: 500}
analysts:
  alice: {epsilon: 9000}
  poor: {epsilon: 0.5}
END
echo pencil >secret.txt
expect 0 user add birds.yaml alice --password-file secret.txt
token=$("$DITHER" token create birds.yaml alice 2>/dev/null)
poor=$("$DITHER" token create birds.yaml poor 2>/dev/null)
owner=$("$DITHER" token create birds.yaml olga --owner 2>/dev/null)

cat >questions.txt <<'END'
SELECT count(*) FROM people
SELECT name, count(*) FROM people GROUP BY name
SELECT town, avg(amount), count(*) FROM people GROUP BY town ORDER BY 2 DESC
SELECT name, town, sum(amount) FROM people GROUP BY name, town HAVING count(*) > 3
SELECT min(amount), max(amount), percentile_cont(0.99) WITHIN GROUP (ORDER BY amount) FROM people
SELECT stddev(amount), variance(amount) FROM people
SELECT count(DISTINCT town) FROM people
SELECT day, count(*) FROM people GROUP BY day
SELECT sum(cost) FROM visits
SELECT p.town, sum(v.cost) FROM visits v JOIN people p ON p.id = v.id GROUP BY p.town
SELECT count(*) FROM people WHERE amount > 50000
SELECT count(*) FROM people WHERE 1 / (amount - 77123) > 0
SELECT count(*) FROM people WHERE CAST(name AS integer) > 3
SELECT count(*) FROM people WHERE name LIKE 'Que%' AND length(town) > 3
SELECT sum(CAST(town AS double precision)) FROM people
SELECT * FROM people
SELECT id, name FROM people WHERE amount > 50000
SELECT name FROM people ORDER BY amount DESC LIMIT 1
SELECT id, count(*) FROM people GROUP BY id
SELECT max(name) FROM people
SELECT string_agg(name, ',') FROM people
SELECT array_agg(id) FROM people
SELECT count(*) FROM people WHERE lpad(name, 2000000000) = 'x'
SELECT (SELECT name FROM people LIMIT 1)
SELECT nam FROM people
SELECT count(* FROM people
SELECT 1 / 0
SELECT count(*) / 0 FROM people
SELECT count(*) FROM people UNION ALL SELECT id FROM people
SELECT * FROM information_schema.columns
SELECT count(*) FROM people WHERE day = '2019-02-30'
DELETE FROM people
COPY people TO STDOUT
EXPLAIN ANALYZE SELECT count(*) FROM people
END

start birds.yaml
mkdir replies
number=0
while IFS= read -r question; do
    number=$((number + 1))
    body=$(printf '{"question": "%s"}' "$question")
    for try in "ask $token" "explain $token" "ask $poor"; do
        curl -sS -i --max-time 60 "http://127.0.0.1:$http/v1/${try% *}" -H "Authorization: Bearer ${try#* }" -H 'Content-Type: application/json' \
            -d "$body" >>"replies/http.$number" 2>&1 || complain "curl failed on: $question"
    done
    printf '%s;\nEXPLAIN %s;\n' "$question" "$question" >>questions.sql
done <questions.txt
curl -sS "http://127.0.0.1:$http/v1/ask" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"question": 5}' >replies/other
for path in v1/schema v1/budget v1/history metrics v1/openapi.json healthz nowhere; do
    curl -sS "http://127.0.0.1:$http/$path" -H "Authorization: Bearer $owner" >>replies/other
    curl -sS "http://127.0.0.1:$http/$path" -H "Authorization: Bearer $token" >>replies/other
done
cat >>questions.sql <<'END'
SET dither.intervals = on;
SELECT name, count(*) FROM people GROUP BY name;
PREPARE p AS SELECT count(*) FROM people WHERE amount > $1;
SELECT nothing FROM nowhere;
\d people
\dt+
\l
SHOW ALL;
END
psql -X -v VERBOSITY=verbose -f questions.sql >replies/psql 2>&1 || true
PGPASSWORD=wrong psql -X -c 'SELECT 1' >>replies/psql 2>&1 || true
cp -r "$work/temporary" "$work/run/temporary.then" # as it is while the server runs
kill -TERM "$server"
wait "$server" || complain "the server failed: $(cat "$work/complaints")"
server=
cp "$work/said" "$work/complaints" .

# It was not all refused, and not all answered.
grep -qF '"rows": [[' replies/http.1 || complain "not answered: $(cat replies/http.1)"
grep -qF 'Ulm' replies/http.3 || complain "the ordinary towns are not shown: $(cat replies/http.3)"
grep -qF 'private rows' replies/http.16 || complain "not refused: $(cat replies/http.16)"
grep -qF 'budget_reached' replies/http.1 || complain "the poor one was not refused: $(cat replies/http.1)"
grep -qF 'Ulm' replies/psql || complain "psql saw no towns: $(head -50 replies/psql)"
[ "$(wc -l <birds.questions)" -gt 100 ] || complain "the log has few lines: $(wc -l <birds.questions)"

# found FOLDER CANARY: where it stands.
found() { grep -rlaF -- "$2" "$1" 2>/dev/null || true; }
for canary in "${canaries[@]}"; do
    [ -n "$(found "$work/data" "$canary")" ] || complain "the search is blind: $canary"
    [ -z "$(found "$work/run" "$canary")" ] || complain "$canary stands in $(found "$work/run" "$canary")"
    [ -z "$(found "$work/temporary" "$canary")" ] || complain "$canary stands in $(found "$work/temporary" "$canary")"
done
