#!/usr/bin/env bash
# `make demo`: Dither at work.
set -euo pipefail
cd "$(dirname "$0")/.."

build/dither --version
