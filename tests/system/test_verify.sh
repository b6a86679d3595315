#!/usr/bin/env bash
# Shows `dither verify` from outside: every registered mechanism keeps its promise, and the output says so in every format.
# That broken mechanisms are convicted is shown by tests/cli/test_verify.c and the mechanism room's tests.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

expect 0 verify --all --format json
"$DITHER" mechanism --list >"$work/names"
python3 - "$work/out" "$work/names" <<'P' || complain "verify --all is not right"
import json, sys
verdicts = json.load(open(sys.argv[1]))
names = open(sys.argv[2]).read().split()
assert {v["mechanism"] for v in verdicts} == set(names), "not every mechanism was checked"
for v in verdicts:
    low, high = v["found"]
    assert v["kept"] and not v["broken"] and v["pairs"] > 0, v
    assert low <= high <= v["promised"] * (1 + 1e-9), v
    assert v["neighbours"] in ("add/remove", "replace") and v["loss"] in ("epsilon", "delta", "rho"), v
P

expect 0 verify geometric --epsilon 0.25 -v
prints "kept"
prints " against "
prints "0.25"
expect 0 verify geometric --epsilon 0.25 --format csv
[ "$(head -n 1 "$work/out")" = "mechanism,neighbours,pairs,loss,found,promised,verdict" ] || complain "$(cat "$work/out")"
