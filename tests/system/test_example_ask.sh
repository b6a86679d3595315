#!/usr/bin/env bash
# Shows that examples/ask.c, the C API in thirty lines, compiles against dither.h and libdither.so alone and answers a
# question about the hospital with intervals; and that asking again gives the same answer at no cost.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
# shellcheck source=tests/support/hospital.sh
source "$SOURCE_DIR/tests/support/hospital.sh" || exit 1

flags=(-std=c17 -Wall -Wextra -Werror "-I$SOURCE_DIR/include")
[ -z "${DITHER_SANITIZE-}" ] || flags+=("-fsanitize=$DITHER_SANITIZE")
"${CC:?}" "${flags[@]}" -o "$work/ask" "$SOURCE_DIR/examples/ask.c" "-L${BUILD_DIR:?}" -ldither "-Wl,-rpath,$BUILD_DIR"

"$work/ask" hospital.yaml >"$work/first" 2>"$work/err" || complain "examples/ask.c fails: $(cat "$work/err")"
for region in east north south west; do
    grep -qE "^$region -?[0-9]+ \(-?[0-9]+ to -?[0-9]+\) $" "$work/first" || complain "no $region: $(cat "$work/first")"
done
grep -qx 'cost: epsilon 0.1, delta 0' "$work/first" || complain "another cost: $(cat "$work/first")"

"$work/ask" hospital.yaml >"$work/second" 2>"$work/err" || complain "the second time it fails: $(cat "$work/err")"
[ "$(head -n 4 "$work/first")" = "$(head -n 4 "$work/second")" ] || complain "another answer the second time"
grep -qx 'cost: epsilon 0, delta 0' "$work/second" || complain "the second time costs: $(cat "$work/second")"

if "$work/ask" hospital.yaml "SELECT * FROM patients" >"$work/out" 2>"$work/err"; then
    complain "rows are shown"
fi
