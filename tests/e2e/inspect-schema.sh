#!/usr/bin/env bash
# hallmark inspect --json: every answer is what the JSON Schema says, and the schema says something.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

schema=$SRCDIR/src/inspect.schema.json

# accepted FILE...: prints the names of those that are valid; what is wrong goes to stderr. By the
# validator of Debian, in one process, or by that of Homebrew.
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
    accepted() {
        /usr/bin/python3 - "$schema" "$@" <<'PYTHON'
import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1]) as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for name in sys.argv[2:]:
    with open(name) as file:
        errors = list(validator.iter_errors(json.load(file)))
    for error in errors[:3]:
        print(name, error.json_path, error.message[:200], file=sys.stderr)
    if not errors:
        print(name)
PYTHON
    }
elif command -v check-jsonschema >/dev/null; then
    accepted() {
        local file
        for file in "$@"; do
            check-jsonschema --schemafile "$schema" "$file" >&2 && echo "$file"
        done
    }
else
    t 'every answer is what the schema says'
    skip 'no validator for JSON Schema (python3-jsonschema, check-jsonschema)'
    finish
fi

# shellcheck disable=SC2317 # called through expect
valid() { [ "$(accepted "$@")" = "$(printf '%s\n' "$@")" ]; }

made() { # KIND [NAME]
    "$TESTBIN/tools/macho_make" "$1" >"${2:-$1}"
}

# described CODE FILE...: the answer, with and without lists, is valid.
described() {
    local expected=$1
    shift
    hm inspect --json "$@"
    expect_code "$expected"
    cp "$out" answer.json
    hm inspect --json --symbols --fixups "$@"
    expect_code "$expected"
    cp "$out" listed.json
    expect valid answer.json listed.json
    expect jq -e --argjson count $# '.files | length == $count' answer.json
}

t 'images of every word size, byte order and file type, universal files'
for kind in small i386 ppc ppc64 bundle dsym kext core fat fat64 control-bytes bad-utf8; do
    made "$kind"
done
described 0 small i386 ppc ppc64 bundle dsym kext core fat fat64 control-bytes bad-utf8
expect jq -e '[.files[].slices[].filetype] | unique == ["bundle","core","dsym","dylib","kext"]' \
    answer.json
expect jq -e '[.files[].format] | unique == ["thin","universal","universal64"]' answer.json

t 'signatures: of the linker, ad hoc, with entitlements, requirements, constraints and CMS'
cat >entitlements.plist <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>com.apple.security.get-task-allow</key><true/>
<key>groups</key><array><string>one</string><string>two</string></array>
<key>nothing</key><dict/><key>number</key><integer>-7</integer>
</dict></plist>
XML
expect "$HALLMARK" sign small -o linker --style linker
expect "$HALLMARK" sign small -o adhoc
expect "$HALLMARK" sign small -o entitled --entitlements entitlements.plist
hm inspect --json entitled
jq -j '.files[0].slices[0].signature.blobs[] | select(.slot == 7) | "\(.offset) \(.size)"' "$out" \
    >where
read -r offset size <where
start=$(jq '.files[0].slices[0].signature.offset' "$out")
tail -c +$((start + offset + 9)) entitled | head -c $((size - 8)) >der
"$TESTBIN/tools/macho_blobs" entitled 8=der 9=der 10=der 11=der >constrained
printf '%b' '\xfa\xde\x0c\x01\0\0\0\x24\0\0\0\x01\0\0\0\x03\0\0\0\x14' \
    '\xfa\xde\x0c\0\0\0\0\x10\0\0\0\x01\0\0\0\x03' >requirements
"$TESTBIN/tools/macho_blobs" adhoc 2=requirements >required
described 0 linker adhoc entitled constrained required
expect jq -e '[.files[].slices[0].signature.kind] == ["linker","adhoc","adhoc","adhoc","adhoc"]' \
    answer.json
expect jq -e '.files[3].slices[0].signature.launch_constraints.library.number == -7' answer.json
expect jq -e '.files[4].slices[0].signature.requirements ==
    [{type: "designated", text: "anchor apple"}]' answer.json

t 'findings, by slice'
expect "$HALLMARK" sign fat -o changed
hm inspect --json changed
slice=$(jq '.files[0].slices[1].offset' "$out")
printf x | dd of=changed bs=1 seek=$((slice + 1540)) conv=notrunc 2>/dev/null
described 0 changed
expect jq -e '.files[0].slices | map(.signature.valid) == [true, false]' answer.json
expect jq -e --arg place "page 0 at offset $slice " '.files[0].slices[1].signature.findings[0] |
    .id == "sig.page-hash" and .slice == "arm64" and (.place | startswith($place))' answer.json

t 'a CMS signature'
if command -v openssl >/dev/null; then
    echo content >content
    expect openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem \
        -days 30 -subj '/C=US/O=Nobody/CN=Test Signer' -addext keyUsage=digitalSignature
    expect openssl cms -sign -binary -in content -signer certificate.pem -inkey key.pem \
        -outform DER -out cms.der
    "$TESTBIN/tools/macho_blobs" adhoc 0x10000=cms.der >cms
    described 0 cms
    expect jq -e '.files[0].slices[0].signature | .kind == "cms" and (.certificates | length) == 1
        and .certificates[0].common_name == "Test Signer" and .signing_time != null' answer.json
else
    skip 'openssl is not installed'
fi

t 'what cannot be read as a whole: tables, slices, blobs'
for kind in trie-cycle import-name chain-loop fat-broken fat-lie; do
    made "$kind"
done
echo 'no property list' >garbage
"$TESTBIN/tools/macho_blobs" adhoc 5=garbage 7=garbage 8=garbage 0x10000=garbage >garbled
printf '\xfa\xde\x0c\x01\0\0\0\x08' >empty-set
"$TESTBIN/tools/macho_blobs" adhoc 2=empty-set >no-set
cp adhoc torn
printf 'xxxx' | dd of=torn bs=1 seek="$start" conv=notrunc 2>/dev/null
made fat-overlap
head -c 10000 fat >fat-cut
described 3 trie-cycle import-name chain-loop fat-broken fat-lie fat-overlap fat-cut garbled \
    no-set torn
expect jq -e '[.files[] | .slices | map(.faults | length) | add > 0] | all' answer.json

t 'objects and static archives'
if command -v clang-19 >/dev/null && command -v llvm-ar-19 >/dev/null; then
    echo 'int f(int x) { return x + 1; }' >f.c
    for arch in arm64 x86_64; do
        expect clang-19 -target "$arch-apple-macos11" -c f.c -o "$arch.o"
        expect llvm-ar-19 rcs "$arch.a" "$arch.o"
    done
    expect llvm-lipo-19 -create arm64.a x86_64.a -output both.a
    expect llvm-ar-19 rcs mixed.a arm64.o x86_64.o f.c
    described 0 arm64.o arm64.a both.a mixed.a
    expect jq -e '.files[0].slices[0].fixups | .kind == "none" or .kind == "relocations"' \
        answer.json
    expect jq -e '[.files[1:][].slices[] | [.arch, .filetype, (.members | length)]] ==
        [["arm64","archive",1],["x86_64","archive",1],["arm64","archive",1],[null,"archive",3]]' \
        answer.json
else
    skip 'clang-19 and llvm-19 are not installed'
fi

t 'files that cannot be read, alone and among others'
: >nothing
hm inspect --json nothing
expect_code 3
cp "$out" failed.json
hm inspect --json small nothing nowhere
expect_code 3
cp "$out" answer.json
expect valid failed.json answer.json
expect jq -e '[.files[] | has("failure")] == [false, true, true]' answer.json

# refused FILTER: the answer changed by jq is not what the schema says; all are looked at below.
refused() {
    count=$((count + 1))
    jq "$1" good.json >"bad-$count.json" || fail "jq cannot do $1"
    if cmp -s good.json "bad-$count.json"; then
        fail "$1 changes nothing"
    fi
    echo "bad-$count.json $1" >>filters
}

t 'the schema refuses what is wrong'
described 0 entitled fat
cp listed.json good.json
count=0
refused '.files[0].sha256 = 7'
refused '.files[0].sha256 |= ascii_upcase'
refused 'del(.files[0].sha256)'
refused '.files[0].more = 1'
refused '.files[0].slices = []'
refused '.files[0].format = "elf"'
refused '.more = 1'
refused '.files[0].failure = "why"'
refused '.files[0] = {path: "x", verdict: "failed", slices: []}'
refused '.files[0] = {path: "x", verdict: "failed", failure: "why"}'
refused '.files[0] = {path: "x", verdict: "good", failure: "why", slices: []}'
refused '.files[0] = {path: "x", verdict: "failed", failure: "why", slices: [{}]}'
for key in arch cpusubtype filetype offset size minos sdk uuid signature faults segments libraries \
    rpaths fixups import_count builds; do
    refused "del(.files[0].slices[0].$key)"
done
refused '.files[0].slices[0].more = 1'
refused '.files[0].slices[0].offset = -1'
refused '.files[0].slices[0].minos = 13'
refused '.files[0].slices[0].uuid |= ascii_downcase'
refused '.files[0].slices[0].members = []'
refused '.files[0].slices[0].filetype = null'
refused '.files[0].slices[0].filetype = "archive"'
for key in kind valid identifier team flags page_size hash_types cdhash findings directories; do
    refused "del(.files[0].slices[0].signature.$key)"
done
refused '.files[0].slices[0].signature.kind = "codesign"'
refused '.files[0].slices[0].signature.valid = "true"'
refused '.files[0].slices[0].signature.flags = "0x2"'
refused '.files[0].slices[0].signature.hash_types = ["md5"]'
refused '.files[0].slices[0].signature.cdhash = "00"'
refused '.files[0].slices[0].signature.more = 1'
refused '.files[0].slices[0].signature.findings = [{"level": "error"}]'
refused '.files[0].slices[0].signature.findings = [{"level": "bad", "id": "sig.page-hash"}]'
refused '.files[0].slices[0].segments[0].sections[0].more = 1'
refused '.files[0].slices[0].libraries[0].kind = "strong"'
refused '.files[0].slices[0].imports[0].ordinal = "1"'
jq . good.json >same.json # changed by jq alone: still valid
accepted same.json bad-*.json >accepted 2>errors
expect test "$count" -gt 40
expect test "$(cat accepted)" = same.json
grep -wFf accepted filters >"$out" && fail "accepted: $(cat "$out")"

# Every key that is answered is one that somebody described.
t 'each key of the schema is described'
expect jq -e '[.. | objects | select(.additionalProperties == false) | .properties
    | to_entries[] | select(.value | (has("description") or has("$ref")) | not) | .key] == []' \
    "$schema"

finish
