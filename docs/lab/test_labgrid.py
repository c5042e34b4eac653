# SPDX-License-Identifier: BSD-2-Clause
"""A board that boots pmutest86 by itself, under labgrid: pytest --lg-env labgrid.yaml test_labgrid.py"""
import re

# With the end of its line: a line comes in piece by piece.
VERDICT = r"# verdict: (\w+)\r?\n"
# A known erratum has "# TODO" behind its name, and is no failure.
FAILED = r"(?m)^not ok \d+ (\S+)\r?$"


def test_pmutest86(target):
    target.get_driver("PowerProtocol").cycle()
    console = target.get_driver("ConsoleProtocol")
    console.expect("KTAP version 1", timeout=300)
    _, log, verdict, _ = console.expect(VERDICT, timeout=3000)
    assert re.findall(FAILED, log.decode()) == []
    assert verdict.group(1) == b"pass"
