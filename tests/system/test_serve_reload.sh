#!/usr/bin/env bash
# Shows SIGHUP: another policy takes effect while sessions go on, what was spent stays spent, a policy that is wrong changes nothing and
# is complained about, the log of questions and the certificate are read anew, and questions that come meanwhile are answered or told to
# ask again.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"
# shellcheck source=tests/support/served_http.sh
source "$SOURCE_DIR/tests/support/served_http.sh"
command -v psql >/dev/null || complain "psql is missing"
export PGCONNECT_TIMEOUT=20 PGPASSWORD=pencil PGUSER=alice PGDATABASE=hospital PGSSLMODE=require
unset PGSERVICE PGOPTIONS

# certificate NAME: NAME.pem and NAME.key become the server's.
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1" \
        -addext subjectAltName=IP:127.0.0.1 2>/dev/null
    chmod 600 "$1.key"
    cp "$1.pem" cert.pem
    cp "$1.key" key.pem
    chmod 600 key.pem
}

# hang_up TEXT: SIGHUP, and the server says TEXT.
hang_up() {
    local before
    before=$(grep -cF -- "$1" "$work/complaints" || true)
    kill -HUP "$server"
    for _ in $(seq 600); do
        [ "$(grep -cF -- "$1" "$work/complaints" || true)" -gt "$before" ] && return
        kill -0 "$server" 2>/dev/null || complain "the server ended: $(cat "$work/complaints")"
        sleep 0.1
    done
    complain "it did not say '$1': $(cat "$work/complaints")"
}

echo pencil >secret.txt
expect 0 user add hospital.yaml alice --password-file secret.txt
TOKEN=$("$DITHER" token create hospital.yaml alice 2>/dev/null)
cp hospital.yaml first.yaml
sed -i 's/^  alice: .*/&\n  carol: {epsilon: 1}/' hospital.yaml
carol=$("$DITHER" token create hospital.yaml carol 2>/dev/null) # a token outlives what the policy says of its holder
cp first.yaml hospital.yaml
certificate old
start hospital.yaml --tls-cert cert.pem --tls-key key.pem --workers 2
scheme=https
trust=(--cacert old.pem)
mkfifo "$work/pipe"
psql -XAt <"$work/pipe" >"$work/session" 2>&1 &
session=$!
exec 5>"$work/pipe"
echo 'SELECT 1000 + 1;' >&5
ask "$TOKEN" 200 '"epsilon": 0.5' '{"question": "SELECT count(*) FROM patients", "epsilon": 0.5}' "${trust[@]}"
ask "$carol" 403 not_in_policy '{"question": "SELECT count(*) FROM patients"}' "${trust[@]}"

# Somebody new, another description, another certificate, another log.
sed -e 's/^  alice: .*/  alice: {epsilon: 4}\n  carol: {epsilon: 1}/' -e 's/^dataset: .*/&\ndescription: as it is now/' first.yaml >hospital.yaml
certificate new
mv hospital.questions old.questions
hang_up 'the policy is reloaded'
ask "$TOKEN" 000 '' '{"question": "SELECT count(*) FROM patients"}' "${trust[@]}"
trust=(--cacert new.pem)
ask "$TOKEN" 200 '"remaining": {"epsilon": 3.4' '{"question": "SELECT count(*) FROM visits", "epsilon": 0.1}' "${trust[@]}"
ask "$carol" 200 '"rows"' '{"question": "SELECT count(*) FROM patients WHERE age > 70", "epsilon": 0.1}' "${trust[@]}"
call 200 'as it is now' "https://127.0.0.1:$http/v1/schema" -H "Authorization: Bearer $TOKEN" "${trust[@]}"
grep -qF '"who": "carol"' hospital.questions || complain "the new log lacks carol: $(cat hospital.questions)"
! grep -qF 'age > 70' old.questions || complain "the old log went on: $(cat old.questions)"
echo 'SELECT count(*) > -1000 FROM patients WHERE age > 71; SELECT 2000 + 2;' >&5
for _ in $(seq 200); do grep -q 2002 "$work/session" && break; sleep 0.1; done
grep -q '^t$' "$work/session" || complain "the session did not go on: $(cat "$work/session")"
psql -XAt -d 'sslmode=verify-ca sslrootcert=new.pem channel_binding=require' -c 'SELECT 3000 + 3' >"$work/out" 2>&1 || true
prints 3003

# What was answered before is shown again, each time with what is left then: also after another process has asked.
shown_with() {
    psql -XAt -c "$again" -c "$again" -c "$again" >"$work/out" 2>&1 || complain "$(cat "$work/out")"
    [ "$(grep -cF "it was paid for before; left epsilon $1," "$work/out")" = 3 ] || complain "not 'left epsilon $1': $(cat "$work/out")"
}
again='SELECT count(*) > -1000 FROM patients WHERE age > 71'
shown_with 3.3
"$DITHER" ask hospital.yaml 'SELECT count(*) FROM patients WHERE age > 74' --analyst alice --epsilon 0.1 >"$work/out" 2>&1 || complain "$(cat "$work/out")"
shown_with 3.2

# A cap below what was spent: nothing more, and nothing given back.
sed -e 's/^  alice: .*/  alice: {epsilon: 0.2}/' first.yaml >hospital.yaml
hang_up 'the policy is reloaded'
ask "$TOKEN" 403 budget_reached '{"question": "SELECT count(*) FROM patients WHERE age > 72", "epsilon": 0.1}' "${trust[@]}"
shown_with 0
call 200 '"spent": {"epsilon": 0.8' "https://127.0.0.1:$http/v1/budget" -H "Authorization: Bearer $TOKEN" "${trust[@]}"

# What is wrong changes nothing.
echo 'nonsense: [' >>hospital.yaml
hang_up 'the policy is not reloaded, and the old one stays: hospital.yaml:'
sed -e 's/^dataset: .*/dataset: elsewhere/' first.yaml >hospital.yaml
echo 'ledger: {sqlite: elsewhere.ledger}' >>hospital.yaml
hang_up 'the dataset has another name'
cp first.yaml hospital.yaml
echo rubbish >cert.pem
hang_up 'the certificate is not reloaded, and the old one stays'
for _ in $(seq 200); do [ "$(grep -c 'the policy is reloaded' "$work/complaints")" = 3 ] && break; sleep 0.1; done
ask "$TOKEN" 200 '"rows"' '{"question": "SELECT count(*) FROM patients WHERE age > 73", "epsilon": 0.1}' "${trust[@]}"
cp new.pem cert.pem

# Several at once, with questions meanwhile: each is answered, or told to ask again, and the end is a good one.
(for i in $(seq 12); do
    curl -sS --max-time 60 "${trust[@]}" "https://127.0.0.1:$http/v1/ask" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
        -d "{\"question\": \"SELECT count(*) FROM patients WHERE age > $i\", \"epsilon\": 0.001}"
done >"$work/meanwhile" 2>&1) &
asking=$!
sed -e 's/^  alice: .*/  alice: {epsilon: 5}/' first.yaml >hospital.yaml
kill -HUP "$server"
kill -HUP "$server"
wait "$asking"
[ "$(grep -c '"rows": \|"policy_changed"' "$work/meanwhile")" = 12 ] || complain "not each was answered: $(cat "$work/meanwhile")"
exec 5>&-
wait "$session" || true
status=0
kill -TERM "$server"
wait "$server" || status=$?
server=
[ "$status" = 0 ] || complain "the server ended with $status: $(cat "$work/complaints")"
"$DITHER" budget hospital.yaml --verify >"$work/out" || complain "the ledger is broken"
