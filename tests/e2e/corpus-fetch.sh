#!/usr/bin/env bash
# tests/corpus/fetch takes from packages what its list says and nothing else. npm is a stand-in
# here that packs what the test made; the list is the test's own.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

mkdir suite bin registry
cp "$SRCDIR/tests/corpus/fetch" suite/
cat >bin/npm <<'N'
#!/bin/sh
# npm pack …: the last argument is NAME@VERSION. $STAND_IN/fail: how many times it still fails.
for spec; do :; done
echo "$*" >>"$STAND_IN/calls"
left=$(cat "$STAND_IN/fail" 2>/dev/null || echo 0)
if [ "$left" -gt 0 ]; then
    echo $((left - 1)) >"$STAND_IN/fail"
    cat "$STAND_IN/words" >&2
    exit 1
fi
cp "$STAND_IN/$spec.tgz" .
echo "$spec.tgz"
N
printf '#!/bin/sh\n' >bin/sleep
chmod +x bin/npm bin/sleep
export PATH="$PWD/bin:$PATH" STAND_IN="$PWD/registry"

# pack NAME DIR: the stand-in's package of everything in DIR
pack() {
    tar -czf "registry/$1.tgz" "$2"
}

# row PACKAGE PATH SLICE SIZE FILE: a line of the list, as far as fetch reads it
row() {
    printf '%s\t1.0\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$(sha256sum <"$5" | cut -c1-64)"
}

fetch() {
    run bash suite/fetch "$@"
}

mkdir -p package/bin other/lib nested/Contents
echo one >package/bin/one
echo two >'package/bin/two words'
echo fat >other/lib/fat # in a package whose folder has another name
echo inner >nested/Contents/inner
(cd nested && tar -czf ../package/inner.tgz ./Contents)
pack a@1.0 package
pack b@1.0 other
{
    printf 'package\tversion\tpath\tslice\tsize\tsha256\n'
    row a bin/one thin 4 package/bin/one
    row a 'bin/two words' thin 4 'package/bin/two words'
    row a inner.tgz!/Contents/inner thin 6 nested/Contents/inner
    row b lib/fat 'fat0 off=0 align=2^2' 2 other/lib/fat
    row b lib/fat 'fat1 off=2 align=2^1' 2 other/lib/fat
} >suite/list.tsv
cp suite/list.tsv good.tsv
digests=()
while IFS= read -r digest; do
    digests+=("$digest")
done < <(tail -n +2 suite/list.tsv | cut -f6 | sort -u)

t 'takes the files of the list, under their digests'
fetch cache
expect_code 0
expect_out_empty
expect_only cache "${digests[@]}"
expect_same "cache/$(sha256sum <nested/Contents/inner | cut -c1-64)" nested/Contents/inner
expect_same "cache/$(sha256sum <other/lib/fat | cut -c1-64)" other/lib/fat
expect test "$(wc -l <registry/calls)" -eq 2
expect grep -q -- --ignore-scripts registry/calls

t 'asks nobody when they are there'
rm registry/calls
fetch cache
expect_code 0
expect_err_empty
expect_no_file registry/calls

t 'fetches again what was damaged, and only that package'
echo oNe >"cache/$(sha256sum <package/bin/one | cut -c1-64)"
fetch cache
expect_code 0
expect test "$(wc -l <registry/calls)" -eq 1
expect_same "cache/$(sha256sum <package/bin/one | cut -c1-64)" package/bin/one

t 'tries again when the network drops'
echo 'npm error code ECONNRESET' >registry/words
echo 3 >registry/fail
fetch again
expect_code 0
expect_only again "${digests[@]}"

t 'says when the network is not there, after the first package'
rm -f registry/calls
echo 100 >registry/fail
fetch none
expect_code 3
expect_err_has 'cannot fetch a@1.0 with npm pack'
expect_err_has 'ECONNRESET'
expect_only none
expect_not grep -q b@1.0 registry/calls

t 'says at once when there is no such version'
rm -f registry/calls
echo 'npm error code ETARGET' >registry/words
fetch none
expect_code 1
expect_err_has 'cannot fetch a@1.0'
expect_err_has 'cannot fetch b@1.0'
expect test "$(wc -l <registry/calls)" -eq 2
expect_only none
echo 0 >registry/fail

t 'refuses another file under the same name'
echo onE >package/bin/one
pack a@1.0 package
fetch swapped
expect_code 1
expect_err_has "a@1.0: 'bin/one' is another file: 4 bytes"
expect_no_file "swapped/$(sha256sum <package/bin/one | cut -c1-64)"
expect test "$(find swapped -type f | wc -l)" -eq 3
echo one >package/bin/one
pack a@1.0 package

t 'writes no more of a file than its size'
head -c 100000 /dev/zero >package/bin/one
pack a@1.0 package
fetch large
expect_code 1
expect_err_has "'bin/one' is another file: 5 bytes"
echo one >package/bin/one
pack a@1.0 package

t 'says which file a package does not have'
row a bin/missing thin 4 package/bin/one >>suite/list.tsv
sed -i.bak 's/bin\/missing\(.*\)....$/bin\/missing\10000/' suite/list.tsv
fetch lacking
expect_code 1
expect_err_has "a@1.0: there is no file 'bin/missing' in it"
cp good.tsv suite/list.tsv

t 'follows no link out of a package'
echo secret >secret
rm package/bin/one
ln -s ../../secret package/bin/one
pack a@1.0 package
fetch link
expect_code 1
expect_err_has "'bin/one' is another file: 0 bytes"
rm package/bin/one
echo one >package/bin/one
pack a@1.0 package

t 'two runs fill one cache'
bash suite/fetch -q both 2>first.err &
first=$!
fetch -q both
expect_code 0
expect wait "$first"
expect_only both "${digests[@]}"

t 'clears away what a killed run left a day ago, not what another one is at'
mkdir cache/.fetch.dead cache/.fetch.alive
touch -t 202001010000 cache/.fetch.dead
fetch cache
expect_code 0
expect_only cache "${digests[@]}" .fetch.alive

t 'is in the cache directory of the user, or where it is told'
run env -u HALLMARK_CORPUS -u XDG_CACHE_HOME HOME=/h bash suite/fetch --where
expect_out_is - <<<'/h/.cache/hallmark/corpus'
run env -u HALLMARK_CORPUS XDG_CACHE_HOME=/x bash suite/fetch --where
expect_out_is - <<<'/x/hallmark/corpus'
run env HALLMARK_CORPUS=/c bash suite/fetch --where
expect_out_is - <<<'/c'
run env -u HALLMARK_CORPUS -u XDG_CACHE_HOME -u HOME bash suite/fetch
expect_code 3
expect_err_has 'no directory for the cache'
fetch --nothing
expect_code 2

finish
