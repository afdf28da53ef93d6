#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/setup.sh run|test: installs the Debian packages that ./run or ./test needs and that are missing.
set -euo pipefail

packages=(cmake ninja-build g++ libeigen3-dev libgtest-dev python3 libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libfmt-dev libhdf5-dev)
commands=(cmake ninja g++ python3 node npm)
# Node.js often does not come from Debian, so the commands are asked for, not the packages.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
if [ "${1:-run}" = test ]; then
  # libclang-rt has the sanitizers of clang; ccache and mold only save time; Ipopt is the second opinion of tests/control
  packages+=(ccache mold clang libclang-rt-14-dev clang-format clang-tidy chromium coinor-libipopt-dev python3-h5py python3-meshio fish groff zsh)
  commands+=(clang++ clang-format clang-tidy chromium)
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  for name in "${commands[@]}"; do
    if ! command -v "$name" >/dev/null; then
      echo "This system has no apt-get and no $name. Install what these Debian packages hold and call again: ${packages[*]}" >&2
      exit 1
    fi
  done
  exit 0
fi

missing=()
for name in "${packages[@]}"; do
  [[ $(dpkg-query -W -f='${Status}' "$name" 2>/dev/null) == *' installed' ]] || missing+=("$name")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and neither root nor sudo to install them. As root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing: ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
