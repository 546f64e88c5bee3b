#!/bin/sh
# Build the compiled core in place, for developers: src/lightboard/_native/_core.abi3.so, with nothing but a C++ compiler.
# CXX, CXXFLAGS and PYTHON may be set; files that did not change are not compiled again.
set -eu
cd "$(dirname "$0")/.."
cxx=${CXX:-g++}
flags="-std=c++20 -O3 -fPIC -fvisibility=hidden -ffp-contract=off -Wall -Wextra ${CXXFLAGS:-}"
python=${PYTHON:-python3}
[ -z "${PYTHON:-}" ] && [ -x .venv/bin/python ] && python=.venv/bin/python
include=$($python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
objects=build/native
mkdir -p "$objects"
printf '%s' "$cxx $flags $include" >"$objects/flags.new"
if ! cmp -s "$objects/flags.new" "$objects/flags"; then rm -f "$objects"/*.o; mv "$objects/flags.new" "$objects/flags"; fi
newest_header=$(ls -t native/engine/*.hpp native/python/*.hpp | head -1)
all=
stale=
for source in native/engine/*.cpp native/python/*.cpp; do
    object=$objects/$(basename "$(dirname "$source")")_$(basename "$source" .cpp).o
    all="$all $object"
    if [ ! "$object" -nt "$source" ] || [ ! "$object" -nt "$newest_header" ]; then stale="$stale $source $object"; fi
done
# shellcheck disable=SC2086  # lists of paths without spaces
[ -z "$stale" ] || printf '%s %s\n' $stale | xargs -P 2 -L 1 sh -c "$cxx $flags -I$include -c \"\$0\" -o \"\$1\""
case $(uname) in
Darwin) link="-bundle -undefined dynamic_lookup" ;;
*) link="-shared -Wl,--gc-sections" ;;
esac
# Replace the core atomically: a running server keeps the one it has mapped.
# shellcheck disable=SC2086
$cxx $flags $link $all -pthread -o "$objects/_core.abi3.so"
mv "$objects/_core.abi3.so" src/lightboard/_native/_core.abi3.so
