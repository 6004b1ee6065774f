#!/usr/bin/env bash
# hallmark verify: universal files and images of every kind: each slice is judged and named, --arch
# chooses one, and what is no Mach-O image is told by name.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

SEALED=$TESTBIN/tools/sealed

change() { # FILE OFFSET OUT: one byte is another one
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    cp "$1" "$3"
    printf %b "$(printf '\\%03o' $((byte ^ 255)))" | dd of="$3" bs=1 seek="$2" conv=notrunc status=none
}

# Offset of the slice of an architecture, as the program itself sees it.
slice_at() { # FILE ARCH
    "$HALLMARK" --json inspect "$1" | jq -r --arg a "$2" '.files[0].slices[] | select(.arch == $a).offset'
}

count=$("$SEALED" names | wc -l)
t "every kind of image is good, told its identifier"
expect test "$count" -ge 12
for ((i = 0; i < count; i++)); do
    "$SEALED" file $i >"kind$i"
    hm verify --identifier com.example.sealed "kind$i"
    expect_code 0
    expect_no_out '^finding'
done
hm verify --identifier com.example.other kind0
expect_code 1
expect_out '^finding sig.identifier: kind0: CodeDirectory at offset [0-9]+'

t "every kind of image: a changed page is named"
for ((i = 0; i < count; i++)); do
    change "kind$i" 1030 changed
    hm verify changed
    expect_code 1
    expect_out '^finding sig.page-hash: changed: page 0 at offset 0 \('
done

t "each hash type of a page"
change kind8 1030 changed
hm verify changed
for type in sha256-truncated sha384 sha256; do
    expect_out "^finding sig.page-hash: changed: page 0 at offset 0 .*, $type$"
done

"$SEALED" fat32 0 2 3 5 >universal
"$SEALED" fat64 0 2 3 5 >universal64

t "universal files, narrow and wide tables"
hm verify universal universal64
expect_code 0
expect_out_is - <<'OUT'
good: universal
good: universal64
OUT

t "a finding names the slice and the offset in the file"
at=$(slice_at universal i386)
change universal $((at + 1030)) changed
hm verify changed
expect_code 1
expect_out "^finding sig.page-hash: changed: slice i386: page 0 at offset $at \\(.*, sha1$"
expect_out "^finding sig.page-hash: changed: slice i386: page 0 at offset $at \\(.*, sha256$"
expect_no_out 'slice (arm64|x86_64|ppc64)'
hm --json verify changed
cp "$out" answer
run jq -c '.paths[0].findings[] | [.slice, .id, .level, (.place | length > 0), (.expected | length), (.actual | length)]' answer
expect_out_is - <<'OUT'
["i386","sig.page-hash","error",true,40,40]
["i386","sig.page-hash","error",true,64,64]
OUT

t "a thin file has its slice in the JSON too"
change kind0 1030 thin
hm --json verify thin
cp "$out" answer
run jq -r '.paths[0].findings[0].slice' answer
expect_out_is - <<<'arm64'

t "--arch judges one slice"
hm verify --arch x86_64 changed
expect_code 0
hm verify --arch i386 changed
expect_code 1
hm verify --arch arm64e universal
expect_code 1
expect_out '^finding arch.mismatch: universal$'
expect_out 'expected: a slice for arm64e'
expect_out 'actual:   arm64, x86_64, i386, ppc64'
hm verify --arch x86_64 kind2
expect_code 0
hm verify --arch arm64 kind2
expect_code 1

t "what lies between the slices and behind them"
at=$(slice_at universal x86_64)
change universal $((at - 1)) changed
hm verify changed
expect_code 1
expect_out "^finding fat.padding: changed: space between the slices at offset $((at - 1))"
hm verify --arch x86_64 changed
expect_code 0
cp universal changed
printf x >>changed
hm verify changed
expect_code 1
expect_out "^finding fat.trailing-data: changed: end of the last slice at offset $(stat -c %s universal)"

t "a slice that the table calls by another name"
change universal 11 changed
hm verify changed
expect_code 1
expect_out '^finding fat.arch: changed: slice '

t "an unreadable slice ends neither the others nor the answer"
at=$(slice_at universal x86_64)
change universal $((at + 16)) broken # the number of its load commands
at=$(slice_at universal i386)
change broken $((at + 1030)) changed
hm verify changed
expect_code 3
expect_err 'slice x86_64'
expect_out '^finding sig.page-hash: changed: slice i386'

t "nor does one that is cut off, which no choice of another one makes good"
at=$(slice_at universal arm64)
change universal $((at + 1030)) changed
truncate -s -1 changed
hm verify changed
expect_code 3
expect_err 'slice 4 \(ppc64\) is truncated'
expect_out '^finding sig.page-hash: changed: slice arm64'
hm verify --arch x86_64 changed
expect_code 3
expect_err 'slice 4 \(ppc64\) is truncated'
hm --json verify changed
expect_code 3
expect jq -e '.paths[0] | .verdict == "failed" and (.findings | length) > 0' "$out"

t "--strict and --require-sha256"
hm verify kind4
expect_code 0
expect_out '^warning sig.weak-hash: kind4'
hm verify --require-sha256 kind4
expect_code 1
expect_out '^finding sig.weak-hash: kind4'
hm verify --strict kind4
expect_code 1
hm verify --require-sha256 kind3
expect_code 0

t "a policy is kept by every slice"
printf 'rules:\n  - {id: a, reason: r, forbid: {strings: [com.example.sealed]}}\n' >policy.yaml
hm verify --policy policy.yaml universal
expect_code 1
for arch in arm64 x86_64 i386 ppc64; do
    expect_out "^finding policy.string: .*slice $arch"
done

t "--identifier is for single files"
mkdir folder
hm verify --identifier x folder
expect_code 2
expect_err "'folder' is a directory"
hm verify --identifier x --recipe nowhere.yaml kind0
expect_code 2
expect_err 'exclude each other'

t "static archives and other files are refused by name"
llvm-ar-19 rc thin.a kind9
hm verify thin.a
expect_code 3
expect_err 'static archive'
cat >empty.c <<<'int x;'
for arch in x86_64 arm64; do
    clang-19 --no-default-config -target $arch-apple-macos13.0 -c empty.c -o $arch.o
    llvm-ar-19 --format=darwin rc $arch.a $arch.o
done
llvm-lipo-19 -create x86_64.a arm64.a -output fat.a
hm verify fat.a
expect_code 3
expect_err 'static archive'
hm verify x86_64.o
expect_code 1
expect_out '^finding sig.missing: x86_64.o'

finish
