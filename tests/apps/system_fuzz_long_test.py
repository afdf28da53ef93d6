# SPDX-License-Identifier: BSD-3-Clause
"""Five thousand runs of random systems, a tenth of them compared with the exact motion."""
import unittest

from system_fuzz import SystemFuzz


class Long(SystemFuzz):
    def test_five_thousand_runs(self):
        self.fuzz(seed=2026, completed=5000, every=3)


if __name__ == "__main__":
    unittest.main()
