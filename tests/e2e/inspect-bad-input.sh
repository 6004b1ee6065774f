#!/usr/bin/env bash
# hallmark inspect: a file that is no sound Mach-O file is exit code 3 with a message that says
# what is wrong, and does not hide the good files beside it.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

# bad NAME MESSAGE: inspecting the file NAME fails with that message.
bad() {
    hm inspect "$1"
    expect_code 3
    expect_out_empty
    expect_err_has "hallmark: inspect: $2"
    expect_err_has "while reading '$1'"
}

# made KIND: the file that macho_make makes, under that name.
made() {
    "$TESTBIN/tools/macho_make" "$1" >made.bin
    mv made.bin "$1"
}

# broken KIND MESSAGE: the same for a file that macho_make makes.
broken() {
    t "refuses $1"
    made "$1"
    bad "$1" "$2"
}

t 'says what is no Mach-O file'
: >empty
bad empty 'an empty file is no Mach-O file'
printf 'abc' >short
bad short 'a file of less than 4 bytes is no Mach-O file'
printf 'int main(void);\n' >text
bad text 'a text file is no Mach-O file'
cp "$(type -P true)" elf
bad elf 'an ELF file is no Mach-O file'
printf '\xca\xfe\xba\xbe\x00\x00\x00\x37' >java
bad java 'a Java class file is no Mach-O file'
printf '\xcf\xfa\xed\xfe' >magic
bad magic 'the Mach-O header is truncated'

t 'refuses a truncated file'
made small
head -c 20 small >cut20
bad cut20 'the Mach-O header is truncated (needs 32 bytes, 20 left)'
head -c 700 small >cut700
bad cut700 'the load commands are truncated (need 1024 bytes, 668 left)'
head -c 3071 small >cut3071
bad cut3071 "load command 2 (LC_SEGMENT_64): segment '__LINKEDIT' is truncated (needs 512 bytes at offset 2560, the file has 3071)"

broken many-commands 'the header counts 4294967295 load commands, but has only 1024 bytes for them'
broken commands-size 'the load commands are truncated (need 4294967280 bytes, 3040 left)'
broken command-size 'load command 8 (LC_UUID) is truncated (needs 4096 bytes, 144 left)'
broken command-zero 'load command 8 (LC_UUID) has a size of 0, not a multiple of 8 that is at least 8'
broken command-odd 'load command 8 (LC_UUID) has a size of 20'
broken sections "load command 0 (LC_SEGMENT_64): segment '__TEXT' counts 268435456 sections, but has room for 4"
broken segment-size "load command 0 (LC_SEGMENT_64): segment '__TEXT' is truncated"
broken section-offset "load command 0 (LC_SEGMENT_64): section '__TEXT,__text' is at file offset 1633"
broken symbols 'load command 6 (LC_SYMTAB): the symbol table is outside of the file'
broken text 'load command 3 (LC_ID_DYLIB): its text at offset 32767 does not end inside the command'
broken uuid-twice 'load command 12 (LC_UUID) repeats load command 8'
broken fat-count 'the table of 4294967295 slices is truncated'

t 'shows what can be read when one table cannot'
for kind in trie-cycle import-name chain-loop; do
    made "$kind"
    hm inspect "$kind"
    expect_code 3
    expect_out_has 'cannot be read: '
    expect_out_has 'install name   @rpath/small.dylib'
    expect_err_has "while reading '$kind'"
done
hm inspect trie-cycle
expect_err_has 'the export trie is malformed: node at offset 0 is reached twice'

t 'shows the other slices when one cannot be read'
made fat-lie
hm inspect fat-lie
expect_code 3
expect_out_has 'slice          cannot be read: the universal table says cputype 0x1000007'
expect_out_has '2 slices: ppc, cputype 0x1000007 cpusubtype 0x0'
expect_out '^  architecture   ppc '
expect_out '^  architecture   arm64 '
expect_err_has 'hallmark: inspect: the universal table says cputype 0x1000007'
expect_err_has 'while reading slice 2 (cputype 0x1000007'
made fat-broken
hm inspect --json fat-broken
expect_code 3
expect_err_has 'the load commands are truncated'
expect_err_has 'while reading slice 2 (arm64)'
expect jq -e '.files[0].slices | map(.filetype) == ["dylib", null]' "$out"
expect jq -e '.files[0].slices[1] | .arch == "arm64" and .signature == null and
    (.faults | length) == 1 and (.faults[0] | startswith("slice: the load commands"))' "$out"

t 'shows the slices that are whole when the file is cut, or one overlaps another'
made fat
size=$(stat -c %s fat)
hm inspect --json fat
first=$(jq -c '.files[0].slices[0]' "$out")
head -c $((size - 1)) fat >fat-cut
hm inspect fat-cut
expect_code 3
expect_out_has '  slice 1 of 2: ppc'
expect_out '^  architecture   ppc '
expect_out_has "  slice          cannot be read: the slice is truncated (needs "
expect_no_out '^  architecture   arm64'
expect_err_has "hallmark: inspect: the slice is truncated (needs "
expect_err_has "the file has $((size - 1)))"
expect_err_has 'while reading slice 2 (arm64)'
made fat-overlap
hm inspect --json fat-cut fat-overlap
expect_code 3
expect_err_has 'hallmark: inspect: the slice overlaps slice 1 (1024 bytes at offset 4096; its own'
expect jq -e --argjson first "$first" '.files | length == 2 and all(.slices[0] == $first)' "$out"
expect jq -e '.files | all(.slices[1].filetype == null and .slices[1].size == 3072 and
    (.slices[1].faults | length) == 1)' "$out"

t 'a cut slice goes on to be refused by whoever needs all of them'
for command in "sign -o none" "strip-signature -o none" "lipo -archs"; do
    # shellcheck disable=SC2086 # several words
    hm $command fat-cut
    expect_code 3
    expect_err_has 'slice 2 (arm64) is truncated'
    expect_no_file none
done

t 'names static archives, and shows what comes before a broken member'
printf '!<arch>\nlibfoo.o/' >archive
hm inspect archive
expect_code 3
expect_out_has 'format         static archive'
expect_out_has 'architecture   not known'
expect_err_has 'the static archive is malformed: truncated header at offset 8'

t 'a bad file among good ones hides none'
hm inspect empty small cut700 small
expect_code 3
expect test "$(grep -c '^small$' "$out")" = 2
expect_err_has 'an empty file is no Mach-O file'
expect_err_has "while reading 'cut700'"
expect_err_has 'hallmark: inspect: 2 of 4 files could not be read'
hm inspect --json empty small nowhere cut700
expect_code 3
expect jq -e '[.files[].path] == ["empty", "small", "nowhere", "cut700"]' "$out"
expect jq -e '[.files[].verdict] == ["failed", null, "failed", "failed"]' "$out"
expect jq -e '.files[0] == {path: "empty", verdict: "failed",
    failure: "an empty file is no Mach-O file", slices: []}' "$out"
expect jq -e '.files[2].failure | startswith("cannot open '"'nowhere'"'")' "$out"
hm inspect --json empty
expect_code 3
expect_err_has 'an empty file is no Mach-O file'
expect jq -e '[.files[].verdict] == ["failed"]' "$out"

t 'refuses what is no file'
mkdir folder
hm inspect folder
expect_code 3
expect_err_has "'folder' is a directory"
hm inspect nowhere
expect_err_has "'nowhere'"
expect_not test "$code" = 0

finish
