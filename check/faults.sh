#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every fault against the whole battery on each model, and in programs of both word sizes: hours; days for those that
# cannot be seen.
set -eu
cd "$(dirname "$0")/.."
campaign=build/host/campaign

$campaign --full
$campaign --full --varied
$campaign --full --lawful
$campaign --bits 32
$campaign --bits 64
for only in visible invisible; do
	for class in simple rare pairs triples; do
		$campaign --generated --class $class --only $only
	done
done
