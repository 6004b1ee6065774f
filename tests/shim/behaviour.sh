#!/bin/bash
# What the shim answers, clause by clause: the unmodified source against the world in directory $1.
set -u
out=$1
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC1091
. "$(dirname "$0")/lib.sh"

max=LUME_METAL_APPLE_FAMILY_MAX
tg=LUME_METAL_MAX_THREADGROUP_MEMORY
ws=LUME_METAL_RECOMMENDED_WORKING_SET_SIZE
unchanged='leaving stock capabilities unchanged'
stock='Plain 1009=0 Plain threadgroup=32768 Plain workingset=1073741824'
ask='new:Plain family:Plain:1009 threadgroup:Plain workingset:Plain'

enabled() {
    echo "enabled in driver: Apple family ceiling $1, threadgroup memory $2 bytes"
}

# check NAME WORLD ENVIRONMENT STEPS ANSWERS [LOG]: all answers, in one line, and all log lines.
check() {
    local name=$1 world=$2 answers=$5 log=${6-} variables=() steps=() got status said
    IFS=' ' read -r -a steps <<<"$4"
    # Newlines separate variables, so that values with blanks can be tested.
    [ -z "$3" ] || IFS=$'\n' read -r -d '' -a variables <<<"$3"
    # The limit stands outside: a process between would be preloaded into, and log, as well.
    got=$(timeout 60 env -i LANG=C LD_LIBRARY_PATH="$out/$world" LD_PRELOAD="$out/$shim" \
        ${variables[@]+"${variables[@]}"} "$out/driver" "${steps[@]}" 2>"$out/stderr")
    status=$?
    got=$(printf '%s' "$got" | tr '\n' ' ')
    said=$(sed -n 's/^[0-9].*\] LumeMetalCapabilities: //p' "$out/stderr")
    if [ $status -ne 0 ]; then
        not_ok "$shim $name" "driver ended with $status: $(cat "$out/stderr")"
    elif [ "$got" != "$answers" ]; then
        not_ok "$shim $name" "expected answers '$answers', got '$got'"
    elif [ "$said" != "$log" ]; then
        not_ok "$shim $name" "expected log '$log', got '$said'"
    elif grep -qv '^[0-9].*\] LumeMetalCapabilities: ' "$out/stderr"; then
        not_ok "$shim $name" "unexpected on stderr: $(cat "$out/stderr")"
    else
        ok "$shim $name"
    fi
}

configuration() {
    check "stock without variables" full "" "$ask during" "$stock during=0"
    check "stock when only the options are set" full "$tg=65536"$'\n'"$ws=4294967296" "$ask" "$stock"
    check "stock when the ceiling is empty" full "$max=" "$ask" "$stock"

    local bad
    for bad in ' 1009' '1009 ' +1009 -1009 1009u 1009L 1009.0 1e3 0x 0X 0x3fg 08 01778 apple9 \
        18446744073709552625 99999999999999999999999 0x100000000000003F1 \
        1000 2000 0 0x7d0 03720 18446744073709551615 $'1009\t' '1009,1008' '１００９'; do
        check "stock with ceiling '$bad'" full "$max=$bad" "$ask" "$stock" \
            "$max is malformed or out of range; $unchanged"
    done

    check "hexadecimal ceiling" full "$max=0x3F1" "$ask" "${stock/1009=0 Plain threadgroup=32768/1009=1 Plain threadgroup=65536}" \
        "$(enabled 1009 65536)"
    check "octal ceiling" full "$max=01761" "new:Plain family:Plain:1009 family:Plain:1010" \
        "Plain 1009=1 Plain 1010=0" "$(enabled 1009 65536)"
    check "capital hexadecimal ceiling" full "$max=0X3f1" "new:Plain family:Plain:1010" \
        "Plain 1010=0" "$(enabled 1009 65536)"
    check "lowest ceiling" full "$max=1001" "new:Plain family:Plain:1005 family:Plain:1006" \
        "Plain 1005=1 Plain 1006=0" "$(enabled 1001 65536)"
    check "highest ceiling" full "$max=1999" "new:Plain family:Plain:1999 family:Plain:2000" \
        "Plain 1999=1 Plain 2000=0" "$(enabled 1999 65536)"

    for bad in '' ' 65536' 65536k -1 +1 08 0x 18446744073709551616; do
        check "stock with threadgroup memory '$bad'" full "$max=1009"$'\n'"$tg=$bad" "$ask" \
            "$stock" "$tg is malformed or out of range; $unchanged"
        check "stock with working set '$bad'" full "$max=1009"$'\n'"$ws=$bad" "$ask" \
            "$stock" "$ws is malformed or out of range; $unchanged"
    done
}

answers() {
    check "only the Apple range is raised" full "$max=1009" \
        "new:Plain family:Plain:1000 family:Plain:1001 family:Plain:1006 family:Plain:1009 family:Plain:1010 family:Plain:2001 family:Plain:2002 family:Plain:3002 family:Plain:3003 family:Plain:5001 family:Plain:5002 family:Plain:0 family:Plain:-1 family:Plain:9999 family:Plain:9998" \
        "Plain 1000=0 Plain 1001=1 Plain 1006=1 Plain 1009=1 Plain 1010=0 Plain 2001=0 Plain 2002=1 Plain 3002=1 Plain 3003=0 Plain 5001=0 Plain 5002=0 Plain 0=0 Plain -1=0 Plain 9999=1 Plain 9998=0" \
        "$(enabled 1009 65536)"
    check "a device keeps what it has above the ceiling" full \
        "$max=1009"$'\n'"$tg=65536"$'\n'"$ws=4294967296" \
        "new:Plain family:Plain:1050 new:Strong family:Strong:1999 family:Strong:5001 family:Strong:1007 threadgroup:Strong workingset:Strong" \
        "Plain 1050=1 Strong 1999=1 Strong 5001=1 Strong 1007=1 Strong threadgroup=1048576 Strong workingset=1099511627776" \
        "$(enabled 1009 65536)"
    check "configured threadgroup memory" full "$max=1009"$'\n'"$tg=0x20000" \
        "new:Plain threadgroup:Plain" "Plain threadgroup=131072" "$(enabled 1009 131072)"
    check "less threadgroup memory than stock" full "$max=1009"$'\n'"$tg=0" \
        "new:Plain threadgroup:Plain" "Plain threadgroup=32768" "$(enabled 1009 0)"
    check "largest threadgroup memory" full "$max=1009"$'\n'"$tg=18446744073709551615" \
        "new:Plain threadgroup:Plain" "Plain threadgroup=18446744073709551615" \
        "$(enabled 1009 18446744073709551615)"
    check "working set stays stock when unset" full "$max=1009" "new:Plain workingset:Plain" \
        "Plain workingset=1073741824" "$(enabled 1009 65536)"
    check "working set is raised when set" full "$max=1009"$'\n'"$ws=4294967296" \
        "new:Plain workingset:Plain" "Plain workingset=4294967296" "$(enabled 1009 65536)"
    check "working set is not lowered" full "$max=1009"$'\n'"$ws=1" \
        "new:Plain workingset:Plain" "Plain workingset=1073741824" "$(enabled 1009 65536)"
}

classes() {
    check "nothing is raised before a device initialises" full "$max=1009" \
        "raw:Plain family:Plain:1009 starts" "Plain 1009=0 starts=0" "$(enabled 1009 65536)"
    check "hooks are there before the stock initialiser runs" full "$max=1009" \
        "new:Plain during starts" "during=1 starts=1" "$(enabled 1009 65536)"
    check "superclass and siblings keep their own" full "$max=1009"$'\n'"$ws=4294967296" \
        "new:Plain raw:_MTLDevice raw:Sibling raw:Strong family:_MTLDevice:1009 threadgroup:_MTLDevice workingset:_MTLDevice family:Sibling:1009 threadgroup:Sibling workingset:Sibling family:Strong:1009 family:Plain:1009" \
        "_MTLDevice 1009=0 _MTLDevice threadgroup=32768 _MTLDevice workingset=1073741824 Sibling 1009=0 Sibling threadgroup=32768 Sibling workingset=1073741824 Strong 1009=0 Plain 1009=1" \
        "$(enabled 1009 65536)"
    check "two device classes keep their own originals" full "$max=1009" \
        "new:Plain new:Strong new:Sibling family:Strong:5001 family:Plain:5001 threadgroup:Strong threadgroup:Plain family:Strong:2002 family:Plain:2002 family:Sibling:1009 family:Strong:1009 starts" \
        "Strong 5001=1 Plain 5001=0 Strong threadgroup=1048576 Plain threadgroup=65536 Strong 2002=0 Plain 2002=1 Sibling 1009=1 Strong 1009=1 starts=3" \
        "$(enabled 1009 65536)"
    check "a second initialisation changes nothing" full "$max=1009" \
        "new:Plain again:Plain new:Plain family:Plain:1009 family:Plain:1010 threadgroup:Plain starts" \
        "again void Plain 1009=1 Plain 1010=0 Plain threadgroup=65536 starts=3" "$(enabled 1009 65536)"
    check "an initialiser's result is handed through" start-returns "$max=1009" \
        "new:Plain again:Plain family:Plain:1009" "again self Plain 1009=1" "$(enabled 1009 65536)"
    check "super chain, upper class first" full "$max=1009" \
        "new:Upper new:Lower family:Lower:1009 family:Lower:4001 family:Lower:2001 family:Lower:5001 family:Upper:1009 family:Upper:4001" \
        "Lower 1009=1 Lower 4001=1 Lower 2001=1 Lower 5001=0 Upper 1009=1 Upper 4001=0" \
        "$(enabled 1009 65536)"
    check "super chain, lower class first" full "$max=1009" \
        "new:Lower raw:Upper family:Upper:1009 new:Upper family:Upper:1009 family:Lower:1009 family:Lower:2001 family:Lower:5001" \
        "Upper 1009=0 Upper 1009=1 Lower 1009=1 Lower 2001=1 Lower 5001=0" "$(enabled 1009 65536)"
    check "super chain runs each override once" full "$max=1009" \
        "raw:Upper raw:Lower family:Lower:5001 supers new:Upper new:Lower supers family:Lower:5001 supers" \
        "Lower 5001=0 supers=2 supers=5 Lower 5001=0 supers=7" "$(enabled 1009 65536)"
    check "the base class itself as device class" full "$max=1009" \
        "new:_MTLDevice family:_MTLDevice:1009 new:Plain family:Plain:1009 family:Plain:5001" \
        "_MTLDevice 1009=1 Plain 1009=1 Plain 5001=0" "$(enabled 1009 65536)"
    check "methods that the base class inherits" inherited "$max=1009"$'\n'"$ws=4294967296" \
        "new:Plain raw:StockBase family:Plain:1009 workingset:Plain family:StockBase:1009 threadgroup:StockBase again:StockBase family:StockBase:1009" \
        "Plain 1009=1 Plain workingset=4294967296 StockBase 1009=0 StockBase threadgroup=32768 again void StockBase 1009=0" \
        "$(enabled 1009 65536)"
    check "an initialiser that calls super" full "$max=1009" \
        "new:CallsSuper family:CallsSuper:1009" "CallsSuper 1009=1" "$(enabled 1009 65536)"
    check "an initialiser that passes the base class by" full "$max=1009" \
        "new:PassesBy family:PassesBy:1009 starts" "PassesBy 1009=0 starts=0" \
        "$(enabled 1009 65536)"
    check "as many device classes as slots" full "$max=1009" "many:16" "many raised=16 of 16" \
        "$(enabled 1009 65536)"
    check "more device classes than slots" full "$max=1009" "many:20" "many raised=16 of 20" \
        "$(enabled 1009 65536)"$'\n'"device class Made16 is one more than 16; $unchanged"
    check "device classes reached from several threads" full "$max=1009" "race:14" \
        "race failures=0" "$(enabled 1009 65536)"
}

all_or_nothing() {
    local start="cannot hook initGPUFamilySupport of class _MTLDevice; $unchanged" world
    check "class missing" no-class "$max=1009" "$ask" "$stock" "$start"
    check "initialiser missing" no-start "$max=1009" "$ask" "$stock" "$start"
    check "initialiser cannot be replaced" full \
        "$max=1009"$'\n'"DRIVER_FAIL=initGPUFamilySupport" "$ask" "$stock" "$start"

    check "supportsFamily: missing" no-family "$max=1009" \
        "new:Plain threadgroup:Plain new:Plain new:Sibling threadgroup:Sibling" \
        "Plain threadgroup=32768 Sibling threadgroup=32768" \
        "$(enabled 1009 65536)"$'\n'"device class Plain has no method supportsFamily:; $unchanged"$'\n'"device class Sibling has no method supportsFamily:; $unchanged"
    check "maxThreadgroupMemoryLength missing" no-threadgroup "$max=1009" \
        "new:Plain new:Plain family:Plain:1009" "Plain 1009=0" \
        "$(enabled 1009 65536)"$'\n'"device class Plain has no method maxThreadgroupMemoryLength; $unchanged"
    check "recommendedMaxWorkingSetSize missing" no-working-set "$max=1009"$'\n'"$ws=4294967296" \
        "new:Plain family:Plain:1009 threadgroup:Plain" "Plain 1009=0 Plain threadgroup=32768" \
        "$(enabled 1009 65536)"$'\n'"device class Plain has no method recommendedMaxWorkingSetSize; $unchanged"
    check "recommendedMaxWorkingSetSize missing and not needed" no-working-set "$max=1009" \
        "new:Plain family:Plain:1009 threadgroup:Plain" "Plain 1009=1 Plain threadgroup=65536" \
        "$(enabled 1009 65536)"
    check "a complete class beside an incomplete one" no-threadgroup "$max=1009" \
        "new:Plain new:Complete family:Plain:1009 family:Complete:1009 threadgroup:Complete" \
        "Plain 1009=0 Complete 1009=1 Complete threadgroup=65536" \
        "$(enabled 1009 65536)"$'\n'"device class Plain has no method maxThreadgroupMemoryLength; $unchanged"

    local selector
    for selector in supportsFamily: maxThreadgroupMemoryLength recommendedMaxWorkingSetSize; do
        for world in full inherited; do
            check "rolled back when $selector fails ($world)" $world \
                "$max=1009"$'\n'"$ws=4294967296"$'\n'"DRIVER_FAIL=$selector" "$ask new:Plain" "$stock" \
                "$(enabled 1009 65536)"$'\n'"cannot replace $selector of device class Plain; $unchanged"
        done
        # Its own methods, not inherited ones: each must be what it was.
        check "own methods rolled back when $selector fails" full \
            "$max=1009"$'\n'"$ws=9999999999999"$'\n'"$tg=9999999"$'\n'"DRIVER_FAIL=$selector" \
            "new:Strong family:Strong:5001 family:Strong:1009 threadgroup:Strong workingset:Strong" \
            "Strong 5001=1 Strong 1009=0 Strong threadgroup=1048576 Strong workingset=1099511627776" \
            "$(enabled 1009 9999999)"$'\n'"cannot replace $selector of device class Strong; $unchanged"
    done
}

for shim in shim.so shim-gcc.so; do
    if [ ! -e "$out/$shim" ]; then
        skip "$shim" "gcc has no Objective-C compiler (gobjc)"
        continue
    fi
    configuration
    answers
    classes
    all_or_nothing
done
finish
