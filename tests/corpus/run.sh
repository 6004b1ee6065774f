#!/usr/bin/env bash
# hallmark on real Mach-O files that other people made: what inspect tells agrees with every column
# of list.tsv and with llvm-objdump, verify comes to its verdict, sign --renew writes each valid ad-hoc
# signature again, byte for byte, and what sign writes anew holds. tests/corpus/fetch brings the
# files; tests/README.md tells the rest.
HERE=$(cd "$(dirname "$0")" && pwd -P)
CORPUS=${HALLMARK_CORPUS:-$("$HERE/fetch" --where)} # before the kit gives the test another home
. "${SRCDIR:=$(cd "$HERE/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/llvm.sh"

COLUMNS=(type arch cpusubtype minos_sdk tools uuid fixups sig cdver hashes pagesize ident team
    cdflags ent special codelimit execseg dataoff datasize superlen cdhash)

# Without a network there is nothing to try, except in CI.
absent() { # REASON
    t 'the corpus is there'
    if [ -n "${CI:-}" ]; then
        fail "$1"
    else
        skip "$1"
    fi
    finish
}

command -v jq >/dev/null || absent 'jq is not installed'
command -v sha256sum >/dev/null || absent 'sha256sum is not installed'
[ -d "$CORPUS" ] || absent 'it was not fetched: run tests/corpus/fetch'

tail -n +2 "$HERE/list.tsv" >rows
cut -f6 rows | sort -u | while IFS= read -r sha; do
    echo "$sha  $CORPUS/$sha"
done >sums
missing=$(cut -c67- sums | while IFS= read -r file; do [ -e "$file" ] || echo "$file"; done | wc -l)
[ "$missing" -eq 0 ] ||
    absent "$((missing)) of $(($(wc -l <sums))) files were not fetched: run tests/corpus/fetch"

t 'the files are those of the list'
expect sha256sum --check --strict --quiet sums
expect test "$(awk -F'\t' 'NF != 29' rows | wc -l)" -eq 0
[ "$e2e_failures" -eq 0 ] || finish

# asked COMMAND SHA256: the answer is in $SHA256.COMMAND and its exit status in $code, whichever
# slice of the file asks first.
asked() {
    if [ ! -e "$2.$1" ]; then
        local options=(--json)
        [ "$1" != inspect ] || options+=(--symbols)
        hm "$1" "${options[@]}" "$CORPUS/$2"
        expect_err_empty
        cp "$out" "$2.$1"
        echo "$code" >"$2.$1.code"
    fi
    read -r code <"$2.$1.code"
}

# inspects SHA256 INDEX OFFSET SIZE EXPECTED_COLUMN...
inspects() {
    local i told answer=$1.inspect
    asked inspect "$1"
    expect_code 0
    expect jq -e --argjson slice "$2" --argjson offset "$3" --argjson size "$4" \
        '.files[0].slices[$slice] | .offset == $offset and .size == $size' "$answer"
    if ! told=$(jq -r --argjson slice "$2" -f "$HERE/columns.jq" "$answer" 2>&1); then
        fail "the answer has no such slice, or another form: $told"
        return
    fi
    shift 4
    IFS=$'\t' read -r -a told <<<"$told"
    for ((i = 0; i < ${#COLUMNS[@]}; i++)); do
        [ "${told[i]-}" = "$1" ] || fail "${COLUMNS[i]}: the list has '$1', inspect '${told[i]-}'"
        shift
    done
}

# agrees SHA256 INDEX OFFSET SIZE: with llvm-objdump, of what both can see.
agrees() {
    if ! command -v llvm-objdump-19 >/dev/null; then
        skip 'llvm-objdump-19 is not installed'
        return
    fi
    tail -c "+$(($3 + 1))" "$CORPUS/$1" | head -c "$4" >slice
    agrees_with_llvm slice "$1.inspect" "$2"
}

# The errors in an answer of verify: an id for each, and for page hashes where and of which type.
errors_told() { # FILE ARCH: those of one slice, and those that are of none
    jq -r --arg arch "$2" '.paths[0] | .failure // empty,
        (.findings[] | select(.level == "error" and (.slice // $arch) == $arch)
         | if .id == "sig.page-hash"
           then .place | capture("page (?<page>[0-9]+) .*, (?<type>sha[0-9]+)")
                       | "sig.page-hash \(.type) page \(.page)"
           else .id end)' "$1"
}

# The same, from the list: "ok", "-" for a file without a signature, or
# "INVALID sha1 pages bad 1/48 first [0]; sha256 pages bad 1/60 first [0]".
errors_listed() { # VERDICT
    case $1 in
    ok) ;;
    -) echo sig.missing ;;
    INVALID*)
        echo "${1#INVALID }" | tr ';' '\n' |
            sed -E 's/^ *(sha[0-9]+) pages bad 1\/[0-9]+ first \[([0-9]+)\]$/sig.page-hash \1 page \2/'
        ;;
    *) echo "a verdict that no test knows: $1" ;;
    esac
}

verifies() { # SHA256 ARCH VERDICT
    asked verify "$1"
    errors_listed "$3" >listed
    errors_told "$1.verify" "$2" >told
    expect_same listed told
    # One slice that does not hold is enough for the whole file.
    if awk -F'\t' -v sha="$1" '$6 == sha && $29 != "ok" { bad = 1 } END { exit !bad }' rows; then
        expect_code 1
    else
        expect_code 0
    fi
}

renews() { # SHA256: the whole file, slices that are not signed included
    hm sign --renew -o renewed "$CORPUS/$1"
    expect_code 0
    expect_same "$CORPUS/$1" renewed
    rm -f renewed
}

# What hallmark signs holds, in either style. Taking the signature away again leaves a file that
# had none as it was, but for the size in memory of __LINKEDIT, which linkers do not all round up.
signs() { # SHA256 STYLE
    hm sign --style "$2" -o signed "$CORPUS/$1"
    case $(cut -f3,7 <<<"$same_file" | tr '\t\n' '  ') in
    *object*)
        expect_code 3
        expect_err 'a file of type object cannot hold a signature'
        return
        ;;
    libopentui.dylib*) # has not a byte for the load command
        expect_code 3
        expect_err 'no room for LC_CODE_SIGNATURE \(needs 16 bytes, 0 left'
        return
        ;;
    esac
    expect_code 0
    hm verify signed
    expect_code 0
    if ! cut -f14 <<<"$same_file" | grep -qv '^none$'; then
        hm strip-signature -o stripped signed
        expect_code 0
        cmp -l "$CORPUS/$1" stripped >different 2>"$E2E_STATE/cmp"
        expect test ! -s "$E2E_STATE/cmp" # of one length
        expect awk '$1 >= 4096 { far = 1 } END { exit far || NR > 4 }' different
    fi
    rm -f signed stripped
}

while IFS=$'\t' read -r -a row; do
    path=${row[2]##*!} slice=${row[3]} sha=${row[5]} arch=${row[7]} index=0 offset=0
    name="${row[0]} $path"
    case $slice in
    fat*)
        index=${slice#fat} index=${index%% *}
        offset=${slice#*off=} offset=${offset%% *}
        ;;
    esac

    t "inspect: $name $arch"
    inspects "$sha" "$index" "$offset" "${row[4]}" "${row[@]:6:22}"
    t "llvm-objdump: $name $arch"
    agrees "$sha" "$index" "$offset" "${row[4]}"
    t "verify: $name $arch"
    verifies "$sha" "$arch" "${row[28]}"
    case ${row[13]}/${row[28]} in
    adhoc*/ok)
        t "renew: $name $arch"
        renews "$sha"
        ;;
    esac
    case $slice in
    thin | fat0*)
        same_file=$(awk -F'\t' -v sha="$sha" '$6 == sha' rows)
        for style in codesign linker; do
            t "sign --style $style: $name"
            signs "$sha" "$style"
        done
        ;;
    esac
done <rows

finish
