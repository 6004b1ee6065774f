#!/usr/bin/env bash
# Tests of the SDK stubs in toolchain/sdk: headers, symbols, and sources as third parties write
# them, compiled and linked for macOS. Offline; CLANG and LLD name the compiler and the linker.
# Prints `ok - name` or `not ok - name: reason` for each test; exits 1 when one failed.
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd) || exit 2
sdk=$(cd "$here/../../toolchain/sdk" && pwd) || exit 2
export CLANG="${CLANG:-clang-19}" LLD="${LLD:-ld64.lld-19}" NM="${NM:-llvm-nm-19}"
unset CPATH C_INCLUDE_PATH OBJC_INCLUDE_PATH LIBRARY_PATH SDKROOT MACOSX_DEPLOYMENT_TARGET
frameworks=$sdk/System/Library/Frameworks
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$scratch" || exit 2
failed=0 passed=0

ok() {
    echo "ok - $1"
    passed=$((passed + 1))
}
not_ok() { # NAME REASON…: the reason's first line; all of it for the log
    echo "not ok - $1: $(printf '%s\n' "$2" | head -1)"
    printf '%s\n' "$2" | sed -n '2,8s/^/#   /p'
    failed=$((failed + 1))
}
result() { # NAME REASON: passed if there is no reason
    if [ -z "$2" ]; then ok "$1"; else not_ok "$1" "$2"; fi
}

strict='-Wall -Wextra -Werror -Wsystem-headers'
ptrauth='-fptrauth-intrinsics -fptrauth-calls -fptrauth-returns -fptrauth-auth-traps
    -fptrauth-indirect-gotos -fptrauth-init-fini'
compile() { # ARCH ARGUMENT…
    local arch=$1
    shift
    "$CLANG" --no-default-config -target "$arch-apple-macos13.0" -isysroot "$sdk" "$@"
}
# ld64.lld 19 makes chained fixups for arm64 alone, so that objects for arm64e are linked as arm64;
# making an arm64e image of the result is not the SDK's part.
link() { # ARGUMENT…
    "$LLD" -arch arm64 -fixup_chains -init_offsets -platform_version macos 13.0 14.0 \
        -syslibroot "$sdk" -fatal_warnings "$@"
}

# ---- the tree -----------------------------------------------------------------------------------

result 'the tree has only files and folders' "$(find "$sdk" ! -type f ! -type d)"
result 'no two names differ in case alone' \
    "$(cd "$sdk" && find . | tr '[:upper:]' '[:lower:]' | sort | uniq -d)"
result 'every header says what it declares and where the facts come from' \
    "$(find "$sdk" -name '*.h' | while read -r header; do
        name=${header##*/}
        head -20 "$header" | grep -q "^ \* .*$name: " && sed -n '1,/\*\//p' "$header" |
            grep -q '^ \* Facts: ' || echo "${header#"$sdk"/}"
    done)"

copies() { # FILE COPY…: the copies are equal to FILE
    local file=$1 copy
    shift
    for copy; do
        cmp -s "$sdk/$file" "$sdk/$copy" || echo "$copy is not equal to $file"
    done
}
result 'copies of .tbd files are equal' "$(
    copies usr/lib/libSystem.tbd usr/lib/libSystem.B.tbd usr/lib/libc.tbd usr/lib/libdl.tbd \
        usr/lib/libm.tbd usr/lib/libpthread.tbd
    copies usr/lib/libobjc.tbd usr/lib/libobjc.A.tbd
    for framework in CoreFoundation/A Foundation/C Metal/A; do
        name=${framework%/*} version=${framework#*/}
        base=System/Library/Frameworks/$name.framework
        copies "$base/$name.tbd" "$base/Versions/$version/$name.tbd"
    done
    [ "$(find "$sdk" -name '*.tbd' | wc -l)" -eq 14 ] || echo 'a .tbd file is new or missing'
)"

# ---- headers ------------------------------------------------------------------------------------

all_headers() { # with the folder or framework that an include names
    (cd "$sdk/usr/include" && find . -name '*.h' | sed 's|^\./||')
    (cd "$frameworks" && find . -name '*.h' | sed 's|^\./||;s|\.framework/Headers||')
}
all_headers | sort >objc.list
grep -v '^Foundation/\|^Metal/' objc.list >c.list
grep '^[A-Z][A-Za-z]*/\|^objc/\|^os/\|^dispatch/' objc.list >objc-alone.list # no ARC in the others

result 'there are headers to test' "$(
    for list in c objc objc-alone; do
        [ "$(grep -c . $list.list)" -ge 60 ] || echo "only $(grep -c . $list.list) in $list.list"
    done
)"
each_alone() { # LIST ARGUMENT…: every header of LIST is complete in itself
    local list=$1 header
    shift
    while read -r header; do
        # shellcheck disable=SC2086
        compile arm64 "$@" $strict -fsyntax-only -include "$header" /dev/null >log 2>&1 ||
            { echo "$header"; head -5 log; }
    done <"$list"
}
result 'each header alone, C11' "$(each_alone c.list -x c -std=c11)"
result 'each header alone, Objective-C without ARC' \
    "$(each_alone objc-alone.list -x objective-c -std=gnu17 -fno-objc-arc)"
result 'each header alone, Objective-C with ARC' \
    "$(each_alone objc-alone.list -x objective-c -std=gnu17 -fobjc-arc)"

for language in c objc; do
    sed 's/.*/#include <&>/' $language.list >"$language.source"
    cat $language.source >>"$language.twice"
    tac $language.source >>"$language.twice"
done
together() { # ARCH SOURCE ARGUMENT…
    local arch=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    compile "$arch" "$@" $strict -fsyntax-only "$source" 2>&1 | head -20
}
result 'all headers together, C' "$(
    for arch in arm64 arm64e; do
        for std in c99 c11 gnu11 c17 gnu17 c23; do
            together $arch c.twice -x c -std=$std
        done
    done
)"
result 'all headers together, Objective-C' "$(
    for arch in arm64 arm64e; do
        for std in c11 gnu17; do
            for arc in -fobjc-arc -fno-objc-arc; do
                together $arch objc.twice -x objective-c -std=$std $arc
            done
        done
    done
)"
result 'all headers together, without blocks' "$(together arm64 c.twice -x c -fno-blocks)"

# ---- symbols ------------------------------------------------------------------------------------

if message=$("$here/check-symbols" "$sdk" 2>&1); then
    ok 'declarations and exports agree, and every symbol links'
else
    not_ok 'declarations and exports agree, and every symbol links' "$message"
fi

# check-symbols must see each kind of difference.
mutated() { # NAME FILE SED PATTERN: after the change the output matches PATTERN
    rm -rf copy
    cp -R "$sdk" copy
    chmod -R u+w copy
    sed -i.orig "$3" "copy/$2"
    if cmp -s "copy/$2" "copy/$2.orig"; then
        not_ok "$1" 'the change changed nothing'
    elif message=$("$here/check-symbols" copy 2>&1); then
        not_ok "$1" 'it was not noticed'
    elif printf '%s\n' "$message" | grep -q "$4"; then
        ok "$1"
    else
        not_ok "$1" "$message"
    fi
}
mutated 'a missing export is noticed' usr/lib/libSystem.tbd 's/ _mkdtemp,//' \
    '^_mkdtemp: declared, but not exported by libSystem'
mutated 'a surplus export is noticed' usr/lib/libobjc.tbd 's/_objc_getClass,/&_objc_getGlass,/' \
    '^_objc_getGlass: exported by libobjc, but no header'
mutated 'a class in the wrong library is noticed' \
    System/Library/Frameworks/CoreFoundation.framework/CoreFoundation.tbd 's/ NSNull \]/ NSNil ]/' \
    '^NSNull: declared, but not exported by CoreFoundation'

# ---- sources as third parties write them ---------------------------------------------------------

# What -Weverything asks for and few projects want: compatibility with old C, a house style of
# declarations and properties, checked buffers, casts that method implementations need.
tolerated='-Wno-pre-c11-compat -Wno-declaration-after-statement -Wno-unsafe-buffer-usage
    -Wno-objc-missing-property-synthesis -Wno-objc-messaging-id -Wno-direct-ivar-access
    -Wno-cstring-format-directive -Wno-cast-function-type-strict -Wno-objc-interface-ivars
    -Wno-gnu-folding-constant -Wno-unused-exception-parameter -Wno-nullable-to-nonnull-conversion
    -Wno-gnu-conditional-omitted-operand -Wno-explicit-ownership-type -Wno-bad-function-cast
    -Wno-extra-semi-stmt'

build() { # SOURCE KIND ARCH OPTIMIZATION LIBRARY…: prints what went wrong
    local source=$1 kind=$2 arch=$3 optimization=$4 name flags='' output
    shift 4
    name=${source%.*}
    case $source in
    mrc*.m) flags='-fno-objc-arc' ;;
    *.m) flags='-fobjc-arc' ;;
    esac
    [ "$arch" = arm64 ] || flags="$flags $ptrauth"
    # shellcheck disable=SC2086
    compile "$arch" $flags "$optimization" $strict -c "$here/$source" -o "$name.o" 2>&1 || return
    # shellcheck disable=SC2086
    [ "$arch$optimization" != arm64-O0 ] ||
        compile "$arch" $flags -Weverything -Werror $tolerated -fsyntax-only "$here/$source" 2>&1 ||
        return
    output=$name.$arch
    # shellcheck disable=SC2086
    case $kind in
    dylib) link -dylib -install_name "@rpath/$name.dylib" "$@" "$name.o" -o "$output" ;;
    program) link "$@" "$name.o" -o "$output" ;;
    esac 2>&1
}
foundation='-framework Foundation -lobjc -lSystem'
metal="-framework Metal $foundation"
while read -r source kind libraries; do
    # shellcheck disable=SC2086
    result "$source builds" "$(
        for variant in arm64-O0 arm64-O3 arm64e-O3; do
            build "$source" "$kind" ${variant%-*} -${variant#*-} $libraries </dev/null
        done
    )"
done <<END
arc-shim.m dylib $metal
mrc-shim.m dylib -framework CoreFoundation $foundation
swizzle.m dylib $foundation
interpose.c dylib -lSystem
logging.c dylib -lSystem
logging.m dylib $foundation
system.c program -lSystem -lm -lpthread
probe.m program $metal
runtime-support.m dylib $foundation
layout.c object
objc-layout.m object
availability.c object
END

# The driver finds the same things: SDK version, libraries, frameworks.
result 'the compiler driver links' "$(
    compile arm64 -fobjc-arc -Wall -Wextra -Werror -fuse-ld=lld -framework Foundation \
        -framework Metal "$here/probe.m" -o driver 2>&1
)"
result 'the SDK version is recorded' "$(
    llvm-objdump-19 --macho --private-headers driver 2>/dev/null |
        grep -A 5 LC_BUILD_VERSION | grep -q 'sdk 14.0$' || echo 'sdk is not 14.0'
)"

loads() { # FILE: the libraries that it loads, one a line
    llvm-otool-19 -L "$1" | sed -n 's/^\t\(.*\) (compat.*/\1/p' | sort | tr '\n' ' '
}
expected='/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation '
expected="$expected/System/Library/Frameworks/Foundation.framework/Versions/C/Foundation "
expected="$expected/System/Library/Frameworks/Metal.framework/Versions/A/Metal "
expected="$expected/usr/lib/libSystem.B.dylib /usr/lib/libobjc.A.dylib "
result 'a program loads the libraries by their install names' "$(
    found=$(loads probe.arm64)
    [ "$found" = "$expected" ] || echo "it loads: $found"
)"
result 'aliases of libSystem load it once' "$(
    found=$(loads system.arm64)
    [ "$found" = '/usr/lib/libSystem.B.dylib ' ] || echo "it loads: $found"
)"
result 'interposing is recorded' "$(
    llvm-objdump-19 --macho --section-headers interpose.arm64 | grep -q __interpose ||
        echo 'no section __interpose'
)"
result 'formats of the log are in their section' "$(
    llvm-objdump-19 --macho --section-headers logging.arm64 |
        grep -q ' __oslogstring  *0*[1-9a-f]' || echo 'no section __oslogstring'
)"

# ---- what must not compile ----------------------------------------------------------------------

refused() { # NAME PATTERN ARGUMENT…
    local name=$1 pattern=$2
    shift 2
    if compile arm64 -Wall -Wextra -Werror -fsyntax-only "$@" >log 2>&1; then
        not_ok "$name" 'it compiled'
    elif grep -q "$pattern" log; then
        ok "$name"
    else
        not_ok "$name" "$(cat log)"
    fi
}
refused 'a function of a later system needs a check' "only available on macOS 14.0" \
    -DCALL_RECENT "$here/availability.c"
refused 'an unavailable function is refused' "is unavailable" -DCALL_NEVER "$here/availability.c"
refused 'a deprecated function is warned of' "is deprecated" -DCALL_OLD "$here/availability.c"
cat >format.m <<'END'
#import <Foundation/Foundation.h>
void f(void) { NSLog(@"%d", @"text"); }
END
refused 'NSLog checks its format' 'Wformat' format.m
cat >message.m <<'END'
#import <objc/message.h>
id f(id o) { return objc_msgSend(o, @selector(self)); }
END
refused 'objc_msgSend needs a cast' 'too many arguments' message.m
cat >retain.m <<'END'
#import <Foundation/Foundation.h>
void f(id o) { [o retain]; }
END
refused 'ARC forbids retain' "not available" -fobjc-arc retain.m
cat >null.m <<'END'
#import <Foundation/Foundation.h>
NSString *f(void) { return [@"a" stringByAppendingString:nil]; }
END
refused 'nil where an object is needed is warned of' 'Wnonnull' null.m
cat >result.m <<'END'
#import <Foundation/Foundation.h>
NSArray<NSString *> *f(void);
NSArray<NSString *> *f(void) { NSArray<NSNumber *> *a = @[ @1 ]; return a; }
END
refused 'type arguments of collections are checked' 'incompatible-pointer-types' result.m

[ $failed -eq 0 ] && [ $passed -gt 0 ]
