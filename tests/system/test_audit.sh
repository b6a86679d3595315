#!/usr/bin/env bash
# Shows `dither audit` from outside: the program passes its own audit of the example's policy, in short, and says so in every form.
#
# The seed of the data and of the auditor's choices is fixed; Dither's noise is not, so the audit may err: at most once in a million
# runs (--error). That it convicts what is broken is shown by tests/attack/test_audit_evidence.c and by the table of docs/audit.md
# (AUDIT=full tools/mutants).
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
mkdir "$work/scratch"
export TMPDIR=$work/scratch

refuses 2 "which policy" audit
refuses 2 "not both" audit "$examples/hospital/hospital.yaml" --server postgres://x
refuses 2 "between 0 and 1" audit "$examples/hospital/hospital.yaml" --error 2
refuses 2 "sensitivity, shape" audit "$examples/hospital/hospital.yaml" --only nothing
refuses 2 "table or json" audit "$examples/hospital/hospital.yaml" --format csv
refuses 1 "no-such.yaml" audit "$work/no-such.yaml"

expect 0 audit "$examples/hospital/hospital.yaml" --short --error 1e-6 --format json --html "$work/audit.html"
python3 - "$work/out" <<'P' || complain "the report is not right"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["passed"] and report["findings"] == [] and report["error"] == 1e-6, report
checks = {check["name"]: check for check in report["checks"]}
assert set(checks) == {"sensitivity", "shape", "guesses", "events", "grid", "keys", "budget", "blocks", "failing"}
for check in checks.values():
    assert check["tests"] > 0 and check["convictions"] == 0 and "skipped" not in check, check
assert checks["sensitivity"]["tests"] > 300, checks
assert {"count", "sum", "median", "people"} <= {bound["kind"] for bound in report["bounds"]}
for bound in report["bounds"]:
    assert 0 <= bound["guesses"] <= bound["claimed_epsilon"], bound
    assert 0 <= bound["events"] <= bound["claimed_epsilon"], bound
# The audit is not blind: of a count with epsilon 1 it proves a good part.
assert max(bound["events"] for bound in report["bounds"] if bound["kind"] == "count") > 0.2
P
for plot in "hidden keys that are shown" "noise of the first question"; do
    grep -q "$plot" "$work/audit.html" || complain "no plot of $plot in the page"
done
grep -q "passed</h1>" "$work/audit.html" || complain "no verdict in the page"
[ -z "$(ls -A "$TMPDIR")" ] || complain "something is left: $(ls -A "$TMPDIR")"

# What stops it leaves nothing behind.
"$DITHER" audit "$examples/hospital/hospital.yaml" >"$work/out" 2>"$work/err" &
process=$!
until [ -n "$(ls -A "$TMPDIR")" ]; do sleep 0.1; done
kill -TERM "$process"
status=0
wait "$process" || status=$?
[ "$status" = 130 ] || complain "stopped: exit status $status"
[ -z "$(ls -A "$TMPDIR")" ] || complain "something is left after a stop: $(ls -A "$TMPDIR")"
