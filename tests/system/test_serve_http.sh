#!/usr/bin/env bash
# Shows `dither serve` over HTTP with the real curl: every command of docs/http.md as written, answers that are the true ones
# under a huge epsilon (counted by awk), retries, TLS, a client that hangs up, taken ports and unreadable certificates, and an end
# that finishes what is under way; answers that leave on a clock's tick and keep nobody else waiting.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh"
# shellcheck source=tests/support/served_http.sh
source "$SOURCE_DIR/tests/support/served_http.sh"
command -v curl >/dev/null || complain "curl is missing"
sed -i 's/^  \(alice\|bob\): .*/  \1: {epsilon: 1e12}/' noiseless.yaml
TOKEN=$("$DITHER" token create noiseless.yaml alice 2>/dev/null)
owner=$("$DITHER" token create noiseless.yaml olga --owner 2>/dev/null)
export TOKEN

refuses 2 'contradict' serve noiseless.yaml --no-http --http-port 1
refuses 2 'contradicts' serve noiseless.yaml --no-log --log x
refuses 2 'at most 65535' serve noiseless.yaml --http-port 70000
refuses 1 'cannot be opened' serve noiseless.yaml --port 0 --log /nonexistent/log

# The page's commands, on a port that is free. Whoever started the server as a service is told when it is there.
python3 - "$work/notify" >"$work/notified" <<'END' &
import socket, sys
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind(sys.argv[1])
told.settimeout(120)
print(told.recv(100).decode())
END
for _ in $(seq 200); do [ -e "$work/notify" ] && break; sleep 0.1; done
NOTIFY_SOCKET=$work/notify start noiseless.yaml
for _ in $(seq 100); do [ -s "$work/notified" ] && break; sleep 0.1; done
grep -qx 'READY=1' "$work/notified" || complain "the service manager was not told"
refuses 1 "port $http of 127.0.0.1 cannot be opened" serve noiseless.yaml --port 0 --http-port "$http"
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$SOURCE_DIR/docs/http.md" >"$work/commands"
[ "$(grep -c '^curl ' "$work/commands")" -ge 9 ] || complain "docs/http.md shows too few commands"
while IFS= read -r line; do
    bash -euo pipefail -c "${line//8433/$http}" >"$work/out" 2>"$work/err" </dev/null || complain "docs/http.md: '$line' fails: $(cat "$work/err")"
    grep -q '^{' "$work/out" || complain "docs/http.md: '$line' prints $(cat "$work/out")"
    ! grep -q '^{"error":' "$work/out" || complain "docs/http.md: '$line' is refused: $(cat "$work/out")"
done <"$work/commands"

# True values.
ask "$TOKEN" 200 '"rows": [[2000]]' '{"question": "SELECT count(*) FROM patients"}'
for region in north south east west; do
    n=$(awk -F , -v region="$region" 'NR > 1 && $3 == region { n++ } END { print n + 0 }' patients.csv)
    ask "$TOKEN" 200 "[[$n]]" "{\"question\": \"SELECT count(*) FROM patients WHERE region = \$1\", \"parameters\": [\"$region\"]}"
done
"$DITHER" budget noiseless.yaml --format json >"$work/out"
grep -qF 'FROM patients WHERE age > 60' "$work/out" || complain "not in the ledger: $(cat "$work/out")"
call 200 'dither_budget_spent{holder="analyst",name="alice",component="epsilon"}' "http://127.0.0.1:$http/metrics" -H "Authorization: Bearer $owner"
call 403 owner_only "http://127.0.0.1:$http/metrics" -H "Authorization: Bearer $TOKEN"
call 401 not_signed_in "http://127.0.0.1:$http/v1/schema"
call 404 not_found "http://127.0.0.1:$http/"

# A large body, announced and not.
head -c 1100000 /dev/zero | tr '\0' ' ' >"$work/large"
ask "$TOKEN" 413 too_long "@$work/large"
ask "$TOKEN" 413 too_long "@$work/large" -H 'Transfer-Encoding: chunked'
ask "$TOKEN" 413 too_long "@$work/large" -H 'Expect:'

status=0
kill -TERM "$server"
wait "$server" || status=$?
[ "$status" = 0 ] || complain "the server ended with $status: $(cat "$work/complaints")"
[ ! -s "$work/complaints" ] || complain "the server complained: $(cat "$work/complaints")"
grep -qF '"outcome": "answered"' noiseless.questions || complain "the log has no answer: $(cat noiseless.questions)"
[ "$(stat -c %a noiseless.questions)" = 600 ] || complain "others may read the log"

# TLS.
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2>/dev/null
chmod 600 key.pem
refuses 1 'missing.pem' serve noiseless.yaml --port 0 --tls-cert missing.pem --tls-key key.pem
start noiseless.yaml --tls-cert cert.pem --tls-key key.pem
scheme=https
ask "$TOKEN" 200 '[[2000]]' '{"question": "SELECT count(*) FROM patients"}' --cacert cert.pem
ask "$TOKEN" 200 '[[2000]]' '{"question": "SELECT count(*) FROM patients"}' --cacert cert.pem --tlsv1.3
ask "$TOKEN" 000 '' '{"question": "SELECT count(*) FROM patients"}' --cacert cert.pem --tls-max 1.1
scheme=http
ask "$TOKEN" 000 '' '{"question": "SELECT count(*) FROM patients"}'
curl -sS --cacert cert.pem -D "$work/head" -o /dev/null "https://127.0.0.1:$http/healthz"
grep -qi '^Strict-Transport-Security:' "$work/head" || complain "no HSTS: $(cat "$work/head")"
stop

# Answers on a tick: one worker answers four questions, each after a whole step and none behind another's.
sed -e 's/^dataset: .*/dataset: ticking/' noiseless.yaml >ticking.yaml
echo 'timing: {step: 5s}' >>ticking.yaml
cp noiseless.users ticking.users
start ticking.yaml --workers 1
begun=$(date +%s%N)
pids=()
for age in 30 40 50 60; do
    curl -sS --max-time 60 -o "$work/tick.$age" -w '%{time_total}' "http://127.0.0.1:$http/v1/ask" -H "Authorization: Bearer $TOKEN" \
        -H 'Content-Type: application/json' -d "{\"question\": \"SELECT count(*) FROM patients WHERE age > $age\"}" >"$work/took.$age" &
    pids+=($!)
done
wait "${pids[@]}"
took=$((($(date +%s%N) - begun) / 1000000))
for age in 30 40 50 60; do
    n=$(awk -F , -v age="$age" 'NR > 1 && $2 > age { n++ } END { print n }' patients.csv)
    grep -qF "[[$n]]" "$work/tick.$age" || complain "not $n: $(cat "$work/tick.$age")"
    awk '{ exit !($1 >= 4.99) }' "$work/took.$age" || complain "the answer came before its tick: $(cat "$work/took.$age")"
done
[ "$took" -lt 19500 ] || complain "one waited behind the other: $took ms" # asleep at the worker they would take twenty seconds
call 200 '"cost"' "http://127.0.0.1:$http/v1/explain" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -d '{"question": "SELECT count(*) FROM patients"}' # touches no row, and is not held back
