#!/usr/bin/env bash
# sign and verify refuse what is no sound Mach-O file: exit code 3, a message
# that says what the file is, and no output file.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

# refused FILE MESSAGE
refused() {
    hm sign "$1" -o signed
    expect_code 3
    expect_err_has "$2"
    expect_err_has "'$1'"
    expect_no_file signed
    hm verify "$1"
    expect_code 3
    expect_err_has "$2"
    expect_err_has "'$1'"
}

# made KIND MESSAGE: the same for a file that macho_make makes.
made() {
    t "refuses $1"
    "$TESTBIN/tools/macho_make" "$1" >made.bin
    mv made.bin "$1"
    refused "$1" "$2"
}

t 'refuses an empty file'
: >empty
refused empty 'an empty file is no Mach-O file'

t 'refuses a text file'
echo 'hello' >text
refused text 'a text file is no Mach-O file'

t 'refuses an ELF file'
cp "$(type -P true)" elf
refused elf 'an ELF file is no Mach-O file'

t 'refuses a static archive'
printf '!<arch>\nlibfoo.o/' >archive
refused archive 'a static archive is no Mach-O file'

t 'refuses a file that was cut short'
"$TESTBIN/tools/macho_make" small >made.bin
mv made.bin small
for len in 1 3 4 20 31 32 500 1055 1056 1536 2048 2560 3071; do
    head -c "$len" small >"cut$len"
    hm sign "cut$len" -o signed
    expect_code 3
    expect_err "Mach-O|truncated|outside of the file"
    expect_no_file signed
done
refused cut500 'the load commands are truncated (need 1024 bytes, 468 left)'
refused cut3071 "segment '__LINKEDIT' is truncated (needs 512 bytes at offset 2560, the file has 3071)"

made many-commands 'the header counts 4294967295 load commands, but has only 1024 bytes for them'
made commands-size 'the load commands are truncated (need 4294967280 bytes, 3040 left)'
made command-size 'load command 8 (LC_UUID) is truncated (needs 4096 bytes, 144 left)'
made command-zero 'load command 8 (LC_UUID) has a size of 0'
made sections "counts 268435456 sections, but has room for 4"
made segment-size "segment '__TEXT' is truncated"
made symbols 'the symbol table is outside of the file'
made text 'its text at offset 32767 does not end inside the command'

t 'nothing of a refused file is left behind'
expect_no_file signed
expect test -z "$(find . -name '.*' -type f)"

finish
