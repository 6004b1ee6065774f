# shellcheck shell=bash
# What the scripts of ci/ share; sourced by them, from any directory.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
MAKE=${MAKE:-make}

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
