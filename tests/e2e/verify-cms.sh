#!/usr/bin/env bash
# hallmark verify: CMS signatures that openssl made with certificates of its own, and what openssl
# says of the same ones.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

"$TESTBIN/tools/macho_make" small >unsigned.dylib
run "$HALLMARK" sign --style codesign --identifier com.example.cms -o plain.dylib unsigned.dylib
"$TESTBIN/tools/cms_attach" directory plain.dylib directory

# issue NAME ISSUER EXTENSION...: a certificate; an issuer "-" is itself
issue() {
    local name=$1 issuer=$2
    shift 2
    [ -e "$name.key" ] || openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$name.key"
    printf '%s\n' subjectKeyIdentifier=hash "$@" >"$name.ext"
    openssl req -new -key "$name.key" -subj "/C=XX/CN=$name" -out "$name.csr"
    if [ "$issuer" = - ]; then
        openssl x509 -req -in "$name.csr" -signkey "$name.key" -days 36500 -extfile "$name.ext" -out "$name.pem"
    else
        openssl x509 -req -in "$name.csr" -CA "$issuer.pem" -CAkey "$issuer.key" -CAcreateserial \
            -days 36500 -extfile "$name.ext" -out "$name.pem"
    fi
} 2>/dev/null

ca=('basicConstraints=critical,CA:TRUE' 'keyUsage=critical,keyCertSign')
code=('basicConstraints=critical,CA:FALSE' 'keyUsage=critical,digitalSignature'
    'extendedKeyUsage=critical,codeSigning')
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key 2>/dev/null
issue root - "${ca[@]}"
issue middle root "${ca[@]}"
issue leaf middle "${code[@]}"
issue rsa middle "${code[@]}"
issue alone - "${code[@]}"
issue mail middle "${code[@]/codeSigning/emailProtection}"
issue poser root basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature
issue posed poser "${code[@]}"
cat middle.pem root.pem >chain.pem
cat poser.pem root.pem >poser-chain.pem

# attach OPTION...: signed.dylib with what `openssl cms -sign` writes
attach() {
    openssl cms -sign -binary -in directory -outform DER -out cms "$@" &&
        "$TESTBIN/tools/cms_attach" attach plain.dylib cms signed.dylib
}

# agree good|bad [SIGNED]: what openssl says of the signature alone
agree() {
    local word=expect
    [ "$1" = good ] || word=expect_not
    $word openssl cms -verify -inform DER -in cms -content "${2:-directory}" -binary -noverify -out /dev/null
}

t 'a good one, with RSA and EC keys and each digest'
for name in leaf rsa; do
    for digest in sha1 sha256 sha384 sha512; do
        attach -signer $name.pem -inkey $name.key -certfile chain.pem -md $digest
        agree good
        hm verify --trust root.pem signed.dylib
        expect_code 0
        expect_out '^warning sig.cms-timestamp: .*time of the CMS signature'
        expect_out '^  actual: .*, which the signer alone says'
        expect_out_has 'good: signed.dylib'
    done
done

t 'a signer named by its key, and no attributes'
for option in -keyid -noattr; do
    attach -signer rsa.pem -inkey rsa.key -certfile chain.pem $option
    agree good
    hm verify --trust root.pem signed.dylib
    expect_code 0
done
expect_out 'no time at all: validity was not judged'

t 'strictly, a signature without a timestamp is an error'
attach -signer leaf.pem -inkey leaf.key -certfile chain.pem
hm verify --strict --trust root.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-timestamp'

t 'the chain ends where nobody is trusted'
hm verify signed.dylib
expect_code 1
expect_out "^finding sig.cms-chain: .*certificate 'root' of the CMS signature at offset [0-9]+"
expect_out "actual: .*'C=XX, CN=root', which vouches for itself and is not trusted"
expect_out 'remedy: .*--trust'
hm verify --trust alone.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-chain'
hm verify --trust alone.pem --trust root.pem signed.dylib
expect_code 0
hm verify --trust middle.pem signed.dylib
expect_code 0

t 'an intermediate certificate that is not there is named, and can be given'
attach -signer leaf.pem -inkey leaf.key
agree good
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out "actual: .*the issuer 'C=XX, CN=middle' is missing"
hm verify --trust chain.pem signed.dylib
expect_code 0

t 'a signer without a certificate'
attach -signer leaf.pem -inkey leaf.key -nocerts
hm verify --trust chain.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-chain: .*certificates of the CMS signature'
expect_out "expected: one with the serial number [0-9a-f]+ by 'C=XX, CN=middle'"

t 'a certificate that vouches for itself'
attach -signer alone.pem -inkey alone.key
agree good
hm verify signed.dylib
expect_code 1
expect_out '^finding sig.cms-chain'
hm verify --trust alone.pem signed.dylib
expect_code 0

t 'certificates that may not do what they do'
attach -signer mail.pem -inkey mail.key -certfile chain.pem
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out "^finding sig.cms-chain: .*certificate 'mail'"
expect_out 'expected: an extended key usage for code signing'
attach -signer posed.pem -inkey posed.key -certfile poser-chain.pem
agree good
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out "^finding sig.cms-chain: .*certificate 'poser'"

t 'the signature of another CodeDirectory'
sed 's/com.example.cms/com.example.CMS/' directory >other
openssl cms -sign -binary -in other -outform DER -out cms -signer leaf.pem -inkey leaf.key -certfile chain.pem
agree good other
agree bad
"$TESTBIN/tools/cms_attach" attach plain.dylib cms signed.dylib
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-signature: .*signed.dylib: CMS signature at offset [0-9]+'
expect_out 'the digest of what is signed'

t 'a signature by another key'
attach -signer leaf.pem -inkey leaf.key -certfile chain.pem
# the last byte of the signature value is the last of the file
size=$(wc -c <cms)
{ head -c $((size - 1)) cms; tail -c 1 cms | tr '\000-\377' '\001-\377\000'; } >cms.new
mv cms.new cms
agree bad
"$TESTBIN/tools/cms_attach" attach plain.dylib cms signed.dylib
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-signature'
expect_out "expected: a signature by the key of 'leaf'"

t 'shapes that code signatures do not have'
for option in -nodetach -stream; do # which writes indefinite lengths, and the content
    attach -signer leaf.pem -inkey leaf.key -certfile chain.pem $option
    agree good
    hm verify --trust root.pem signed.dylib
    expect_code 1
    expect_out '^finding sig.cms-structure: .*content of the CMS signature'
done
attach -signer leaf.pem -inkey leaf.key -signer rsa.pem -inkey rsa.key -certfile chain.pem
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-structure: .*signers of the CMS signature'
expect_out 'actual: *2'
attach -signer rsa.pem -inkey rsa.key -certfile chain.pem -keyopt rsa_padding_mode:pss
agree good
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-structure'
expect_out 'actual: *rsassaPss'
openssl cms -data_create -in directory -outform DER -out cms
"$TESTBIN/tools/cms_attach" attach plain.dylib cms signed.dylib
hm verify signed.dylib
expect_code 1
expect_out 'actual: .*no SignedData'

t 'a cut signature, and lengths that promise more than there is'
attach -signer leaf.pem -inkey leaf.key -certfile chain.pem
size=$(wc -c <cms)
head -c $((size / 2)) cms >half
"$TESTBIN/tools/cms_attach" attach plain.dylib half signed.dylib
hm verify --trust root.pem signed.dylib
expect_code 1
expect_out '^finding sig.cms-structure'
printf '\060\204\377\377\377\377\006\001\052' >huge
"$TESTBIN/tools/cms_attach" attach plain.dylib huge signed.dylib
hm verify signed.dylib
expect_code 1
expect_out '^finding sig.cms-structure'

t 'trusted certificates that cannot be read'
attach -signer leaf.pem -inkey leaf.key -certfile chain.pem
hm verify --trust nowhere.pem signed.dylib
expect_code 3
expect_err 'nowhere.pem'
hm verify --trust leaf.key signed.dylib
expect_code 3
expect_err "'leaf.key' has no certificate"
expect_err 'while reading the trusted certificates'

t 'the answer as JSON'
hm verify --json --trust root.pem signed.dylib
expect_code 0
expect_out '"id": "sig.cms-timestamp"'

finish
