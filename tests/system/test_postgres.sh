#!/usr/bin/env bash
# Shows an owner's move to PostgreSQL, as docs/engines.md tells it: the same policy with one other line, rows in the server, and the
# ledger there too, so that several curators in front of one server share one budget. True values are psql's own.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"
# shellcheck source=tests/support/postgres.sh
source "$SOURCE_DIR/tests/support/postgres.sh"
trap 'postgres_stop; rm -rf "$work"' EXIT
postgres_start
sql() {
    psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"
}

# ---- Moving ----

sql -c "CREATE DATABASE hospital"
export PGDATABASE=hospital
sql -c "CREATE SCHEMA clinic;
    CREATE TABLE clinic.patients (patient_id bigint PRIMARY KEY, age integer, region text, smoker boolean, salary double precision, disease text);
    CREATE TABLE clinic.visits (visit_id bigint PRIMARY KEY, patient_id bigint NOT NULL, clinic_id integer, day date, cost double precision);
    CREATE TABLE clinic.clinics (clinic_id integer PRIMARY KEY, name text, region text, beds integer)"
for table in patients visits clinics; do
    sql -c "\\copy clinic.$table FROM $table.csv WITH (FORMAT csv, HEADER)"
done
sql -c "CREATE ROLE dither LOGIN; GRANT USAGE ON SCHEMA clinic TO dither;
    GRANT SELECT ON clinic.patients, clinic.visits, clinic.clinics TO dither; ALTER ROLE dither SET search_path = clinic;
    CREATE ROLE keeper LOGIN"
sql -c "CREATE DATABASE ledgers OWNER keeper"
server="host=127.0.0.1 port=$PGPORT user=dither dbname=hospital"
keeper="host=127.0.0.1 port=$PGPORT user=keeper dbname=ledgers"

# moved POLICY ENGINE: the policy of files with its rows in the server.
moved() {
    sed -e '/^    source: /d' -e "s|^version: 1|version: 2|" -e "/^version: 2/a engine: {postgres: \"$2\"}\nledger: {postgres: \"$keeper\"}" "$1"
}
moved hospital.yaml "$server" >moved.yaml
moved noiseless.yaml "$server" >exact.yaml
expect 0 check moved.yaml
[ ! -s "$work/err" ] || complain "check complains: $(cat "$work/err")"

# A role that may do more is named, and still works.
moved hospital.yaml "host=127.0.0.1 port=$PGPORT user=postgres dbname=hospital options='-c search_path=clinic'" >strong.yaml
expect 0 check strong.yaml
cat "$work/out" "$work/err" | grep -qi 'superuser' || complain "check does not say that the role may do more: $(cat "$work/out" "$work/err")"

# What is missing is named; nothing is spent.
sed 's/salary:/wages:/' moved.yaml >missing.yaml
expect 1 check missing.yaml
cat "$work/out" "$work/err" | grep -q 'wages' || complain "check does not name the missing column"
refuses 1 'wages' ask missing.yaml "$one_count"

# ---- Asking ----

# same SQL: under a huge epsilon the answer is what the server itself says.
same() {
    local theirs ours
    theirs=$(PGOPTIONS='-c search_path=clinic' sql -F, -c "$1")
    expect 0 ask exact.yaml "$1" --format csv
    # the columns that are no bounds of intervals, without the header
    ours=$(sed 1d "$work/out" | cut -d, -f"${2:-1}")
    [ "$ours" = "$theirs" ] || complain "$1: $ours, not $theirs"
}
same "SELECT count(*) FROM patients"
same "SELECT count(*) FROM patients WHERE age >= 65 AND smoker"
same "SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > 2) AS often"

expect 0 explain moved.yaml "SELECT region, avg(salary) FROM patients GROUP BY region"
prints 'clinic'
[ "$(spent moved.yaml)" = 0 ] || complain "explain has spent $(spent moved.yaml)"

# ---- One budget for several curators ----

# Each asks from a folder of its own, as from a machine of its own: no more than what the budget holds is answered.
sed -e 's/^dataset: .*/dataset: shared/' -e 's/^  epsilon: 10$/  epsilon: 1/' -e 's/^  per_question: 0.1/  per_question: 0.3/' \
    -e '/^  block:/d' moved.yaml >shared.yaml
asked=()
for i in 1 2 3 4 5 6; do
    mkdir "machine$i"
    cp shared.yaml "machine$i"
    (
        cd "machine$i" || exit 1
        status=0
        "$DITHER" ask shared.yaml "SELECT count(*) FROM patients WHERE age > $i" --format json >out 2>err </dev/null || status=$?
        echo "$status" >status
    ) &
    asked+=($!)
done
for process in "${asked[@]}"; do
    wait "$process" || true
done
won=$(cat machine*/status | grep -c '^0$' || true)
[ "$won" = 3 ] || complain "$won of six were answered from a budget for three: $(cat machine*/err)"
for i in 1 2 3 4 5 6; do
    [ "$(cat "machine$i/status")" = 0 ] || grep -q "^dither: the dataset's total is reached" "machine$i/err" || complain "machine $i: $(cat "machine$i/err")"
done
[ "$(spent shared.yaml)" = 0.9 ] || complain "spent $(spent shared.yaml), not 0.9"
expect 0 budget shared.yaml --verify

# ---- What goes wrong ----

# Ctrl-C ends the work on the server and keeps the charge.
sql -c "CREATE VIEW clinic.slow AS SELECT i AS id, i % 100 AS x FROM generate_series(1, 600) AS i, LATERAL pg_sleep(0.1 + 0 * i);
    GRANT SELECT ON clinic.slow TO dither"
cat >slow.yaml <<END
dataset: slow
engine: {postgres: "$server"}
ledger: {postgres: "$keeper"}
tables:
  slow: {unit: id, view: per_unit, max_rows: 1, max_groups: 1, columns: {id: {type: integer}, x: {type: integer, range: [0, 100]}}}
budget: {epsilon: 10, per_question: 1}
END
sleeping="SELECT count(*) FROM pg_stat_activity WHERE usename = 'dither' AND wait_event = 'PgSleep'"
env --default-signal=INT "$DITHER" ask slow.yaml "SELECT sum(x) FROM slow" >"$work/out" 2>"$work/err" </dev/null &
waiting=$!
for _ in $(seq 400); do
    [ "$(sql -c "$sleeping")" = 0 ] || break
    kill -0 "$waiting" || complain "ask ended: $(cat "$work/err")"
    sleep 0.05
done
kill -INT "$waiting"
status=0
wait "$waiting" || status=$?
[ "$status" = 130 ] || complain "Ctrl-C: exit status $status, not 130: $(cat "$work/err")"
[ "$(sql -c "$sleeping")" = 0 ] || complain "the server works on"
[ "$(spent slow.yaml)" = 1 ] || complain "what was asked is not charged: $(spent slow.yaml)"
sql -c "CREATE OR REPLACE VIEW clinic.slow AS SELECT i AS id, i % 100 AS x FROM generate_series(1, 600) AS i"
expect 0 ask slow.yaml "SELECT count(*) FROM slow" # nobody is stopped by his own Ctrl-C

# A server that is gone: one line.
postgres_stop
refuses 1 'Connection refused' ask slow.yaml "SELECT sum(x) FROM slow"
