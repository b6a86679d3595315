#!/usr/bin/env bash
# Shows `dither serve` with the real psql, over loopback: signing in, answers that are the true ones under a huge epsilon, costs
# in the ledger, errors that point, the catalogue behind backslash commands and the tab key, settings, prepared statements,
# transactions, cancelling, TLS with channel binding, refusals, and an end that finishes what is under way. True values are
# counted by awk.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"
command -v psql >/dev/null || complain "psql is missing"

# asks TEXT ARGUMENT...: psql's output holds TEXT. It is in $work/out.
asks() {
    local text=$1
    shift
    psql -X -v ON_ERROR_STOP=1 "$@" >"$work/out" 2>&1 || true
    grep -qF -- "$text" "$work/out" || complain "psql $*: not '$text' but: $(cat "$work/out")"
}

# The analysts' caps are as large as the budget.
sed -i 's/^  \(alice\|bob\): .*/  \1: {epsilon: 1e12}/' noiseless.yaml

# Nobody is let in yet.
refuses 1 'dither user add' serve noiseless.yaml --port 0
echo pencil >secret.txt
for name in alice bob; do
    expect 0 user add noiseless.yaml "$name" --password-file secret.txt
done
expect 0 user add noiseless.yaml olga --owner --password-file secret.txt
refuses 1 'that needs TLS' serve noiseless.yaml --host 0.0.0.0 --port 0
refuses 1 'is not an address' serve noiseless.yaml --host nowhere --port 0
refuses 2 'go together' serve noiseless.yaml --tls-cert x
refuses 2 'needs a policy' serve
refuses 2 'at most 65535' serve noiseless.yaml --port 70000

start noiseless.yaml
export PGUSER=alice PGDATABASE=noiseless
[ "$(psql -XAt -c 'SELECT count(*) FROM patients' 2>"$work/err")" = 2000 ] || complain "not 2000 patients: $(cat "$work/err")"
grep -q 'NOTICE:  cost epsilon' "$work/err" || complain "no notice of the cost: $(cat "$work/err")"
grep -q 'lies between' "$work/err" || complain "no interval: $(cat "$work/err")"
psql -XAtF , -c 'SELECT region, count(*) FROM patients GROUP BY region ORDER BY region' 2>/dev/null >"$work/out"
awk -F , 'NR > 1 { n[$3]++ } END { for (r in n) print r "," n[r] }' patients.csv | sort | cmp -s - "$work/out" ||
    complain "wrong counts: $(cat "$work/out")"
asks 'ERROR:  42703: column "agee" does not exist' -v VERBOSITY=verbose -c 'SELECT avg(agee) FROM patients'
asks 'HINT:  did you mean "age"?' -c 'SELECT avg(agee) FROM patients'
grep -q '^ *\^' "$work/out" || complain "no caret: $(cat "$work/out")"
asks 'private rows' -c 'SELECT * FROM patients'
asks 'COPY is not available' -c 'COPY patients TO STDOUT'
asks 'DROP is not available' -c 'DROP TABLE patients'
asks 'cost: ' -c 'EXPLAIN SELECT count(*) FROM patients'
asks 'epsilon' -c 'SHOW dither.remaining'
asks 'n_low' -c 'SET dither.intervals = on' -c 'SELECT count(*) AS n FROM patients'
asks 'current transaction is aborted' -c 'BEGIN' -c 'SELECT nothing' -v ON_ERROR_STOP=0 -c 'SELECT 1'
asks 'COMMIT' -c 'BEGIN; SELECT count(*) FROM visits; COMMIT'
asks '(12 rows)' -v FETCH_COUNT=5 -c 'SELECT clinic_id, name FROM clinics ORDER BY 1' # by a cursor

# The catalogue: what psql shows of it, and what a tab completes. None of it costs anything.
before=$(spent noiseless.yaml)
printf '\\%s\n' d dt dt+ dn dn+ du l l+ df dT dv di ds dp dx db dA dc dy dD >commands.sql
psql -X -f commands.sql >"$work/out" 2>&1 || complain "psql: $(cat "$work/out")"
! grep -q ERROR "$work/out" || complain "a command of psql is not answered: $(grep -n ERROR "$work/out")"
asks 'public | patients | table' -c '\dt'
asks '"patients_pkey" PRIMARY KEY' -c '\d patients'
grep -q '^ salary *| double precision *|  *|  *|' "$work/out" || complain "no salary: $(cat "$work/out")"
grep -q '^ age *| bigint *|  *| not null' "$work/out" || complain "no age: $(cat "$work/out")"
asks 'FOREIGN KEY (patient_id) REFERENCES patients(patient_id)' -c '\d+ visits'
asks 'Did not find any relation named "nothing"' -c '\d nothing'
asks 'PostgreSQL 15' -c 'SELECT version()'
asks 'alice' -c 'SELECT current_user'
asks 'relation "patients" is not one that the catalogue knows' -c 'SELECT count(*) FROM patients, pg_class'
grep -q '^ *\^' "$work/out" || complain "no caret: $(cat "$work/out")"
[ "$(spent noiseless.yaml)" = "$before" ] || complain "the catalogue was charged for"
old_count=$(awk -F , 'NR > 1 && $2 > 30 { n++ } END { print n }' patients.csv)
(
    sleep 1
    printf 'SELECT count(*) FROM pat\t WHERE ag\t > 30;\n\\q\n'
) | PAGER=cat TERM=vt100 script -qec 'psql -X' /dev/null >"$work/out" 2>&1 || complain "tab: $(cat "$work/out")"
grep -q "^ *$old_count\b" "$work/out" || complain "the tab key completes nothing: $(cat "$work/out")"

# A parameter, by the extended protocol: pgbench prepares, binds and reads the answer, and asks for a column that is not there if
# it is not the true one.
true_count=$(awk -F , 'NR > 1 && $2 > 40 { n++ } END { print n }' patients.csv)
pgbench=$(command -v pgbench || echo /usr/lib/postgresql/*/bin/pgbench)
cat >script.sql <<END
\set age 40
SELECT count(*) AS n FROM patients WHERE age > :age \gset
\if :n <> $true_count
SELECT not_the_true_one FROM patients;
\endif
END
for mode in extended prepared; do
    "$pgbench" -n -f script.sql -t 3 -M "$mode" >"$work/out" 2>&1 || complain "pgbench: $(cat "$work/out")"
    grep -q 'processed: 3/3' "$work/out" || complain "pgbench: $(cat "$work/out")"
    ! grep -q 'not_the_true_one' "$work/out" || complain "not $true_count: $(cat "$work/out")"
done

# Who may come in; what he pays with. A change of the file is seen at once.
PGPASSWORD=wrong asks 'password authentication failed for user "alice"' -c 'SELECT 1'
PGUSER=zoe asks 'password authentication failed for user "zoe"' -c 'SELECT 1'
PGDATABASE=shop asks 'The database is called "noiseless".' -c 'SELECT 1'
expect 0 user remove noiseless.yaml bob
PGUSER=bob asks 'password authentication failed' -c 'SELECT 1'
asks 'SSL' -d 'sslmode=require' -c 'SELECT 1'

# Rubbish does not hurt it.
head -c 100000 /dev/urandom >"/dev/tcp/127.0.0.1/$PGPORT" 2>/dev/null || true
printf 'Q\x40\x00\x00\x00' >"/dev/tcp/127.0.0.1/$PGPORT" 2>/dev/null || true
[ "$(psql -XAt -c 'SELECT 1 + 1' 2>/dev/null)" = 2 ] || complain "it does not answer any more"

# Many at once.
pids=()
for i in $(seq 6); do
    (for j in $(seq 3); do psql -XAtc "SELECT count(*) FROM patients WHERE age > $((i * 5 + j))" 2>/dev/null; done >"$work/many.$i") &
    pids+=($!)
done
wait "${pids[@]}"
[ "$(cat "$work"/many.* | wc -l)" = 18 ] || complain "not all were answered"

# SIGTERM: a client that idles is told, and the server ends well.
mkfifo "$work/pipe"
psql -X <"$work/pipe" >"$work/idle" 2>&1 &
idle=$!
exec 5>"$work/pipe"
echo 'SELECT 3 + 4;' >&5
for _ in $(seq 100); do grep -q 7 "$work/idle" && break; sleep 0.1; done
kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
[ "$status" = 0 ] || complain "the server ended with $status: $(cat "$work/complaints")"
echo 'SELECT 5;' >&5
exec 5>&-
wait "$idle" || true
grep -q 'the server is going away' "$work/idle" || complain "the idle client was not told: $(cat "$work/idle")"
[ ! -s "$work/complaints" ] || complain "the server complained: $(cat "$work/complaints")"

# TLS, and SCRAM bound to the certificate.
certificate
chmod 644 key.pem
refuses 1 'chmod 600' serve noiseless.yaml --tls-cert cert.pem --tls-key key.pem --port 0
chmod 600 key.pem
start noiseless.yaml --tls-cert cert.pem --tls-key key.pem
asks 2000 -d 'sslmode=verify-ca sslrootcert=cert.pem channel_binding=require' -c 'SELECT count(*) FROM patients'
asks 'connect with TLS' -d 'sslmode=disable' -c 'SELECT 1'
PGPASSWORD=wrong asks 'password authentication failed' -d 'sslmode=require channel_binding=require' -c 'SELECT 1'

# Cancelling: with one worker, and a ledger that somebody else holds, the second question waits for the first, and is not asked.
stop
sed -e 's/^dataset: .*/dataset: slow/' noiseless.yaml >slow.yaml
cp noiseless.users slow.users
start slow.yaml --workers 1
export PGDATABASE=slow
python3 - slow.ledger "$work/locked" 4 <<'END' &
import sqlite3, sys, time
ledger = sqlite3.connect(sys.argv[1], isolation_level=None)
ledger.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").close()
time.sleep(float(sys.argv[3]))
ledger.execute("ROLLBACK")
END
for _ in $(seq 200); do [ -e "$work/locked" ] && break; sleep 0.1; done
psql -XAtc 'SELECT count(*) FROM patients' >"$work/first" 2>&1 &
first=$!
sleep 1
psql -XAtc 'SELECT count(*) FROM visits' >"$work/second" 2>&1 &
second=$!
sleep 1
kill -INT "$second"
wait "$second" || true
wait "$first" || true
grep -q 'interrupted; nothing was charged' "$work/second" || complain "not cancelled: $(cat "$work/second")"
grep -q 2000 "$work/first" || complain "the wrong one was cancelled: $(cat "$work/first")"
"$DITHER" budget slow.yaml --format json >"$work/out"
grep -qF 'FROM patients"' "$work/out" || complain "the first is not in the ledger: $(cat "$work/out")"
! grep -qF 'FROM visits"' "$work/out" || complain "the second was charged: $(cat "$work/out")"
