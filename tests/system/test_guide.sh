#!/usr/bin/env bash
# Shows that the documentation is true: every command in a `sh` block of the guides runs as written from the top of the
# tree; the reference and the manual page name every command and every option.
# shellcheck source=tests/support/program.sh
source "${SOURCE_DIR:?}/tests/support/program.sh" || exit 1

export HOME=$work/home # for the policy that the guide copies, and its ledger
unset XDG_STATE_HOME
mkdir "$work/bin" "$work/home"
ln -s "$DITHER" "$work/bin/dither"
mkdir "$work/tree" # as much of the source tree as the commands name, so that they leave nothing behind in the real one
cp -r "$SOURCE_DIR/examples" "$work/tree"
: >"$work/commands"
for page in guide owner analyst; do
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$SOURCE_DIR/docs/$page.md" >"$work/page"
    grep -q '^dither ' "$work/page" || complain "docs/$page.md shows no command"
    cat "$work/page" >>"$work/commands"
done
[ "$(grep -c '^dither ' "$work/commands")" -ge 15 ] || complain "the guides show too few commands"
while IFS= read -r line; do
    (cd "$work/tree" && PATH=$work/bin:$PATH bash -euo pipefail -c "$line" >"$work/out" 2>"$work/err" </dev/null) ||
        complain "docs: '$line' fails: $(cat "$work/err")"
    [ -s "$work/out" ] || complain "docs: '$line' prints nothing"
done <"$work/commands"

sed 's/\\-/-/g' "$SOURCE_DIR/docs/dither.1" >"$work/manual"

# What the helps name, the reference and the manual name too.
for command in ask attack audit budget check explain init mechanism noise verify; do
    expect 0 "$command" --help
    grep -q "^## dither $command" "$SOURCE_DIR/docs/reference.md" || complain "docs/reference.md lacks $command"
    options=$(sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' "$work/out")
    [ -n "$options" ] || complain "$command --help lists no options"
    for option in $options; do
        # -v stands for --verbose in the reference
        grep -qE -- "--$option\b|^.*\`-${option:0:1}\`" "$SOURCE_DIR/docs/reference.md" ||
            complain "docs/reference.md lacks --$option"
        grep -qE -- "--$option\b" "$work/manual" || complain "docs/dither.1 lacks --$option"
    done
done
if command -v man >/dev/null; then
    man --warnings -l "$SOURCE_DIR/docs/dither.1" >/dev/null 2>"$work/err" || complain "docs/dither.1 cannot be shown"
    [ ! -s "$work/err" ] || complain "docs/dither.1: $(cat "$work/err")"
fi
