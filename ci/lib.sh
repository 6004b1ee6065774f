# shellcheck shell=bash
# What the scripts of ci/ share; sourced by them, from any directory.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
MAKE=${MAKE:-make}

# Homebrew puts GNU's programs under names of their own, and links a compiler of a version nowhere.
if [ "$(uname -s)" = Darwin ]; then
    for formula in coreutils findutils gnu-sed gnu-tar grep; do
        for prefix in /opt/homebrew /usr/local; do
            [ ! -d "$prefix/opt/$formula/libexec/gnubin" ] || PATH=$prefix/opt/$formula/libexec/gnubin:$PATH
        done
    done
    export PATH
fi

# A job server of the make above is not ours: the makes below count their own jobs. Variables of
# its command line (CC=clang and the like) stay.
if [ -n "${MAKEFLAGS:-}" ]; then
    MAKEFLAGS=$(echo " $MAKEFLAGS" | sed -E 's/ (-j[0-9]*|--jobserver-[^ ]*|-l[0-9.]*)//g; s/^ //')
    export MAKEFLAGS
fi

make_here() { # BUILD_DIR [VARIABLE=VALUE...] TARGET...
    local dir=$1
    shift
    "$MAKE" -C "$ROOT" --no-print-directory -j"$JOBS" BUILD="$dir" "$@"
}

# The files of the repository (and those not yet added) that match the patterns.
files_here() { # GIT PATHSPEC...
    git -C "$ROOT" -c safe.directory="$ROOT" ls-files --cached --others --exclude-standard -- "$@" |
        while IFS= read -r file; do
            [ ! -f "$ROOT/$file" ] || echo "$file"
        done
}

# NAME-VERSION of the directory of provenance/ with the highest version; of equal ones the last by name.
latest_release() {
    local dir
    for dir in "$ROOT"/provenance/*/; do
        [ -f "$dir/provenance.intoto.json" ] || continue
        dir=${dir%/}
        dir=${dir##*/}
        printf '%s\t%s\n' "${dir##*-}" "$dir"
    done | sort -t "$(printf '\t')" -k1,1V -k2,2 | tail -1 | cut -f2
}
