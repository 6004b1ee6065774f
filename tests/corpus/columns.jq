# One slice of `hallmark inspect --json` as the columns type to cdhash of list.tsv, tab-separated.
# The argument $slice is its index.

def hex: # of a number
    [recurse(if . >= 16 then . / 16 | floor else empty end) % 16]
    | reverse | map("0123456789abcdef"[.:. + 1]) | join("");

def or_dash: if . == null or . == "" then "-" else tostring end;

def platform: {"macOS": "macos", "iOS": "ios", "iOS simulator": "iossim"}[.] // .;

def build:
    if . == null then "-" else
        "\(.platform | platform) \(.minos)/\(.sdk // "0.0") "
        + (if .command | startswith("LC_VERSION_MIN") then "VERMIN" else "BUILD" end)
    end;

def tools: map("\(.name // .tool) \(.version)") | join(",") | or_dash;

def fixups:
    {"LC_DYLD_INFO": "dyldinfo", "LC_DYLD_INFO_ONLY": "dyldinfo_only",
     "LC_DYLD_CHAINED_FIXUPS": "chained"}[.command // ""] // "-";

def kind: {"linker": "adhoc-linker", "adhoc": "adhoc-codesign"}[.] // .;

def entitlements:
    [if .entitlements then "xml" else empty end, if .entitlements_der then "der" else empty end]
    | join("+") | or_dash;

# A field of every directory, joined.
def each(field): [.directories[] | field | tostring] | join(",");

def exec_segment: # only the newer directories have one
    .directories[0]
    | if .version >= "0x20400" then "\(.exec_base)/\(.exec_limit)/0x\(.exec_flags | hex)"
      else "-" end;

def signature:
    if .kind == "none" then ["none"] + [range(14) | "-"] else
        [(.kind | kind), each(.version | ltrimstr("0x")), each(.hash_type), each(.page_size),
         .identifier, (.team | or_dash), "0x\(.directories[0].flags | hex)", entitlements,
         each(.special_slots), .directories[0].code_limit, exec_segment, .offset, .size, .length,
         each(.cdhash)]
    end;

.files[0].slices[$slice]
| [.filetype, .arch,
   "\(.cpusubtype)" + (if .capability_bits != 0 then "|caps=\(.capability_bits | hex)" else "" end),
   (.builds[0] | build), (.builds[0].tools // [] | tools),
   (.uuid // "no" | ascii_downcase | gsub("-"; "")), (.fixups | fixups)]
  + (.signature | signature)
| map(tostring) | join("\t")
