#!/usr/bin/env bash
# hallmark inspect: what it tells people of a signature, part by part.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

blobs() { "$TESTBIN/tools/macho_blobs" "$@"; }

"$TESTBIN/tools/macho_make" small >small

t 'a signature of the linker'
expect "$HALLMARK" sign small -o linker --style linker
hm inspect linker
expect_code 0
expect_out_has "signature      ad hoc, linker-signed (not judged here: 'hallmark verify' does)"
expect_out_has 'place        160 bytes at offset 3072, 160 in use'
expect_out_has 'directory    slot 0x0, version 0x20400, '
expect_out_has 'flags        0x20002 (adhoc, linker-signed)'
expect_out_has 'hashes       sha256: 1 page of 4096 bytes up to offset 3072, 0 special slots'
expect_out_has 'exec segment base 0, limit 2048, flags 0x0'
expect_no_out 'requirements|entitlements|signer'
hm inspect --json linker
jq -r '.files[0].slices[0].signature.cdhash' "$out" >cdhash
hm inspect linker
expect_out_has "cdhash       $(cat cdhash)"

t 'entitlements as a tree, once when both forms say the same'
cat >one.plist <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>com.apple.security.get-task-allow</key><true/>
<key>groups</key><array><string>one</string><string>t&#x9b;o</string></array>
<key>number</key><integer>-7</integer>
</dict></plist>
XML
sed 's/-7/-8/' one.plist >two.plist
expect "$HALLMARK" sign small -o entitled --entitlements one.plist
expect "$HALLMARK" sign small -o other --entitlements two.plist
hm inspect entitled
expect_code 0
expect_out '^    entitlements com.apple.security.get-task-allow = true$'
expect_out '^                 groups =$'
expect_out '^                   - "one"$'
expect_out_has '- "t\xc2\x9bo"'
expect_out '^                 number = -7$'
expect_out '^    in DER form  the same$'
expect_out_has '5 entitlements      '
expect_out_has '7 DER entitlements  '
expect_out '^    blobs        CodeDirectory            slot 0x0 '
expect_out_has 'requirements none (an empty set)'

# payload SLOT FILE: the content of a blob, without its header.
payload() {
    hm inspect --json "$2"
    read -r from size <<<"$(jq -r --argjson slot "$1" '.files[0].slices[0].signature |
        "\(.offset + (.blobs[] | select(.slot == $slot).offset) + 9) \(.blobs[] | select(.slot == $slot).size - 8)"' "$out")"
    tail -c "+$from" "$2" | head -c "$size"
}

t 'entitlements whose forms differ are both shown'
payload 7 other >other.der
blobs entitled 7=other.der >differing
hm inspect differing
expect_code 0
expect_out '^                 number = -7$'
expect_out '^    in DER form  com.apple.security.get-task-allow = true$'
expect_out '^                 number = -8$'

t 'launch constraints, each by whom it is for'
blobs entitled 8=other.der 9=other.der 10=other.der 11=other.der >constrained
hm inspect constrained
expect_code 0
for label in 'launched as ' 'launched by ' 'responsible is' 'may load    '; do
    expect_out "^    $label +com.apple.security.get-task-allow = true\$"
done
expect_out_has 'library constraint       slot 0xb '

t 'requirements in their language'
printf '%b' '\xfa\xde\x0c\x01\0\0\0\x24\0\0\0\x01\0\0\0\x03\0\0\0\x14' \
    '\xfa\xde\x0c\0\0\0\0\x10\0\0\0\x01\0\0\0\x03' >requirements
blobs entitled 2=requirements >required
hm inspect required
expect_code 0
expect_out '^    requirements designated => anchor apple$'

t 'certificates, the signer and the times of a CMS signature'
if command -v openssl >/dev/null; then
    echo content >content
    expect openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem \
        -days 30 -subj $'/C=US/O=No\x1bbody/CN=Test Signer' -addext keyUsage=digitalSignature
    expect openssl cms -sign -binary -in content -signer certificate.pem -inkey key.pem \
        -outform DER -out cms.der
    blobs entitled 0x10000=cms.der >cms
    hm inspect cms
    expect_code 0
    expect_out_has 'signature      CMS (not judged here'
    expect_out '^    signer       Test Signer$'
    expect_out "^    signing time $(date -u +%Y)-.* UTC \(the signer's own claim\)\$"
    expect_out '^    timestamp    none$'
    expect_out '^    certificates 1  .*CN=Test Signer'
    expect_out '^                    issuer   itself$'
    expect_out "^                    sha256   $(openssl x509 -in certificate.pem -noout -fingerprint -sha256 |
        sed 's/.*=//; s/://g' | tr A-F a-f)\$"
    expect_not grep -q $'\x1b' "$out"
else
    skip 'openssl is not installed'
fi

t 'a part that cannot be read hides no other'
echo 'no property list' >garbage
blobs entitled 5=garbage >bad-xml
hm inspect bad-xml
expect_code 3
expect_out '^    entitlements cannot be read: '
expect_out '^    in DER form  com.apple.security.get-task-allow = true$'
expect_err_has 'while reading the entitlements'
blobs entitled 0x10000=garbage 8=garbage >bad-cms
hm inspect bad-cms
expect_code 3
expect_out '^    CMS          cannot be read: '
expect_out '^    launched as  cannot be read: '
expect_out '^    in DER form  the same$'
expect_err_has 'while reading the CMS signature'
expect_err_has 'hint: the answer tells of 1 more part that cannot be read'
head -c 35 requirements >short-set
printf '\x63' >>short-set # an opcode that nobody knows
blobs entitled 2=short-set >bad-requirements
hm inspect bad-requirements
expect_code 3
expect_out '^    requirements cannot be read: .*unknown opcode'
expect_out '^    requirements designated => '
sed 's/<dict>/<array>/; s/<.dict>/<\/array>/; s/<key>[^<]*<.key>//' one.plist >array.plist
blobs entitled 5=array.plist >array
hm inspect array
expect_code 3
expect_out '^    entitlements cannot be read: they are no dictionary$'
cp linker torn
printf 'xxxx' | dd of=torn bs=1 seek=3072 conv=notrunc 2>/dev/null
hm inspect torn
expect_code 3
expect_out_has 'signature      unreadable'
expect_out_has 'finding      sig.structure: SuperBlob'
expect_out_has 'install name   @rpath/small.dylib'
expect_err_has 'the code signature is malformed: SuperBlob'

finish
