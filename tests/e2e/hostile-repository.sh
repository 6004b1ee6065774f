#!/usr/bin/env bash
# A repository with a pipe where a file should be: nothing waits for it.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

for file in HEAD config packed-refs shallow refs/heads/main refs/tags/v1 info/attributes \
    objects/info/alternates; do
    t "a pipe as .git/$file"
    rm -rf work
    mkrepo work
    echo x >work/f
    commit first
    git -C work tag v1
    [ "$file" = refs/tags/v1 ] || git -C work pack-refs --all
    rm -f "work/.git/$file"
    mkfifo "work/.git/$file"
    for rev in HEAD main v1; do
        run timeout 10 "$HALLMARK" archive --repo work --rev "$rev" -o out.tar
        rm -f out.tar
        case $code in
        0 | 3) ;;
        *) fail "--rev $rev: status $code" && e2e_show ;;
        esac
    done
    expect_no_file out.tar
done

finish
