#!/usr/bin/env bash
# The trials of the shim are no decoration: break any signed pointer of its arm64e dylib, or any
# instruction that signs or authenticates one, and a trial fails.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/dylib.sh"

needs_trials 'negative controls'
if [ "$HALLMARK_VARIANT" = asan ]; then
    t 'negative controls'
    skip 'nothing but the number of runs differs from the plain build'
    finish
fi

# Each of them reaches what others do not.
trials='many-classes-working-set malformed-ceiling start-missing families-missing families-fixed asks-super-first'

t 'the shim as it is passes'
expect compile arm64e "$SRCDIR/shim/LumeMetalCapabilities.m" shim.o -O3 -fobjc-arc -fvisibility=hidden
expect link_dylib shim.o linked shim.dylib
expect "$TESTBIN/tools/arm64e" linked shim.dylib
for trial in $trials; do
    hm assay shim.dylib --trial "$SRCDIR/shim/trials/$trial.yaml"
    expect_code 0
done

# Whether some trial finds that broken.dylib is wrong.
caught() {
    local trial
    for trial in $trials; do
        "$HALLMARK" assay broken.dylib --trial "$SRCDIR/shim/trials/$trial.yaml" >said 2>&1
        [ $? -ne 1 ] || return 0
    done
    return 1
}

"$TESTBIN/tools/break_fixup" shim.dylib >fixups
for how in unsigned key diversity address; do
    t "any signed pointer: $how"
    expect [ "$(wc -l <fixups)" -ge 15 ]
    while read -r number name; do
        rm -f broken.dylib
        expect "$TESTBIN/tools/break_fixup" shim.dylib broken.dylib "$how" "$number"
        caught || fail "fix-up $number, of $name"
    done <fixups
done

# WORD OFFSET of each instruction of the kind, by its first digits in the file's order of bytes.
instructions() { # MASKED-WORD MASK
    od -An -v -tx4 -w4 shim.dylib | awk -v want="$1" -v mask="$2" '
        function masked(word,   i, out, m) {
            for (i = 1; i <= 8; i++) {
                m = substr(mask, i, 1)
                out = out (m == "f" ? substr(word, i, 1) : "?")
            }
            return out
        }
        { gsub(/ /, "") }
        masked($0) == want { print $0, (NR - 1) * 4 }'
}
put_word() { # WORD OFFSET
    printf '%b' "\\x${1:6:2}\\x${1:4:2}\\x${1:2:2}\\x${1:0:2}" |
        dd of=broken.dylib bs=1 seek="$2" conv=notrunc 2>/dev/null
}
# without NAME MASKED-WORD MASK REPLACEMENT, an expression of $word
without() {
    t "$1"
    instructions "$2" "$3" >found
    expect [ -s found ]
    while read -r word offset; do
        replacement=$(printf '%08x' $((${4//word/0x$word})))
        cp shim.dylib broken.dylib
        put_word "$replacement" "$offset"
        caught || fail "at offset $offset: $word became $replacement"
    done <found
}
without 'a function pointer that is not signed (paciza)' 'dac123??' ffffff00 0xd503201f
without 'a stub that does not authenticate (braa)' 'd71f????' ffff0000 '0xd61f0000 | (word & 0x3e0)'
without 'a call that does not authenticate (blraaz)' 'd63f????' ffff0000 '0xd63f0000 | (word & 0x3e0)'
without 'a return address that is not signed (pacibsp)' d503237f ffffffff 0xd503201f
without 'a return that does not authenticate (retab)' d65f0fff ffffffff 0xd65f03c0
finish
