# SPDX-License-Identifier: BSD-3-Clause
"""Five hundred random changes between stop and restart."""
import unittest

from restart_fuzz import RestartFuzz


class Long(RestartFuzz):
    def test_five_hundred_changes(self):
        self.fuzz(seed=2026, count=500)


if __name__ == "__main__":
    unittest.main()
