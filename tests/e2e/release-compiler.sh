#!/usr/bin/env bash
# hallmark release: compilers and linkers that fail, warn, hang, die, lie or are not there. What must
# not be waited for sleeps longer than a test program may take.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/scripted.sh"

scripted work

cut() { # ARGUMENT...
    rm -rf "$outs/r"
    hm --quiet release --repo work --rev main --out "$outs/r" "$@"
}

well() {
    behave scripted-cc
    behave scripted-ld
}

t 'the scripted toolchain makes a release'
cut
expect_code 0
expect_clean r
hm verify "$outs/r"
expect_code 0
run jq -r .confined "$outs/r/attestations/observed.json"
confined=$(cat "$out")
rm -rf "$outs/r"

t 'a compiler that fails: its output and its command are shown'
behave scripted-cc 'echo "main.c:1:1: error: no" >&2; echo on stdout; exit 3'
cut
expect_refused 5 "^hallmark: release: 'scripted-cc' exited with status 3$"
expect_err '^main.c:1:1: error: no$'
expect_err '^on stdout$'
expect_err "while running the compile step of 'prog'"
expect_err 'while running .*\$TOOLCHAIN/scripted-cc .* -c src/main.c -o '
expect_err 'while at stage compile'

t 'a compiler that warns'
behave scripted-cc 'echo object >$out; echo "$out: $source" >$dep; echo "warning: meh" >&2'
cut
expect_refused 5 "'scripted-cc' printed warnings"
expect_err '^warning: meh$'
expect_err 'hint: mend the source'

t 'a linker that warns'
well
behave scripted-ld 'cp $bin/artifact $out; echo "ld: warning: meh"'
cut
expect_refused 5 "'scripted-ld' printed warnings"
expect_err '^ld: warning: meh$'

t 'a compiler that hangs is killed at its limit, with what it started'
well
behave scripted-cc 'sleeper 1000 & echo thinking >&2; sleep 1001'
cut --time-limit 1
expect_refused 5 "'scripted-cc' ran longer than 1 s and was killed"
expect_err '^thinking$'

t 'a compiler that hangs with its output closed and its signals ignored'
behave scripted-cc 'trap "" TERM INT HUP; exec >&- 2>&-; sleep 1001'
cut --time-limit 1
expect_refused 5 'ran longer than 1 s and was killed'

t 'a compiler that is killed by a signal'
behave scripted-cc 'echo "PLEASE submit a bug report" >&2; kill -SEGV $$'
cut
expect_refused 5 "'scripted-cc' was killed by signal 11"
expect_err '^PLEASE submit a bug report$'
behave scripted-cc 'kill -KILL $$'
cut
expect_refused 5 "'scripted-cc' was killed by signal 9"

t 'a compiler that prints megabytes: the beginning is shown'
behave scripted-cc 'i=0; while [ $i -lt 60000 ]; do
echo "line $i: error: the quick brown fox jumps over the lazy dog again and again"
i=$((i + 1)); done; exit 1'
cut
expect_code 5
expect_err "'scripted-cc' exited with status 1"
expect_err '^line 0: error'
expect_clean
[ "$(wc -c <"$err")" -lt 2200000 ] || fail "$(wc -c <"$err") bytes were shown"

t 'control bytes that a compiler prints do not reach the terminal'
behave scripted-cc 'printf "\033]0;owned\007\033[31mred\n" >&2; exit 1'
cut
expect_refused 5 'x1b.*x07.*red'
grep -q "$(printf '\033')" "$err" && fail 'an escape byte is in stderr'

t 'a compiler that writes no object'
behave scripted-cc 'echo "$out: $source" >$dep'
cut
expect_refused 5 "'scripted-cc' made no object file for 'src/main.c'"

t 'a compiler that writes a link for an object'
behave scripted-cc 'ln -s /etc/hostname $out; echo "$out: $source" >$dep'
cut
expect_refused 5 "'scripted-cc' made no object file for 'src/main.c'"

t 'a compiler that writes no dependency file, or one that is none'
behave scripted-cc 'echo object >$out'
cut
expect_refused 5 "'scripted-cc' made no dependency file for 'src/main.c'"
for text in '' 'nonsense' 'a.o:' 'a.o: '; do
    behave scripted-cc "echo object >\$out; printf '%s' '$text' >\$dep"
    cut
    expect_refused 5 "wrote a dependency file for 'prog' that cannot be read"
done

t 'a dependency file that names what is neither in the revision nor in the SDK'
for path in /etc/passwd ../../x ../sdk/../../x ../sdk ../tree/src/main.c ../obj/prog/0.o \
    "$PWD/work/src/main.c" /usr/include/stdio.h ..; do
    behave scripted-cc "echo object >\$out; echo \"\$out: \$source $path\" >\$dep"
    cut
    expect_refused 3 'the compiler opened .* for .prog., which is neither in the revision nor in'
    expect_err_has "'$path'"
done

t 'a dependency file that names a file of the tree which is not there'
behave scripted-cc 'echo object >$out; echo "$out: $source src/other.h" >$dep'
cut
expect_refused 3 "the compiler opened 'src/other.h', which is not in the folders of the sources"

t 'a dependency file with blanks, folds and a header is understood'
behave scripted-cc 'echo object >$out
printf "%s: src/../src/main.c \\\\\n  src/main.h ../sdk/SDKSettings.json\n" "$out" >$dep'
cut
expect_code 0
run jq -r '.predicate.buildDefinition.internalParameters.sources[].path' \
    "$outs/r/provenance.intoto.json"
expect_out_is - <<'LIST'
src/main.c
src/main.h
LIST
rm -rf "$outs/r"

t 'a linker that fails'
well
behave scripted-ld 'echo "undefined symbol: _x" >&2; exit 1'
cut
expect_refused 5 "'scripted-ld' exited with status 1"
expect_err '^undefined symbol: _x$'
expect_err "while running the link step of 'prog'"

t 'a linker that makes nothing, or something else than a file'
for text in ':' 'ln -s $bin/artifact $out' 'ln -s nowhere $out'; do
    behave scripted-ld "$text"
    cut
    expect_refused 5 "'scripted-ld' made no file for 'prog'"
done

t 'a linker that makes something that is no Mach-O'
for text in ': >$out' 'echo hello >$out' 'printf "\317\372\355\376" >$out'; do
    behave scripted-ld "$text"
    cut
    expect_refused 5 "the linker made no Mach-O file 'prog': "
done

t 'a linker that makes a huge file'
behave scripted-ld 'truncate -s 100G $out'
cut
expect_refused 5 "'scripted-ld' made file of 107374182400 bytes for 'prog', expected at most"

t 'a linker that makes a good file of another kind: findings, and nothing is published'
sed 's/kind: executable/kind: dylib, install_name: "@rpath\/x"/; s/13.0/12.0/' work/hallmark.yaml >other.yaml
well
cut --recipe-file other.yaml
expect_code 1
expect_out '^finding arch.filetype: prog'
expect_out '^finding build.min-os: prog'
expect_out '^finding build.install-name: prog'
expect_out '^not released: [0-9]+ findings?$'
expect_clean

t 'what a compiler leaves running does not survive it, and is not waited for'
behave scripted-cc 'sleeper 1000 & (sleeper 1001 &) ; (exec >/dev/null 2>&1 </dev/null; sleeper 1002 &)
echo object >$out; echo "$out: $source" >$dep'
cut
expect_code 0
expect_clean r
rm -rf "$outs/r"

t 'nor does what left the process group'
if command -v setsid >/dev/null && [ "$(uname -s)" = Linux ]; then
    cp "$(command -v setsid)" "$bin/setsid"
    behave scripted-cc 'setsid sleeper 1000 & sleep 0.1
echo object >$out; echo "$out: $source" >$dep'
    cut
    expect_code 0
    expect_clean r
    rm -rf "$outs/r"
    behave scripted-cc 'setsid sleeper 1000 & sleep 1001'
    cut --time-limit 1
    expect_refused 5 'ran longer than 1 s'
else
    skip 'no setsid here'
fi
well

t 'scratch space is kept only with --keep, and its place is told'
behave scripted-cc 'exit 1'
cut --keep
expect_code 5
expect_err "^release: scratch directory kept: $TMPDIR/hallmark-"
kept=$(sed -n 's/^release: scratch directory kept: //p' "$err")
expect_file "$kept/tree/src/main.c"
expect_file "$kept/sdk/SDKSettings.json"
rm -rf "$kept"
expect_clean
well
cut --keep
expect_code 0
kept=$(sed -n 's/^release: scratch directory kept: //p' "$err")
expect_file "$kept/out/prog"
rm -rf "$kept" "$outs/r"
cut
expect_code 0
expect_clean r
mv "$outs/r" good

t 'a missing compiler, a missing linker'
mv "$bin/scripted-cc" away
cut
expect_refused 4 "compiler 'scripted-cc': expected version 1.2.3, found none on this machine"
hm --quiet audit good --repo work
expect_code 4
expect_err "compiler 'scripted-cc': expected version 1.2.3, found none on this machine"
expect_out "^not derivable here: 4 of 5 files of Scripted 1 need toolchain 'scripted'; everything else holds$"
expect_clean
mv away "$bin/scripted-cc"
mv "$bin/scripted-ld" away
cut
expect_refused 4 "linker 'scripted-ld': expected version 19.1.7, found none on this machine"
mv away "$bin/scripted-ld"

t 'another version: expected and found are shown, of both programs'
scripted_program scripted-cc 'clang version 1.2.4'
scripted_program scripted-ld 'LLD 18.1.0'
cut
expect_refused 4 "'scripted-cc': expected version 1.2.3, found version 1.2.4"
expect_err "'scripted-ld': expected version 19.1.7, found version 18.1.0"
expect_err 'hint:'
hm --quiet audit good --repo work
expect_code 4
expect_err "'scripted-cc': expected version 1.2.3, found version 1.2.4"
expect_out '^not-derivable  prog$'
expect_clean

t 'programs whose answers are not understood, fail or hang'
scripted_program scripted-ld 'LLD 19.1.7'
scripted_program scripted-cc 'hello'
cut
expect_refused 4 'its answer to --version is not understood'
sed -i.bak 's/echo .hello./exit 9/' "$bin/scripted-cc" && rm "$bin/scripted-cc.bak"
cut
expect_refused 4 "'scripted-cc' exited with status 9"
scripted_program scripted-cc 'clang version 1.2.3'

t 'a build that the pin does not list: release refuses, audit warns and lets the bytes decide'
zeros=$(printf '%064d' 0)
echo "builds: [{id: elsewhere, compiler: \"sha256:$zeros\", linker: \"sha256:$zeros\"}]" \
    >>work/toolchain/scripted.yaml
commit 'pin: list a build'
cut
expect_refused 4 "toolchain 'scripted' does not list this machine's build: expected elsewhere"
expect_err "compiler sha256:$zeros.*found compiler sha256:[0-9a-f]{64}, linker sha256:[0-9a-f]{64}"
cc_digest=$(sed -n 's/.*found compiler \(sha256:[0-9a-f]*\), linker .*/\1/p' "$err")
ld_digest=$(sed -n 's/.*found compiler .*, linker \(sha256:[0-9a-f]*\).*/\1/p' "$err")
echo "  - {id: here, compiler: \"$cc_digest\", linker: \"$ld_digest\"}" >"more"
sed -i.bak "s/^builds: \[\(.*\)\]/builds:\n  - \1/" work/toolchain/scripted.yaml
rm work/toolchain/scripted.yaml.bak
cat "more" >>work/toolchain/scripted.yaml
commit 'pin: list this build'
cut
expect_code 0
run jq -r .toolchainBuild "$outs/r/attestations/observed.json"
expect_out '^here$'
rm -rf "$outs/listed" && mv "$outs/r" "$outs/listed"
echo '# another build of the same version' >>"$bin/scripted-cc"
cut
expect_code 4
expect_err "does not list this machine's build"
hm audit "$outs/listed" --repo work
expect_code 0
expect_err "warning: pin 'scripted' does not list this machine's build of the version"
expect_clean listed
rm -rf "$outs/listed"

t 'what a source reads from outside by .incbin is refused'
if [ "$confined" != true ]; then
    skip 'the kernel cannot confine the compiler'
else
    . "$SRCDIR/tests/lib/release.sh"
    PATH=${PATH#"$bin:"}
    third_party stranger
    for path in /etc/hostname /etc/passwd "$PWD/other.yaml"; do
        echo "__asm__(\".incbin \\\"$path\\\"\");" >stranger/src/shim.m
        commit 'incbin'
        hm --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out "$outs/r"
        expect_refused 5 "'clang' exited with status 1"
        expect_err_has "$path"
    done
fi

finish
