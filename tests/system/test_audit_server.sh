#!/usr/bin/env bash
# Shows `dither audit --server`: real data are refused before anything is asked; data that are marked synthetic are audited over
# PostgreSQL's protocol, and what is left of the budget afterwards is what the auditor says.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/served.sh
source "$SOURCE_DIR/tests/support/served.sh"

refuses 1 "" audit --server "postgres://alice@127.0.0.1:1/clients"

clients_folder
sed -i 's/1e9/60/; s/1e6/0.1/; s/1e7/2/' clients.yaml # with noise that can be seen
start clients.yaml
expect 1 audit --server "postgres://alice@127.0.0.1:$PGPORT/clients"
grep -qF 'synthetic: true' "$work/err" || complain "not refused for what it is: $(cat "$work/err")"

finish
before=$("$DITHER" budget clients.yaml)

echo 'synthetic: true' >>clients.yaml
start clients.yaml
expect 0 audit --server "postgres://alice@127.0.0.1:$PGPORT/clients" --error 1e-6 --format json
finish
python3 - "$work/out" <<'P' || complain "the report is not right: $(cat "$work/out")"
import json, sys
report = json.load(open(sys.argv[1]))
checks = {check["name"]: check for check in report["checks"]}
assert report["passed"], report
for name in ("shape", "grid", "budget"):
    assert checks[name]["tests"] > 0 and "skipped" not in checks[name], checks[name]
assert "cannot be exchanged" in checks["sensitivity"]["skipped"], checks
P
[ "$("$DITHER" budget clients.yaml)" != "$before" ] || complain "an audit of a server spent nothing"
