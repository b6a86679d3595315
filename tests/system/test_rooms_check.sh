#!/usr/bin/env bash
# Shows that the check of rooms can fail: trees that are right pass, and each wrong one is refused with its reason.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# expect pass|"REASON" FILE INCLUDE-LINE: checks a tree that holds this one file.
expect() {
    local expected=$1 file=$2 line=$3 said
    rm -rf "$tree/src"
    mkdir -p "$tree/src/base" "$tree/$(dirname "$file")"
    cp "$SOURCE_DIR/src/ROOMS" "$tree/src/ROOMS"
    touch "$tree/src/base/status.h"
    echo "$line" >"$tree/$file"
    if said=$("$SOURCE_DIR/tools/rooms" "$tree" 2>&1); then
        [ "$expected" = pass ] && return
        echo "$file with $line passed, though: $expected" >&2
    else
        grep -qF -- "$expected" <<<"$said" && return
        echo "$file with $line: expected: $expected; said: $said" >&2
    fi
    exit 1
}

expect pass src/mechanism/geometric.c '#include "random/uniform.h"'
expect pass src/mechanism/geometric.c '#include "mechanism/law.h"'
expect pass src/base/status.h '#include "dither.h"'
expect pass src/base/status.c '#include <sys/stat.h>'
expect pass src/attack/audit.c '#include "curator/curator.h"'
expect pass src/cli/main.c '#include "attack/audit.h"'

expect 'random may not use mechanism' src/random/uniform.c '#include "mechanism/law.h"'
expect 'random may not use mechanism' src/random/uniform.h '  #  include "mechanism/law.h"'
expect 'base may not use cli' src/base/status.c '#include "cli/main.h"'
expect 'sql may not use engine' src/sql/plan.c '#include "engine/duckdb.h" // below'
expect 'not of the form' src/random/uniform.c '#include "uniform.h"'
expect 'not of the form' src/random/uniform.c '#include "../base/status.h"'
expect 'not of the form' src/random/uniform.c '#include "base/../mechanism/law.h"'
expect 'in quotes' src/random/uniform.c '#include <base/status.h>'
expect 'not written out' src/random/uniform.c '#include HEADER'
expect 'is not a room' src/cellar/wine.c '#include <stdio.h>'
