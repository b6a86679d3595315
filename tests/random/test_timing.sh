#!/usr/bin/env bash
# The time that a two-sided geometric draw takes says nothing about its value: drawing a vector of zeros and drawing a vector
# of large noise take the same number of instructions, counted by callgrind, to the last one.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SOURCE_DIR"

# Without sanitizers, which valgrind does not run with, and optimised as users get it.
"$CC" -std=c17 -D_GNU_SOURCE -O3 -g -Iinclude -Isrc tests/random/timing_probe.c src/random/*.c \
    src/base/status.c src/base/rational.c -lcrypto -lmpfr -lgmp -lm -o "$work/probe"

# instructions DIGIT: what the probe drew, and what geometric_add cost.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$work/out.$1" --toggle-collect=geometric_add \
        "$work/probe" "$1" >"$work/noise.$1" 2>"$work/log.$1" || { cat "$work/log.$1"; exit 1; }
    awk '/^(summary|totals):/ {print $2; exit}' "$work/out.$1"
}

none=$(instructions 0)
some=$(instructions 2)
negative=$(instructions 1)
most=$(instructions 3)
echo "noise $(cat "$work/noise.0"): $none instructions"
echo "noise $(cat "$work/noise.1"): $negative instructions"
echo "noise $(cat "$work/noise.2"): $some instructions"
echo "noise $(cat "$work/noise.3"): $most instructions"
[ "$(cat "$work/noise.0")" = 0 ] || { echo "digit 0 should draw 0"; exit 1; }
[ "$(cat "$work/noise.2")" = 43690 ] || { echo "digit 2 should draw 43690"; exit 1; }
[ "$(cat "$work/noise.3")" = -16384 ] || { echo "digit 3 should draw -16384"; exit 1; }
[ "$none" -gt 1000 ] || { echo "callgrind counted nothing"; exit 1; }
for other in "$some" "$negative" "$most"; do
    [ "$none" = "$other" ] || { echo "the counts differ"; exit 1; }
done
