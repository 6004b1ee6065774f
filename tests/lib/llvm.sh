# shellcheck shell=bash
# What llvm-objdump and hallmark inspect tell of one thin image, in the same words: sourced by
# tests that compare them.

# All that llvm-objdump tells of it, for the functions below.
llvm_tells() { # FILE
    llvm-objdump-19 --macho --private-headers --rebase --bind --weak-bind --lazy-bind \
        --exports-trie "$1"
}

# The load commands, a line for each thing that inspect tells too.
headers_of_llvm() { # on standard input: llvm_tells
    awk '
        function hex(s) { s = tolower(s); sub(/^0x0*/, "", s); return s == "" ? "0" : s }
        function version(s) { sub(/^n\/a$/, "-", s); if (s ~ /^[0-9]+\.[0-9]+\.0$/) sub(/\.0$/, "", s); return s }
        function rest(from,  s, i) { s = $from; for (i = from + 1; i <= NF; i++) s = s " " $i; return s }
        function unname(s) { sub(/ \(offset [0-9]+\)$/, "", s); return s }
        function close_command() {
            if (cmd == "") return
            print "command", cmd, size
            if (cmd ~ /^LC_VERSION_MIN/) print "build", minos, sdk
            if (cmd == "LC_BUILD_VERSION") print "build", minos, sdk platform tools
            if (cmd ~ /_DYLIB$/ && cmd != "LC_PREBOUND_DYLIB") print "library", name, current, compatible
            cmd = ""
        }
        $1 == "magic" && $2 == "cputype" { header = 1; next }
        header {
            header = 0
            flags = $8 ~ /^0x/ ? "" : rest(8)
            gsub(/MH_/, "", flags)
            print "header", tolower($5), $6, $7,
                ($4 == "LIB64" ? "80" : hex($4)) (flags == "" ? "" : " " flags)
        }
        $1 == "Load" && $2 == "command" { close_command(); section = 0; next }
        $1 == "Section" && NF == 1 { section = 1; next }
        $1 == "cmd" { cmd = $2; minos = sdk = "-"; tools = platform = "" }
        $1 == "cmdsize" { size = $2 }
        $1 == "segname" && !section { segment = NF > 1 ? $2 : "" }
        $1 == "vmaddr" { addr = hex($2) }
        $1 == "vmsize" { vmsize = hex($2) }
        $1 == "fileoff" { off = $2 }
        $1 == "filesize" { filesize = $2 }
        $1 == "maxprot" { max = $2 }
        $1 == "initprot" { print "segment", segment, addr, vmsize, off, filesize, max, $2 }
        section && $1 == "sectname" { sect = $2 }
        section && $1 == "segname" { sseg = $2 }
        section && $1 == "addr" { saddr = hex($2) }
        section && $1 == "size" { ssize = hex($2) }
        section && $1 == "offset" { soff = $2 }
        section && $1 == "align" { salign = substr($2, 3) }
        section && $1 == "nreloc" { relocations = $2 }
        section && $1 == "type" { # what has no bytes in the file is nowhere in it
            if (soff == 0 || ssize == "0" || $2 ~ /ZEROFILL/) soff = "-"
            print "section", sseg, sect, saddr, ssize, soff, salign, relocations
        }
        cmd == "LC_UUID" && $1 == "uuid" { print "uuid", $2 }
        $1 == "version" && cmd ~ /^LC_VERSION_MIN/ { minos = version($2) }
        $1 == "minos" { minos = version($2) }
        $1 == "sdk" { sdk = version($2) }
        $1 == "platform" && NF > 1 { platform = " " tolower($2); sub(/xros/, "visionos", platform) }
        $1 == "tool" { tool = $2; if (tool ~ /^0x/) tool = hex(tool) }
        $1 == "version" && cmd == "LC_BUILD_VERSION" { tools = tools " " tool ":" version($2) }
        $1 == "name" { name = unname(rest(2)) }
        $1 == "current" { current = version($3) }
        $1 == "compatibility" { compatible = version($3) }
        $1 == "path" && cmd == "LC_RPATH" { print "rpath", unname(rest(2)) }
        END { close_command() }'
}

# The same lines from the answer of inspect.
# shellcheck disable=SC2016 # a program of jq
HEADERS_OF_HALLMARK='
def hex: [recurse(if . >= 16 then . / 16 | floor else empty end) % 16]
    | reverse | map("0123456789abcdef"[.:. + 1]) | join("");
def or_dash: . // "-";
.files[0].slices[$slice] | .builds as $builds | .segments as $segments |
(["header", ({"kext": "kextbundle", "dylib-stub": "dylib_stub"}[.filetype] // .filetype),
  .load_commands.count, .load_commands.size, (.capability_bits | hex)]
 + (if .flags == "" then [] else [.flags] end)),
(.load_commands.list[] | ["command", .name, .size]),
(.segments[] | ["segment", .name, (.address | hex), (.size | hex), .offset, .file_size,
    .max_protection, .protection]),
(.segments[].sections[] | ["section", .segment, .name, (.address | hex), (.size | hex),
    (.offset | or_dash), .align, .relocations]),
(.builds[] | ["build", .minos, (.sdk | or_dash)]
    + (if .command == "LC_BUILD_VERSION"
       then [.platform | ascii_downcase | gsub(" "; "")]
            + [.tools[] | "\(.name // .tool):\(.version)"]
       else [] end)),
((if .install_name then [.install_name] else [] end) + .libraries | .[]
    | ["library", .path, .current, .compatibility]),
(if .uuid then ["uuid", .uuid] else empty end),
(.rpaths[] | ["rpath", .])
| map(tostring) | join(" ")'

headers_of_hallmark() { # ANSWER SLICE
    jq -r --argjson slice "$2" "$HEADERS_OF_HALLMARK" "$1"
}

# The tables of LC_DYLD_INFO, counted.
fixups_of_llvm() { # on standard input: llvm_tells
    awk '/^$/ { table = "" }
        / table:$/ { table = $1 }
        / 0x[0-9A-F]+ / { if (table == "Rebase") rebases++; else if (table != "") binds++ }
        END { print "binds", binds + 0; print "rebases", rebases + 0 }'
}

fixups_of_hallmark() { # ANSWER SLICE
    jq -r --argjson slice "$2" \
        '.files[0].slices[$slice].fixups | "binds \(.binds)", "rebases \(.rebases)"' "$1"
}

# What it offers: each name with its address, from the export trie, or from the symbol table of
# files that have none.
exports_of_llvm() { # FILE ANSWER_OF_LLVM
    if grep -qE '^ *cmd LC_DYLD_(INFO|INFO_ONLY|EXPORTS_TRIE)$' "$2"; then
        awk '/^Exports trie:$/ { on = 1; next } NF == 0 { on = 0 }
            on && $1 ~ /^0x/ { a = tolower($1); sub(/^0x0*/, "", a); print (a == "" ? "0" : a), $2 }' "$2"
    else
        llvm-nm-19 -g -U "$1" | awk '{ sub(/^0*/, "", $1); print ($1 == "" ? "0" : $1), $3 }'
    fi
}

exports_of_hallmark() { # ANSWER (of inspect --symbols) SLICE
    jq -r --argjson slice "$2" '
        def hex: [recurse(if . >= 16 then . / 16 | floor else empty end) % 16]
            | reverse | map("0123456789abcdef"[.:. + 1]) | join("");
        .files[0].slices[$slice].exports[]
        | select((.symbol_table_only | not) and .address != null) | "\(.address | hex) \(.name)"' "$1"
}

# agrees_with_llvm FILE ANSWER SLICE: all of the above.
agrees_with_llvm() {
    llvm_tells "$1" >told
    headers_of_llvm <told | LC_ALL=C sort >theirs
    headers_of_hallmark "$2" "$3" | LC_ALL=C sort >ours
    expect test -s theirs
    expect diff theirs ours
    if jq -e --argjson slice "$3" '.files[0].slices[$slice].fixups.kind == "dyld-info"' "$2" >kind; then
        fixups_of_llvm <told >theirs
        fixups_of_hallmark "$2" "$3" >ours
        expect diff theirs ours
    fi
    exports_of_llvm "$1" told | LC_ALL=C sort -u >theirs
    exports_of_hallmark "$2" "$3" | LC_ALL=C sort -u >ours
    expect diff theirs ours
}
