#!/usr/bin/env bash
# hallmark on real Mach-O files that other people made: what inspect tells agrees with every column
# of list.tsv, verify comes to its verdict, and sign --renew writes each valid ad-hoc signature
# again, byte for byte. tests/corpus/fetch brings the files; tests/README.md tells the rest.
HERE=$(cd "$(dirname "$0")" && pwd -P)
CORPUS=${HALLMARK_CORPUS:-$("$HERE/fetch" --where)} # before the kit gives the test another home
. "${SRCDIR:=$(cd "$HERE/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

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

tail -n +2 "$HERE/list.tsv" | cut -f6 | sort -u | while IFS= read -r sha; do
    echo "$sha  $CORPUS/$sha"
done >sums
missing=$(cut -c67- sums | while IFS= read -r file; do [ -e "$file" ] || echo "$file"; done | wc -l)
[ "$missing" -eq 0 ] ||
    absent "$((missing)) of $(($(wc -l <sums))) files were not fetched: run tests/corpus/fetch"

t 'the files are those of the list'
expect sha256sum --check --strict --quiet sums
[ "$e2e_failures" -eq 0 ] || finish

# What inspect says of the file, once for all of its slices.
answer_of() { # SHA256
    [ -e "$1.json" ] && return 0
    hm inspect --json "$CORPUS/$1"
    expect_code 0
    expect_err_empty
    cp "$out" "$1.json"
}

inspects() { # SHA256 INDEX EXPECTED_COLUMN...
    local i told
    answer_of "$1"
    if ! told=$(jq -r --argjson slice "$2" -f "$HERE/columns.jq" "$1.json" 2>&1); then
        fail "the answer has no such slice, or another form: $told"
        return
    fi
    shift 2
    IFS=$'\t' read -r -a told <<<"$told"
    for ((i = 0; i < ${#COLUMNS[@]}; i++)); do
        case $HALLMARK_PENDING/${COLUMNS[i]} in
        yes/fixups | yes/ent) # not in the answer yet
            shift
            continue
            ;;
        esac
        [ "${told[i]-}" = "$1" ] || fail "${COLUMNS[i]}: the list has '$1', inspect '${told[i]-}'"
        shift
    done
}

# The errors in an answer of verify: an id for each, and for page hashes where and of which type.
errors_told() { # JSON
    jq -r '.paths[0] | .failure // empty, (.findings[] | select(.level == "error")
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

verifies() { # FILE VERDICT
    hm verify --json "$1"
    case $HALLMARK_PENDING/$(jq -r '.paths[0].failure // empty' "$out") in
    yes/*' is not supported; a 64-bit little-endian one is needed')
        skip 'verify does not take these images yet'
        return
        ;;
    esac
    errors_listed "$2" >listed
    errors_told "$out" >told
    expect_same listed told
    if [ -s listed ]; then
        expect_code 1
    else
        expect_code 0
    fi
}

renews() { # FILE
    rm -f renewed
    hm sign --renew -o renewed "$1"
    expect_code 0
    expect_same "$1" renewed
    rm -f renewed
}

tail -n +2 "$HERE/list.tsv" >rows
while IFS=$'\t' read -r -a row; do
    [ "${#row[@]}" -eq 29 ] || fail "a line of the list has ${#row[@]} columns, not 29"
    path=${row[2]##*!} slice=${row[3]} size=${row[4]} sha=${row[5]} sig=${row[13]}
    file=$CORPUS/$sha index=0
    name="${row[0]} $path ${row[7]}"

    case $slice in
    fat*)
        index=${slice#fat} index=${index%% *}
        offset=${slice#*off=} offset=${offset%% *}
        tail -c "+$((offset + 1))" "$file" | head -c "$size" >slice
        file=slice
        ;;
    esac

    t "inspect: $name"
    inspects "$sha" "$index" "${row[@]:6:22}"
    expect jq -e --argjson slice "$index" --argjson offset "${offset:-0}" --argjson size "$size" \
        '.files[0].slices[$slice] | .offset == $offset and .size == $size' "$sha.json"
    offset=

    t "verify: $name"
    verifies "$file" "${row[28]}"

    case $sig/${row[28]} in
    adhoc*/ok)
        t "renew: $name"
        renews "$file"
        ;;
    esac
done <rows

finish
