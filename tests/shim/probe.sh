#!/bin/bash
# The probe's options, fields and exit codes, in the world in directory $1.
set -u
out=$1
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC1091
. "$(dirname "$0")/lib.sh"

# probe DEFAULT_CLASS ALL_CLASSES ARGUMENT...: leaves $status, $answer and $complaint.
probe() {
    local default=$1 all=$2
    shift 2
    answer=$(timeout 60 env -i LD_LIBRARY_PATH="$out/full" ${default:+WORLD_DEFAULT=$default} \
        WORLD_ALL="$all" "$out/metal-capabilities" "$@" 2>"$out/stderr")
    status=$?
    complaint=$(cat "$out/stderr")
}

# expect NAME STATUS ANSWER: answer lines written in one line, separated by '|'.
expect() {
    same "probe $1" "$2|$3|" "$status|$(printf '%s' "$answer" | tr '\n' '|')|"
}

# expect_json NAME STATUS FILTER RESULT
expect_json() {
    local got
    if ! got=$(printf '%s' "$answer" | jq -c "$3" 2>&1); then
        not_ok "probe $1" "not JSON: $got"
    else
        same "probe $1" "$2 $4" "$status $got"
    fi
}

single() {
    local four='supports_family=false|max_threadgroup_memory=32768' argument
    probe Plain ''
    expect "asks for Apple 9 by default" 0 "device=Plain GPU|family=1009|$four"
    for argument in 1009 0x3f1 0X3F1 01761; do
        probe Plain '' $argument
        expect "family $argument" 0 "device=Plain GPU|family=1009|$four"
    done
    probe Plain '' 2002
    expect "family that holds" 0 \
        "device=Plain GPU|family=2002|supports_family=true|max_threadgroup_memory=32768"
    probe Strong '' 5001
    expect "hostile name cannot forge a line" 0 \
        'device=Strong "GPU" \x5c one\x0atwo\x09tab \x7f é|family=5001|supports_family=true|max_threadgroup_memory=1048576'
    probe Nothing ''
    expect "device without a name" 0 "device=|family=1009|$four"
    probe '' Plain
    expect "no default device" 1 ""
    same "probe says where to look for one" \
        "metal-capabilities: no system default device|hint: metal-capabilities --all|" \
        "$(printf '%s|' "${complaint//$'\n'/|}")"
    probe '' Plain --json
    expect_json "no default device as JSON" 1 . '{"device":null}'
    probe Strong '' --json 0x1389
    expect_json "one family as JSON" 0 . \
        '{"device":"Strong \"GPU\" \\ one\ntwo\ttab \u007f é","family":5001,"supports_family":true,"max_threadgroup_memory":1048576}'
}

usage() {
    local bad
    for bad in '' ' 1009' 1009x +1009 -1009 -x 08 0x 0xg 1009.0 9223372036854775808 \
        18446744073709552625; do
        probe Plain '' "$bad"
        expect "malformed family '$bad'" 2 ""
        same "probe quotes the malformed family '$bad'" \
            "metal-capabilities: malformed family '$bad'" "${complaint%%$'\n'*}"
    done
    for bad in '' ',' '1009,' ',1009' '1009,,1008' '1009,x' '1009, 1008' -1; do
        probe Plain '' --require "$bad"
        expect "malformed list '$bad'" 2 ""
    done
    for bad in --nothing --Json -- --json=1 "1009 1008" "--require" "--all 1009" "--plan 1009" \
        "1009 --all"; do
        # shellcheck disable=SC2086 # several arguments
        probe Plain Plain $bad
        expect "usage error '$bad'" 2 ""
    done
    probe Plain '' --require "$(seq -s, 1 65)"
    expect "more required families than there is room for" 2 ""
    probe '' '' --help
    same "probe prints its usage" "0 usage: metal-capabilities" "$status ${answer%% [[]*}"
    env -i LD_LIBRARY_PATH="$out/full" WORLD_DEFAULT=Plain "$out/metal-capabilities" \
        >/dev/full 2>"$out/stderr"
    status=$?
    same "probe fails when it cannot write" \
        "1 metal-capabilities: cannot write the answer: No space left on device" \
        "$status $(cat "$out/stderr")"
}

require() {
    local head='device=Plain GPU|family=1009|supports_family=false|max_threadgroup_memory=32768'
    probe Plain '' --require 1001,0x7d2
    expect "required families are there" 0 \
        "$head|required_1001=true|required_2002=true|required_met=true"
    probe Plain '' --require 1001,1009
    expect "a required family is missing" 3 \
        "$head|required_1001=true|required_1009=false|required_met=false"
    probe Plain '' --json --require 1009
    expect_json "a required family is missing, JSON" 3 '[.required,.required_met]' \
        '[[{"family":1009,"supported":false}],false]'
    probe '' '' --require 1001
    expect "a required family without a device" 1 ""
    probe '' Plain,Strong --all --json --require 1001
    expect_json "every device must have the required families" 3 '[.devices[].required_met]' \
        '[true,false]'
    probe '' Strong,Plain --all --json --require 1001
    expect_json "the order of the devices does not matter" 3 '[.devices[].required_met]' \
        '[false,true]'
}

all() {
    local apple='Apple10=false|Apple9=false|Apple8=false|Apple7=false|Apple6=false|Apple5=true|Apple4=true|Apple3=true|Apple2=true|Apple1=true'
    probe '' Plain --all
    expect "every field of a device" 0 \
        "device=Plain GPU|registry_id=18446744073709551615|headless=false|low_power=false|unified_memory=true|recommended_working_set=1073741824|max_threadgroup_memory=32768|Metal4=false|Metal3=false|$apple|Common3=false|Common2=true|Common1=true|Mac2=true|Mac1=false"
    probe '' Plain,Strong --all
    same "probe parts devices by an empty line" "0 1" "$status $(grep -c '^$' <<<"$answer")"
    probe '' '' --all
    expect "no device at all" 1 ""
    probe '' '' --all --json
    expect_json "no device at all, JSON" 1 . '{"devices":[]}'
    probe '' Plain,Strong,Nothing --all --json
    expect_json "every field of a device as JSON" 0 \
        '[(.devices|length), (.devices[0]|.registry_id,.headless,.low_power,.unified_memory,.recommended_working_set,.max_threadgroup_memory,(.families|length),.families.Apple5,.families.Apple9,.families.Mac2,.families.Metal3), .devices[1].headless, .devices[2].device]' \
        '[3,"18446744073709551615",false,false,true,1073741824,32768,17,true,false,true,false,true,""]'
}

plan() {
    local below='tier_Apple9=no|tier_Apple8=no|tier_Apple7=no|tier_Apple6=no'
    probe Plain '' --plan
    expect "first tier that holds" 0 \
        "device=Plain GPU|tier_Metal4=no|tier_Metal3=no|tier_Apple10=no|$below|tier_Apple5=yes|tier_Apple4=yes|tier_Apple3=yes|tier_Apple2=yes|tier_Apple1=yes|tier_Common3=no|tier_Common2=yes|tier_Common1=yes|plan=Apple5"
    probe Nothing '' --plan
    same "probe says when no tier holds" "0 plan=none" "$status ${answer##*$'\n'}"
    probe Strong '' --plan --json
    expect_json "plan as JSON" 0 '[(.tiers|length), .tiers[0], .tiers[14].name, .plan]' \
        '[15,{"name":"Metal4","family":5002,"supported":true},"Common1","Metal4"]'
    probe '' Plain,Nothing --plan --all --json
    expect_json "a plan for each device" 0 '[.devices[].plan]' '["Apple5",null]'
    probe '' Plain --plan
    expect "a plan needs a device" 1 ""
}

# The two together, as a user runs them.
injected() {
    answer=$(env -i LD_LIBRARY_PATH="$out/full" LD_PRELOAD="$out/shim.so" WORLD_DEFAULT=Plain \
        LUME_METAL_APPLE_FAMILY_MAX=1009 "$out/metal-capabilities" --require 1009 2>"$out/stderr")
    status=$?
    expect "sees what the shim raises" 0 \
        "device=Plain GPU|family=1009|supports_family=true|max_threadgroup_memory=65536|required_1009=true|required_met=true"
}

single
usage
require
all
plan
injected
finish
