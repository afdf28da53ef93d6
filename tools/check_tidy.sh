#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/check_tidy.sh BUILD_DIR [JOBS]: clang-tidy over src/, apps/ and examples/; headers through them.
# BUILD_DIR holds compile_commands.json (`cmake --preset tidy`).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/tidy}
jobs=${2:-$(nproc)}
folders=()
for folder in src apps examples; do
  [ -d $folder ] && folders+=($folder)
done
find "${folders[@]}" -name '*.cpp' -print0 |
  xargs -0 -r -n 1 -P "$jobs" clang-tidy --quiet -p "$build" 2> >(grep -v 'warnings* \(generated\|treated\)' >&2)
