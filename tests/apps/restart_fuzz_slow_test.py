# SPDX-License-Identifier: BSD-3-Clause
"""Forty random changes between stop and restart; the long form is restart_fuzz_long_test.py."""
import unittest

from restart_fuzz import RestartFuzz


class Short(RestartFuzz):
    def test_forty_changes(self):
        self.fuzz(seed=14, count=40)


if __name__ == "__main__":
    unittest.main()
