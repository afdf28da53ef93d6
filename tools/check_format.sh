#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/check_format.sh [--fix]: holds every C++ file against .clang-format, or rewrites it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(--dry-run --Werror)
[ "${1:-}" = --fix ] && mode=(-i)
folders=()
for folder in include src apps tests examples bench; do
  [ -d $folder ] && folders+=($folder)
done
find "${folders[@]}" \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 -r clang-format "${mode[@]}"
