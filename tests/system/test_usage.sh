#!/usr/bin/env bash
# Shows that every command explains itself, that its examples run as printed, and that wrong usage is one clear line
# and exit status 2.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

expect 0 --help
for command in account ask attack audit budget check explain init mechanism noise serve token user verify; do
    prints "  $command "
    "$DITHER" "$command" --help >"$work/help" || complain "$command --help failed"
    for part in "usage: dither $command" "options:" "example:"; do
        grep -qF "$part" "$work/help" || complain "$command --help has no '$part'"
    done
done
expect 0 mechanism -h
prints "outside any ledger"
expect 0 noise --help
prints "outside any ledger"
expect 0 --version
grep -qE '^dither [0-9]+\.[0-9]+\.[0-9]+$' "$work/out" || complain "--version says: $(cat "$work/out")"

expect 2
grep -q '^usage: dither COMMAND' "$work/err" || complain "without a command the overview goes to stderr"
[ ! -s "$work/out" ] || complain "without a command nothing goes to stdout"

# The list and the help agree; every mechanism's own help has an example that runs.
expect 0 mechanism --list
cp "$work/out" "$work/names"
expect 0 verify --list
cmp -s "$work/out" "$work/names" || complain "mechanism --list and verify --list differ"
[ "$(wc -l <"$work/names")" -ge 20 ] || complain "mechanism --list names too few"
expect 0 mechanism --help
cp "$work/out" "$work/help"
while read -r name; do
    grep -qE "^  $name +[^ ]" "$work/help" || complain "mechanism --help has no line for $name"
    expect 0 mechanism "$name" --help
    prints "usage: dither mechanism $name"
    prints "outside any ledger"
    example=$(sed -n '/^example:/,$p' "$work/out" | sed -n 's/^  dither //p')
    [ -n "$example" ] || complain "$name --help has no example"
    read -ra words <<<"$example"
    expect 0 "${words[@]}"
    prints "cost "
done <"$work/names"

# The example of each command.
for command in noise verify mechanism; do
    expect 0 "$command" --help
    read -ra words <<<"$(sed -n '/^example:/,$p' "$work/out" | sed -n 's/^  dither //p')"
    (cd "$SOURCE_DIR" && "$DITHER" "${words[@]}" >/dev/null) || complain "the example of $command --help fails"
done

refuses 2 'there is no command "mechansim"; did you mean "mechanism"?' mechansim
refuses 2 'there is no command "frobnicate"' frobnicate
refuses 2 'there is no option --frobnicate' mechanism --frobnicate
refuses 2 'did you mean --epsilon?' mechanism geometric --epsilom 1 5
refuses 2 'did you mean "geometric"?' mechanism gometric --epsilon 1 5
refuses 2 'there is no mechanism "zzz"' mechanism zzz --help
refuses 2 'there is no mechanism "zzz"' verify zzz
refuses 2 'which mechanism?' mechanism
refuses 2 'which mechanism?' verify
refuses 2 'which noise?' noise
refuses 2 'did you mean "laplace"?' noise lapalce --scale 1
refuses 2 'needs --scale' noise laplace
refuses 2 '--scale must be above 0' noise laplace --scale 0
refuses 2 '--scale is negative' noise laplace --scale -1
refuses 2 '--scale is not a number' noise laplace --scale nan
refuses 2 '--scale needs a value' noise laplace --scale
refuses 2 'outside what can be drawn' noise geometric --scale 1e17
refuses 2 'too many digits' noise geometric --scale 1.00000000000000000000000000001
refuses 2 '--count is not a whole number' noise geometric --scale 1 --count 1.5
refuses 2 '--grid is for laplace and gaussian' noise geometric --scale 1 --grid 1
refuses 2 '--grid must be a power of two' noise laplace --scale 1 --grid 0.3
refuses 2 'must be table, csv or json' noise laplace --scale 1 --format xml
refuses 2 'one kind of noise at a time' noise laplace geometric --scale 1
refuses 2 'needs an epsilon' mechanism geometric 5
refuses 2 'geometric of what?' mechanism geometric --epsilon 1
refuses 2 '--epsilon must be above 0' mechanism geometric --epsilon 0 5
refuses 2 '--epsilon must be above 0' mechanism geometric --epsilon -1 5
refuses 2 '--epsilon is not a number' mechanism geometric --epsilon NaN 5
refuses 2 '--epsilon is not a number' mechanism geometric --epsilon inf 5
refuses 2 '--sensitivity must be above 0' mechanism geometric --epsilon 1 --sensitivity 0 5
refuses 2 'delta must be at least 0 and below 1' mechanism gaussian --epsilon 1 --delta 1 5
refuses 2 'does not use' mechanism geometric --epsilon 1 --range 0:1 5
refuses 2 'from a smaller to a larger' mechanism mean --epsilon 1 --range 5:1 --min-size 3 2
refuses 2 '--confidence must lie between 0 and 1' mechanism geometric --epsilon 1 --confidence 1 5
refuses 2 '--all takes neither' verify --all geometric
refuses 2 'one mechanism at a time' verify geometric laplace
