#!/usr/bin/env bash
# Shows `dither account` at work: the figures of the manual, JSON to the letter, noise for a target, the plot, the meaning of an
# epsilon, and refusals.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

# number PATH: a number of the JSON in $work/out, by its keys joined with dots.
number() {
    python3 -c '
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value[key]
print(repr(value))' "$work/out" "$1"
}

# between LOWER VALUE UPPER
between() {
    awk -v a="$1" -v x="$2" -v b="$3" 'BEGIN { exit !(a <= x && x <= b) }' || complain "$2 is not within $1 and $3"
}

expect 0 account "gaussian sigma=20 x1000" "laplace scale=10 x50" --delta 1e-6
[ "$(awk '/^(basic|advanced|zcdp|rdp|pld) / { print $1 }' "$work/out" | tr '\n' ' ')" = "basic advanced zcdp rdp pld " ] ||
    complain "the currencies are not in their order: $(cat "$work/out")"
awk '/^(basic|advanced|zcdp|rdp|pld) / { if (last != "" && $2 > last) exit 1; last = $2 }' "$work/out" ||
    complain "the best is not last: $(cat "$work/out")"

# Laplace inversion with 25 digits gives 4.7925458314 for this plan.
expect 0 account "laplace scale=10 x50" "gaussian sigma=10 x50" --format json
grep -qE '^\{"delta": 1e-06, "epsilon": \{"basic": [0-9.]+, "advanced": [0-9.]+, "zcdp": [0-9.]+, "rdp": [0-9.]+, "pld": \{"upper": [0-9.]+, "lower": [0-9.]+\}\}\}$' "$work/out" ||
    complain "JSON is not what was promised: $(cat "$work/out")"
between "$(number epsilon.pld.lower)" 4.7925458314 "$(number epsilon.pld.upper)"
between 4.7925 "$(number epsilon.pld.lower)" 4.79255
between 4.7925 "$(number epsilon.pld.upper)" 4.7926
expect 0 account "laplace scale=10 x50" --delta 1e-5 --format json
[ "$(number delta)" = 1e-05 ] || complain "delta is not repeated as it was given"
expect 0 account "laplace scale=10 x50" --format csv
[ "$(head -n 1 "$work/out")" = 'currency,epsilon,valid for' ] || complain "CSV has another header: $(cat "$work/out")"
expect 0 account "gaussian sigma=1" "approximate epsilon=0.1 delta=0.5" --format json
[ "$(number epsilon.pld.upper)" = None ] || complain "an infinite epsilon is not null"
expect 0 account "concentrated rho=0.1"
prints "not its rho alone"
expect 0 account "laplace scale=100 x10" --people 3
prints "3 people at once"

# Balle and Wang 2018: sigma 5.1003087875 for one release at epsilon 1 and delta 1e-8.
expect 0 account gaussian --target-epsilon 1 --delta 1e-8 --format json
python3 -c '
import json, sys
sigma = json.load(open(sys.argv[1]))["releases"][0]["scale"]
sys.exit(not 5.1003087 <= sigma <= 5.10033)' "$work/out" || complain "another sigma: $(cat "$work/out")"
expect 0 account "laplace x20" "pure epsilon=0.1" --target-epsilon 1
prints "20 x laplace, scale"
refuses 1 'no amount of noise' account "laplace x20" "pure epsilon=2" --target-epsilon 1

expect 0 account "laplace scale=10 x5" --plot "$work/plot.svg"
python3 -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' "$work/plot.svg" || complain "the plot is not XML"
[ "$(grep -c 'pld</text>' "$work/plot.svg")" = 2 ] || complain "the plot does not have its two panels"
expect 1 account "laplace scale=10" --plot "$work/missing/plot.svg"
grep -q 'No such file' "$work/err" || complain "a plot that cannot be written is not complained about"

# 1 / (1 + e) = 0.26894..., e / (1 + e) = 0.73105..., 1 / (2 e) = 0.18393...: what is called the most is rounded up.
expect 0 account meaning 1.0 --prior 0.5
prints "26.8% to 73.2%"
prints "18.3% to 81.7%"
prints "= 2.71829."
prints "right at most 73.2%"
expect 0 account meaning 1 --prior 0.5 --people 3 --format json
python3 -c 'import json, sys; sys.exit(abs(json.load(open(sys.argv[1]))["posterior"][0] - 0.26894142137) > 1e-9)' "$work/out" ||
    complain "another posterior: $(cat "$work/out")"
[ "$(number group_epsilon)" = 3.0 ] || [ "$(number group_epsilon)" = 3 ] || complain "three people do not cost three epsilons"
expect 0 account meaning --help
prints "example:"

refuses 2 'is no kind of release' account "gausian sigma=1"
refuses 2 'which releases' account
refuses 2 'must be a positive number' account gaussian
refuses 2 'strictly between 0 and 1' account "laplace scale=1" --delta 0
refuses 2 'strictly between 0 and 1' account "laplace scale=1" --delta 1
refuses 2 'below 1e-250' account "laplace scale=1" --delta 1e-251
refuses 2 'goes with neither' account "laplace scale=1" --target-epsilon 1 --people 2
refuses 2 'which epsilon' account meaning
refuses 2 'between 0 and 500' account meaning 501
refuses 2 'strictly between' account meaning 1 --prior 1
