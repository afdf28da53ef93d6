#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/check_tidy.sh [BUILD_DIR [JOBS [SINCE]]]: clang-tidy over src/, apps/ and examples/; headers through them.
# BUILD_DIR holds compile_commands.json (`cmake --preset tidy`). With SINCE, a commit, only the sources that have changed
# since then, and for every changed header one source that includes it; all where that commit is not known.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/tidy}
jobs=${2:-$(nproc)}
since=${3:-}
folders=(src apps examples)

changed() { # changed ENDING FOLDER...: files of the working tree that differ from SINCE
  local ending=$1
  shift
  { git diff --name-only --diff-filter=d "$since" -- "$@" && git ls-files --others --exclude-standard -- "$@"; } |
    grep "\.$ending\$" || true
}

sources() {
  if [ -z "$since" ] || ! git rev-parse --quiet --verify "$since^{commit}" >/dev/null; then
    find "${folders[@]}" -name '*.cpp'
    return
  fi
  changed cpp "${folders[@]}"
  changed hpp include "${folders[@]}" | while read -r header; do
    grep -rl --include='*.cpp' "\"\(.*/\)\?$(basename "$header")\"" "${folders[@]}" | sort | head -n 1 || true
  done
}

sources | sort -u | tr '\n' '\0' |
  xargs -0 -r -n 1 -P "$jobs" clang-tidy --quiet -p "$build" 2> >(grep -v 'warnings* \(generated\|treated\)' >&2)
