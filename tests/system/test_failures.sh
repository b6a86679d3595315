#!/usr/bin/env bash
# Shows how the program fails: files that are missing, unreadable, empty, malformed; values that are no numbers or huge; a
# reader who leaves; a disk that is full; no core file. Exit status 1, one line, no value in it.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1
mean=(mechanism mean --range 0:100 --min-size 2 --epsilon 1)

refuses 1 'No such file or directory' "${mean[@]}" "$work/missing.csv"
refuses 1 'Is a directory' "${mean[@]}" "$work"
if [ "$(id -u)" != 0 ]; then # root may read everything
    echo 1 >"$work/unreadable.csv"
    chmod 000 "$work/unreadable.csv"
    refuses 1 'Permission denied' "${mean[@]}" "$work/unreadable.csv"
fi

# Nobody in the data is an answer like any other for a mechanism over people; true answers need a number.
: >"$work/empty.csv"
expect 0 "${mean[@]}" "$work/empty.csv"
refuses 1 'needs at least one number' mechanism geometric --epsilon 1 "$work/empty.csv"

printf '1\n2\n4711NaN\n' >"$work/bad.csv"
refuses 1 'bad.csv, line 3: the value is not a number' "${mean[@]}" "$work/bad.csv"
! grep -q 4711 "$work/err" || complain "a message repeats a value"
printf '1\nNaN\n' >"$work/bad.csv"
refuses 1 'bad.csv, line 2: the value is not a number' "${mean[@]}" "$work/bad.csv"
printf 'NaN\n1\n' >"$work/bad.csv"
refuses 1 'bad.csv, line 1: the value is not a number' "${mean[@]}" "$work/bad.csv"
printf '1\n-inf\n' >"$work/bad.csv"
refuses 1 'bad.csv, line 2: the value is not a number' "${mean[@]}" "$work/bad.csv"
printf '1\n1e999\n' >"$work/bad.csv"
refuses 1 'bad.csv, line 2: the value is too large' "${mean[@]}" "$work/bad.csv"
printf '1\n"2\n3\n' >"$work/bad.csv"
refuses 1 'is never closed' "${mean[@]}" "$work/bad.csv"
printf '1\n2\0\n' >"$work/bad.csv"
refuses 1 'line 2: a NUL byte' "${mean[@]}" "$work/bad.csv"
printf 'a,b\n1,2\n3\n' >"$work/bad.csv"
refuses 1 'line 3: 1 field, where the first line has 2' "${mean[@]}" --column a "$work/bad.csv"
refuses 1 'choose one with --column NAME' "${mean[@]}" "$examples/editors.csv"
refuses 1 'no column named "wage"' "${mean[@]}" --column wage "$examples/salaries.csv"
refuses 1 'value 1 is not a number' mechanism geometric --epsilon 1 nan
refuses 1 'value 1 is too large' mechanism geometric --epsilon 1 1e999
refuses 1 'value 2 is not a number' mechanism geometric --epsilon 1 5 x
status=0
echo words | "$DITHER" "${mean[@]}" --no-header - >"$work/out" 2>"$work/err" || status=$?
grep -q 'standard input, line 1' "$work/err" || complain "standard input is not named"
[ "$status" = 1 ] || complain "words for numbers on standard input: exit status $status"

# Huge values are clamped to the declared range, whatever they are.
expect 0 mechanism sum --range 0:1 --epsilon 1e6 --format csv 1e308 1e308 -1e308 1e-300
awk -F , 'NR == 2 { exit !($1 > 1.9 && $1 < 2.1) }' "$work/out" || complain "huge values were not clamped: $(cat "$work/out")"
expect 0 mechanism geometric --epsilon 1 1e300
expect 0 mechanism laplace --epsilon 1 -- -1e300

# A reader who leaves early ends the program quietly, with SIGPIPE ignored by the caller or not.
for ignored in true false; do
    (
        if $ignored; then trap '' PIPE; fi
        "$DITHER" noise geometric --scale 10 --count 1e7 2>"$work/err"
        echo $? >"$work/status"
    ) | head -n 1 >"$work/out"
    [ "$(wc -l <"$work/out")" = 1 ] || complain "nothing came through the pipe"
    [ ! -s "$work/err" ] || complain "a closed pipe makes noise: $(cat "$work/err")"
    [ "$(cat "$work/status")" = 0 ] || complain "a closed pipe ends with status $(cat "$work/status")"
done

# A full disk is a failure, also for output that fits into a buffer.
for arguments in "noise geometric --scale 1 --count 100000" "noise geometric --scale 1" "mechanism geometric --epsilon 1 5" \
    "--help" "mechanism --help" "mechanism --list" "verify geometric"; do
    status=0
    read -ra words <<<"$arguments"
    "$DITHER" "${words[@]}" >/dev/full 2>"$work/err" || status=$?
    [ "$status" = 1 ] || complain "dither $arguments on a full disk: exit status $status"
    grep -q '^dither: .*No space left on device$' "$work/err" || complain "a full disk is not named: $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" = 1 ] || complain "a full disk takes more than a line: $(cat "$work/err")"
done

# A closed stdout is a failure too.
status=0
"$DITHER" noise geometric --scale 1 >&- 2>"$work/err" || status=$?
[ "$status" = 1 ] || complain "a closed stdout: exit status $status"

# No core file, even where they are wanted; the process cannot be looked into by others of the same user.
(
    cd "$work"
    ulimit -c unlimited 2>/dev/null || true
    mkfifo hold
    "$DITHER" mechanism mean --range 0:100 --min-size 2 --epsilon 1 - <hold >/dev/null 2>&1 &
    pid=$!
    exec 3>hold
    echo 1 >&3
    for _ in 1 2 3 4 5 6 7 8 9 10; do # until it has guarded itself
        limit=$(awk '/core file size/ { print $5 }' "/proc/$pid/limits" 2>/dev/null || echo 0)
        [ "$limit" = 0 ] && break
        sleep 0.1
    done
    [ "$limit" = 0 ] || complain "core files are not switched off"
    kill -SEGV "$pid" 2>/dev/null || true
    exec 3>&-
    wait "$pid" || true
    ! ls core* >/dev/null 2>&1 || complain "there is a core file"
) 2>"$work/job.err" || complain "$(cat "$work/job.err")"
