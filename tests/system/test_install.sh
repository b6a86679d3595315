#!/usr/bin/env bash
# Shows that what `make install` leaves behind is whole: every examples/*.c compiles against it through
# pkg-config alone, and runs; the program runs; the library shows only dither_* to the world; an app with the small library
# for clients needs libcrypto and nothing else of ours or others'.
set -euo pipefail
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

cmake --install "$BUILD_DIR" --prefix "$root" >/dev/null
export PKG_CONFIG_PATH=$root/lib/pkgconfig LD_LIBRARY_PATH=$root/lib TMPDIR=$root XDG_STATE_HOME=$root/state

for file in bin/dither include/dither.h lib/libdither.so lib/libdither_client.a lib/pkgconfig/dither.pc lib/pkgconfig/dither-client.pc share/man/man1/dither.1 lib/systemd/system/dither@.service; do
    [ -s "$root/$file" ] || {
        echo "$file is not installed" >&2
        exit 1
    }
done

foreign=$(nm -D --defined-only "$root/lib/libdither.so" | awk '{print $NF}' | grep -v '^dither_' |
    grep -vE '^(__asan|__odr_asan|__ubsan|__gcov|__lsan|mangle_path)' || true)
[ -z "$foreign" ] || {
    echo "libdither.so shows more than its interface: $foreign" >&2
    exit 1
}

# The unit starts the program that lies beside it, with hardening that systemd takes and finds good.
unit=$root/lib/systemd/system/dither@.service
grep -q "^ExecStart=$root/bin/dither serve " "$unit" || {
    echo "the unit starts another program: $(grep ExecStart "$unit")" >&2
    exit 1
}
# shellcheck disable=SC2016 # systemd's variable
for line in NoNewPrivileges=yes ProtectSystem=strict CapabilityBoundingSet= MemoryDenyWriteExecute=yes 'SystemCallFilter=@system-service seccomp' 'ExecReload=/bin/kill -HUP $MAINPID'; do
    grep -qxF "$line" "$unit" || {
        echo "the unit lacks $line" >&2
        exit 1
    }
done
if command -v systemd-analyze >/dev/null; then
    mkdir "$root/units"
    sed 's/^\(User\|Group\)=.*/\1=root/' "$unit" >"$root/units/dither@hospital.service"
    complaints=$(systemd-analyze verify --man=no "$root/units/dither@hospital.service" 2>&1 | grep -F 'dither@' || true)
    [ -z "$complaints" ] || {
        echo "the unit: $complaints" >&2
        exit 1
    }
fi

version=$(pkg-config --modversion dither)
said=$("$root/bin/dither" --version)
case $said in
*"$version"*) ;;
*)
    echo "dither --version says '$said', dither.pc says '$version'" >&2
    exit 1
    ;;
esac

# The flags a user would type, and the sanitizers that our library was built with.
flags=(-std=c17 -Wall -Wextra -Werror)
[ -z "${DITHER_SANITIZE-}" ] || flags+=("-fsanitize=$DITHER_SANITIZE")
read -ra library <<<"$(pkg-config --cflags --libs dither)"

for example in "$SOURCE_DIR"/examples/*.c; do
    [ -e "$example" ] || continue # there is none yet
    name=$(basename "$example" .c)
    "$CC" "${flags[@]}" -o "$root/$name" "$example" "${library[@]}"
    (cd "$root" && "./$name" >"$name.out" 2>&1) || {
        echo "examples/$name.c failed:" >&2
        cat "$root/$name.out" >&2
        exit 1
    }
    echo "$name runs"
done

# The clients of local privacy need neither the library nor what it brings along, and show nothing but their functions.
read -ra client <<<"$(pkg-config --cflags --libs dither-client)"
foreign=$(nm -g --defined-only "$root/lib/libdither_client.a" | awk 'NF == 3 { print $3 }' | grep -vE '^(dither_(local|random)_|__odr_asan)' || true)
[ -z "$foreign" ] || {
    echo "libdither_client.a shows more than its interface: $foreign" >&2
    exit 1
}
for name in local_client local_again; do
    "$CC" "${flags[@]}" -o "$root/small_$name" "$SOURCE_DIR/examples/$name.c" "${client[@]}"
    rm -f "$root/commuting.account" "$root/mood.state"
    if ! (cd "$root" && "./small_$name" >"$name.out" 2>&1) || ! grep -qxE '01[0-9a-f]{40,}' "$root/$name.out"; then
        echo "examples/$name.c with libdither_client.a failed:" >&2
        cat "$root/$name.out" >&2
        exit 1
    fi
    needed=$(readelf -d "$root/small_$name" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^lib(c|m|crypto|asan|ubsan|gcc_s)\.so' || true)
    [ -z "$needed" ] || {
        echo "libdither_client.a needs more than random bits: $needed" >&2
        exit 1
    }
    echo "$name runs alone"
done
