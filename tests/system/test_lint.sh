#!/usr/bin/env bash
# Shows that each check of tools/lint can fail: a small tree that is right passes, then one thing is made wrong.
set -euo pipefail
house=$SOURCE_DIR
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# The program stands in for the real one: its two lists are what is checked.
make_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/src/base" "$tree/docs/mechanisms"
    cp "$house/.clang-format" "$tree/"
    cp "$house/src/ROOMS" "$tree/src/"
    echo 'int two(void);' >"$tree/src/base/two.h"
    echo 'echo two' >"$tree/two.sh"
    echo 'Noise.' >"$tree/docs/mechanisms/geometric.md"
    printf '#!/bin/sh\necho geometric\n' >"$tree/dither"
    chmod +x "$tree/dither"
}

lint() {
    SOURCE_DIR=$tree DITHER=$tree/dither "$house/tools/lint" "$1" >"$tree/said" 2>&1
}

expect_failure() {
    if lint "$1"; then
        echo "tools/lint $1 passed a tree with $2" >&2
        exit 1
    fi
}

make_tree
sed -i '1i #!/bin/sh' "$tree/two.sh"
for check in format rooms mechanisms shell words; do
    lint "$check" || {
        echo "tools/lint $check refused a good tree:" >&2
        cat "$tree/said" >&2
        exit 1
    }
done

make_tree
echo 'int   two( void );' >"$tree/src/base/two.h"
expect_failure format 'ugly code'

make_tree
echo '#include "cli/main.h"' >"$tree/src/base/two.h"
expect_failure rooms 'base using cli'

make_tree
rm "$tree/docs/mechanisms/geometric.md"
expect_failure mechanisms 'a page missing'

make_tree
# shellcheck disable=SC2016 # $1 is for the script that is written
printf '#!/bin/sh\n[ "$1" = verify ] || echo geometric\n' >"$tree/dither"
expect_failure mechanisms 'a mechanism that is not verified'

make_tree
printf '#!/bin/sh\nexit 0\n' >"$tree/dither"
expect_failure mechanisms 'no mechanism at all'

make_tree
# shellcheck disable=SC2016 # the mistake to be found
printf '#!/bin/sh\nrm $1\n' >"$tree/two.sh"
expect_failure shell 'a careless script'

make_tree
echo '/* TO''DO */' >>"$tree/src/base/two.h"
expect_failure words 'something left to do'
