#!/usr/bin/env bash
# hallmark release: the same bytes whoever runs it, where, when and in whatever environment. Whole
# directories are compared, all but attestations/.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
head=$(rev)
args=(--quiet release --rev "$head" --recipe-file "$PWD/stranger.yaml")

# The release that the others are compared with.
t 'a release to compare with'
run "$HALLMARK" "${args[@]}" --repo stranger --out "$PWD/expected"
expect_code 0
[ "$code" = 0 ] || finish
cp -R expected reference && rm -rf expected/attestations

same_as() { # REFERENCE DIR, modes included
    rm -rf "$2/attestations"
    expect_same "$1" "$2"
    (cd "$1" && find . -exec stat -c '%a %n' {} + 2>/dev/null | sort) >modes.1
    (cd "$2" && find . -exec stat -c '%a %n' {} + 2>/dev/null | sort) >modes.2
    expect_same modes.1 modes.2
}

again() { # COMMAND... that ends with hallmark: releases once more
    rm -rf second
    run "$@" "${args[@]}" --repo stranger --out "$PWD/second"
    expect_code 0
    same_as expected second
}

t 'another umask'
for mask in 000 077 027; do
    again sh -c "umask $mask; exec \"\$@\"" sh "$HALLMARK"
done

t 'another time zone and locale'
again env TZ=Asia/Kathmandu LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr "$HALLMARK"
again env TZ=XYZ-13:45 LC_ALL=C.UTF-8 "$HALLMARK"

t 'variables that move compilers and git'
mkdir -p evil/include
echo '#error from the environment' >evil/include/shim.h
echo '#error from the environment' >evil/include/NSObject.h
again env HOME="$PWD/evil" LIBRARY_PATH="$PWD/evil" CPATH="$PWD/evil/include" \
    C_INCLUDE_PATH="$PWD/evil/include" OBJC_INCLUDE_PATH="$PWD/evil/include" SDKROOT="$PWD/evil" \
    MACOSX_DEPLOYMENT_TARGET=10.4 CCC_OVERRIDE_OPTIONS='+-DSHIM_VERSION=9 O0' \
    CLANG_CONFIG_FILE_SYSTEM_DIR="$PWD/evil" LD_TRACE=1 LLD_REPRODUCE="$PWD/evil/repro.tar" \
    SOURCE_DATE_EPOCH=1 ZERO_AR_DATE=0 CFLAGS=-O0 LDFLAGS=-dead_strip CC=false "$HALLMARK"
again env GIT_DIR="$PWD/evil" GIT_WORK_TREE="$PWD/evil" GIT_INDEX_FILE=x GIT_OBJECT_DIRECTORY=x \
    GIT_ALTERNATE_OBJECT_DIRECTORIES=x GIT_NAMESPACE=x GIT_CEILING_DIRECTORIES=/ \
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.autocrlf GIT_CONFIG_VALUE_0=true \
    GIT_ATTR_NOSYSTEM=1 "$HALLMARK"
expect_only evil include .cache # the cache of digests
printf '[core]\n\tautocrlf = true\n\tattributesFile = ~/attributes\n[tar]\n\tumask = 0077\n' >evil/.gitconfig
echo '* export-ignore' >evil/attributes
again env HOME="$PWD/evil" XDG_CONFIG_HOME="$PWD/evil" "$HALLMARK"

t 'scratch space elsewhere, under names of other length'
long=$PWD/$(printf 'long%.0s' $(seq 1 40))
mkdir "$long" "$PWD/with blank" s
again env TMPDIR="$long" "$HALLMARK"
again env TMPDIR="$PWD/with blank" "$HALLMARK"
again env TMPDIR="$PWD/s" "$HALLMARK"
expect_only "$long"
expect_only s

t 'another place, a relative repository and output'
mkdir -p deep/er
cp -R stranger deep/er/
run "$HALLMARK" -C deep "${args[@]}" --repo er/stranger --out out
expect_code 0
same_as expected deep/out

t 'another time'
if [ "$HALLMARK_VARIANT" = asan ] || ! command -v faketime >/dev/null; then
    skip 'no libfaketime, or it cannot be preloaded here'
else
    again faketime '1999-12-31 23:59:59' "$HALLMARK"
    again faketime '2037-05-05 05:05:05' "$HALLMARK"
    # The compiler has a closed environment, so give it the clock as well.
    mkdir -p clock
    run faketime '2030-01-01' "$HALLMARK" "${args[@]}" --repo stranger --out "$PWD/clock/r"
    expect_code 0
    run jq -r .started clock/r/attestations/observed.json
    expect_out '^20(29|30)-'
    same_as expected clock/r
fi

t 'one processor'
if command -v taskset >/dev/null; then
    again taskset -c 0 "$HALLMARK"
else
    skip 'no taskset here'
fi

t 'few descriptors, low priority, no HOME'
again sh -c 'ulimit -n 64; exec nice -n 10 "$@"' sh "$HALLMARK"
again env -u HOME -u TMPDIR -u TERM "$HALLMARK"

t 'another user'
if [ "$HALLMARK_VARIANT" = asan ]; then
    skip 'another user cannot write the reports of the sanitizers'
elif [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
    skip 'cannot become another user here'
else
    place=$(mktemp -d /tmp/hallmark-user.XXXXXX)
    mkdir -p "$place/data"
    cp "$HALLMARK" "$place/hallmark"
    cp stranger.yaml "$place/recipe.yaml"
    cp -R "$SRCDIR/toolchain" "$place/data/"
    git clone -q --bare stranger "$place/stranger.git"
    mkdir "$place/tmp"
    chmod -R go+rX "$place"
    chown -R 65534:65534 "$place/tmp"
    run setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH="$PATH" LANG=xx \
        TMPDIR="$place/tmp" HALLMARK_DATA="$place/data" sh -c 'umask 077; cd /; exec "$@"' sh \
        "$place/hallmark" --quiet release --rev "$head" --repo "$place/stranger.git" \
        --recipe-file "$place/recipe.yaml" --out "$place/tmp/out"
    expect_code 0
    cp -R "$place/tmp/out" user
    same_as expected user
    rm -rf "$place"
fi

t 'the repository packed, loose, cloned, with alternates, as a worktree, dirty, on another branch'
from() { # REPOSITORY
    rm -rf second
    run "$HALLMARK" "${args[@]}" --repo "$1" --out "$PWD/second"
    expect_code 0
    same_as expected second
}
cp -R stranger packed && git -C packed gc -q --aggressive --prune=now && from packed
git -C packed pack-refs --all && from packed
git clone -q --bare stranger bare.git && from bare.git
git clone -q --shared stranger shared && from shared
git clone -q --depth 1 "file://$PWD/stranger" shallow && from shallow
git -C stranger worktree add -q "$PWD/tree" HEAD && from tree
git -C stranger checkout -q --orphan empty && git -C stranger rm -rqf . && from stranger
git -C stranger checkout -q main
echo broken >stranger/src/shim.m && echo '* export-ignore' >stranger/.gitattributes
from stranger

t 'the shim of this project, twice'
if [ ! -e "$SRCDIR/shim/hallmark.yaml" ]; then
    skip 'the shim has no recipe here'
else
    mkrepo project
    cp -R "$SRCDIR/shim" "$SRCDIR/toolchain" project/
    commit 'the shim'
    for i in 1 2; do
        mkdir -p "place-$i$i"
        hm --quiet release --repo project --rev main --recipe shim/hallmark.yaml --out "place-$i$i/shim"
        expect_code 0
        rm -rf "place-$i$i/shim/attestations"
        git -C project gc -q --prune=now
    done
    same_as place-11/shim place-22/shim
fi

t 'and an audit of the first agrees in another environment'
run env TZ=Asia/Tokyo LC_ALL=C.UTF-8 CPATH="$PWD/evil/include" "$HALLMARK" --quiet audit reference \
    --repo packed
expect_code 0

finish
