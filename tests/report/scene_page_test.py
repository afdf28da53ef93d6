# SPDX-License-Identifier: BSD-3-Clause
"""The scene of the report page in a browser: play, scrub, turn, save, film.

VARIA_REPORT_DIR: the folder report of the build tree. CHROMIUM: the browser (/usr/bin/chromium unless given).
"""
import os
import subprocess
import unittest


class Browser(unittest.TestCase):
    def test_scenes_do_what_a_reader_expects(self):
        done = subprocess.run(["node", "test/scene.mjs"], cwd=os.environ["VARIA_REPORT_DIR"], capture_output=True, text=True, check=False)
        failed = [line for line in done.stdout.splitlines() if not line.startswith("ok")]
        self.assertEqual(done.returncode, 0, "\n".join(failed) + done.stderr)
        self.assertEqual(failed, ["all checks hold"])
        self.assertGreater(done.stdout.count("\nok"), 60)


if __name__ == "__main__":
    unittest.main()
