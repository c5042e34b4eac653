#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Lawful variations of each model, drawn by 200 seeds: hours.
set -eu
cd "$(dirname "$0")/.."

build/host/campaign --seeds 200
