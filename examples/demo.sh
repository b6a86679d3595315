#!/usr/bin/env bash
# `make demo`: the mechanisms at work on the small data beside this file.
#
#   examples/demo.sh [PROGRAM]      by default $DITHER, or build/dither
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-${DITHER:-build/dither}}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

say() {
    printf '\n%s%s%s\n' "$bold" "$1" "$plain"
    shift
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi
}

# show ARGUMENT...: the command as a person would type it, then what it prints.
show() {
    printf '\n  $ dither'
    local argument
    for argument; do
        case $argument in
        *[!a-zA-Z0-9_./,:=^-]*) printf " '%s'" "$argument" ;;
        *) printf ' %s' "$argument" ;;
        esac
    done
    printf '\n'
    "$program" "$@" | sed 's/^/  /'
}

"$program" --version

say "1. A count" \
    "55 students use Notepad. The answer is a little off, and would be almost as likely without any one of them."
show mechanism geometric --epsilon 1 55

say "2. A mean that one rich person cannot move" \
    "Ten salaries have the mean 3300; with one of 100000 among them it would be 12090.90, and give her away."
show mechanism truncated-mean --range 1000:100000 --output 2000:4000 --min-size 5 --epsilon 1 examples/salaries.csv

say "3. A histogram" \
    "Everybody is in one bucket, so all counts together cost one epsilon. The truth is 5, 7, 4."
show mechanism histogram --edges 1000,2000,3000,4000 --epsilon 1 examples/incomes.csv

say "4. Keys that nobody knew beforehand" \
    "Which editors do 942 students use? Rare ones point at people: they stay hidden."
show mechanism threshold-histogram --epsilon 1 --delta 1e-6 --column editor examples/editors.csv

say "5. All pairs of three yes-or-no questions" \
    "Every 2-way marginal of a table of bits, at once."
show mechanism marginals --categories 2,2,2 --ways 2 --epsilon 3 examples/bits.csv

say "6. The best of several choices" \
    "Three classifiers got 412, 455 and 451 of 500 right. The second or the third is chosen, hardly ever the first."
show mechanism permute-and-flip --epsilon 1 412 455 451

say "7. Is it true?" \
    "Not measured but computed: every pair of neighbouring small data sets, both distributions, the largest ratio."
show verify geometric --epsilon 0.5
show verify partition-selection

say "8. What does it cost together?" \
    "A thousand noisy answers, counted five ways; the last is nearly exact."
show account "gaussian sigma=20 x1000" "laplace scale=10 x50" --delta 1e-6

say "9. And what does an epsilon mean?"
show account meaning 1 --prior 0.5

say "That is all." \
    "\`build/dither --help\` lists the commands; docs/guide.md goes on from here."
