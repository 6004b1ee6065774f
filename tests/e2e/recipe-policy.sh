#!/usr/bin/env bash
# hallmark release and verify: a policy is applied to the bytes that are to be published; what
# breaks it is named by rule and place, and is not published.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger || exit 1
sed 's,src/shim.m,shim.m,; s/^toolchain:.*/&\npolicy: policy.yaml/' stranger.yaml \
    >stranger/src/hallmark.yaml

policy() { # the rules on standard input; committed, and as policy.yaml here
    cat >policy.yaml
    cp policy.yaml stranger/src/policy.yaml
    commit policy
}

release_finds() { # FINDING-ID TEXT...
    hm release --rev HEAD --repo stranger --out release
    expect_code 1
    local id=$1 text
    shift
    cat "$out" "$err" >both
    grep -qF "$id" both || fail "no finding $id"
    for text in "$@"; do
        grep -qF -e "$text" both || fail "no finding says: $text"
    done
    expect_no_file release
    [ "$e2e_failures" -eq 0 ] || e2e_show
}

t 'a policy that holds'
policy <<'END'
rules:
  - id: words
    reason: none of these
    forbid: {strings: [FORBIDDEN], imports: [_system], selectors: [terminate], libraries: [/usr/lib/libz.dylib]}
  - id: linkage
    reason: nothing else
    allow:
      libraries:
        - "@rpath/Stranger.dylib"
        - /System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation
        - /System/Library/Frameworks/Foundation.framework/Versions/C/Foundation
        - /usr/lib/libSystem.B.dylib
        - /usr/lib/libobjc.A.dylib
END
hm release --rev HEAD --repo stranger --out good
expect_code 0
expect_file good/Stranger.dylib
run cat good/PROVENANCE.md
expect_out_has words
expect_out_has linkage

t 'a forbidden string'
policy <<'END'
rules:
  - {id: words, reason: the log line must not ship, forbid: {strings: [asked for]}}
END
release_finds policy.string 'Stranger.dylib' 'rule words, offset' '__TEXT,__cstring' \
    "'asked for' nowhere in the bytes" 'the log line must not ship'

t 'a forbidden string in the names of symbols'
policy <<'END'
rules:
  - {id: words, reason: r, forbid: {strings: [shim_version]}}
END
release_finds policy.string 'export trie+' 'string table+'

t 'a forbidden import, and one that is not on the list'
policy <<'END'
rules:
  - {id: forbidden, reason: r, forbid: {imports: [_NSLog]}}
  - {id: closed, reason: r, allow: {imports: [_NSLog]}}
END
release_finds policy.import 'rule forbidden' '_NSLog is imported' 'rule closed' \
    '_method_setImplementation is imported'

t 'a forbidden selector'
policy <<'END'
rules:
  - {id: sel, reason: r, forbid: {selectors: [processName]}}
END
release_finds policy.selector 'rule sel' 'selector processName is there'

t 'a library that is not on the list, and one that is not linked'
policy <<'END'
rules:
  - {id: libs, reason: r, allow: {libraries: [/usr/lib/libobjc.A.dylib, /usr/lib/libz.1.dylib]}}
END
release_finds policy.library '/usr/lib/libSystem.B.dylib is linked' '/usr/lib/libz.1.dylib is not linked'

t 'a rule that applies to nothing fails'
policy <<'END'
rules:
  - {id: all, reason: r, forbid: {strings: [FORBIDDEN]}}
  - {id: idle, reason: r, artifacts: [Strangers.dylib], forbid: {strings: [FORBIDDEN]}}
END
hm release --rev HEAD --repo stranger --out release
expect_code 3
expect_err_has "policy rule 'idle' applies to no artifact, so it checks nothing"
expect_no_file release

t 'verify applies a policy to a file'
cat >policy.yaml <<'END'
rules:
  - {id: words, reason: r, artifacts: ["*.dylib"], forbid: {strings: [asked for]}}
END
hm verify good/Stranger.dylib --policy policy.yaml
expect_code 1
expect_out_has policy.string
printf 'rules:\n- {id: w, reason: r, forbid: {strings: [FORBIDDEN]}}\n' >policy.yaml
hm verify good/Stranger.dylib --policy policy.yaml
expect_code 0

t 'verify: an artifact that no rule looks at was not checked'
printf 'rules:\n- {id: w, reason: r, artifacts: [x], forbid: {strings: [FORBIDDEN]}}\n' >policy.yaml
hm verify good/Stranger.dylib --policy policy.yaml
expect_code 1
expect_out_has policy.uncovered

t 'verify: UTF-16, at an odd offset, behind the signature'
cp good/Stranger.dylib Stranger.dylib
printf 'x' >>Stranger.dylib
[ $(($(wc -c <Stranger.dylib) % 2)) -eq 1 ] || printf 'x' >>Stranger.dylib
printf 'F\0O\0R\0B\0I\0D\0D\0E\0N\0' >>Stranger.dylib
printf 'rules:\n- {id: w, reason: r, forbid: {strings: [FORBIDDEN]}}\n' >policy.yaml
hm verify Stranger.dylib --policy policy.yaml
expect_code 1
expect_out_has "'FORBIDDEN' as UTF-16LE"

finish
