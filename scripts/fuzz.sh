#!/bin/sh
# Fuzz framing, wire, trace and xplane under the address and undefined-behaviour sanitizers, each for some seconds (default 30)
# or with a number of inputs.
#   scripts/fuzz.sh [SECONDS | INPUTSx]
# With clang this is libFuzzer, which keeps inputs that increase coverage in build/fuzz/corpus. Otherwise a driver of our
# own mutates the seeds in a fixed order, so that g++ suffices. FUZZ_CXX selects the compiler.
set -eu
cd "$(dirname "$0")/.."
limit=${1:-30}
out=build/fuzz
mkdir -p "$out"

cxx=${FUZZ_CXX:-}
if [ -z "$cxx" ]; then
    for name in clang++ clang++-19 clang++-16 clang++-15 clang++-14; do
        if command -v "$name" >/dev/null && printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
            "$name" -fsanitize=fuzzer,address -x c++ - -o "$out/probe" 2>/dev/null; then
            cxx=$name
            break
        fi
    done
    cxx=${cxx:-g++}
fi
flags="-std=c++20 -O1 -g1 -fno-omit-frame-pointer -ffp-contract=off -fno-sanitize-recover=all -pthread"
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1

build() { # sanitizers, then more sources
    sanitizers=$1
    shift
    # Objects are kept: without a change of sources, flags or compiler there is nothing to do. The mark is written last.
    made_of=$({ echo "$flags $sanitizers"; $cxx --version; cat native/engine/*pp native/fuzz/*pp; } | cksum)
    [ "$(cat "$out/made_of" 2>/dev/null)" = "$made_of" ] && return
    rm -f "$out/made_of"
    # The engine as one unit: each source alone spends most of its time in the headers of the standard library.
    for source in native/engine/*.cpp; do echo "#include \"../../$source\""; done >"$out/engine.cpp"
    for source in "$out/engine.cpp" "$@"; do
        printf '%s\n%s\n' "$source" "$out/$(basename "$source" .cpp).o"
    done | xargs -P 2 -n 2 sh -c "$cxx $flags -fsanitize=$sanitizers -c \"\$0\" -o \"\$1\""
    echo "$made_of" >"$out/made_of"
}

case $cxx in
*clang*)
    build fuzzer-no-link,address,undefined native/fuzz/framing.cpp native/fuzz/wire.cpp native/fuzz/trace.cpp native/fuzz/xplane.cpp
    for target in framing wire trace xplane; do
        $cxx -fsanitize=fuzzer,address,undefined -pthread "$out/engine.o" "$out/$target.o" -o "$out/run_$target"
        mkdir -p "$out/corpus/$target"
        echo "== $target ($cxx, libFuzzer, $limit)"
        case $limit in
        *x) most=-runs=${limit%x} ;;
        *) most=-max_total_time=$limit ;;
        esac
        "$out/run_$target" "$most" -max_len=4096 -rss_limit_mb=2048 -timeout=20 -verbosity=0 \
            -artifact_prefix="$out/" "$out/corpus/$target" "native/fuzz/seeds/$target"
    done
    ;;
*)
    build address,undefined native/fuzz/framing.cpp native/fuzz/wire.cpp native/fuzz/trace.cpp native/fuzz/xplane.cpp native/fuzz/driver.cpp
    for target in framing wire trace xplane; do
        $cxx -fsanitize=address,undefined -pthread "$out/engine.o" "$out/$target.o" "$out/driver.o" -o "$out/drive_$target"
        echo "== $target ($cxx, fixed mutations, $limit)"
        (cd "$out" && "./drive_$target" "$limit" ../../native/fuzz/seeds/"$target"/*)
    done
    ;;
esac
