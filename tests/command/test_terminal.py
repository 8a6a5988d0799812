"""What a terminal shows while work goes on, and a pipe does not."""
import os
import pty
import re

from harness import OSSA, CommandTest, main

ERASE = b"\r\x1b[K"


class Terminal(CommandTest):
    def run_on_terminal(self, *words):
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.environ["TERM"] = "xterm"
            os.execv(OSSA, ["ossa", *map(str, words)])
        shown = b""
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown

    def test_a_bar_over_a_second_that_is_gone_at_the_end(self):
        for rings in (300, 1200, 4800, 19200):  # until this machine needs long enough
            names = self.write_tubes(2, rings, 40)
            status, shown = self.run_on_terminal("rig", *names, "--bones", 24, "--refine", 400, "-o", "out.glb", "--threads", 1)
            self.assertEqual(status, 0, shown)
            if ERASE in shown:
                break
        self.assertIn(b"[#", shown)
        self.assertRegex(shown, rb"left")
        # what stands on the screen is what follows the last erasure
        self.assertTrue(shown.split(ERASE)[-1].startswith(b"model"), shown[-2000:])

    def test_no_bar_for_quick_work(self):
        names = self.write_tubes(1)
        for attempt in range(5):  # a machine at other work may need over a second for it
            status, shown = self.run_on_terminal("rig", *names, "--bones", 2, "--refine", 0)
            self.assertEqual(status, 0, shown)
            if float(re.search(rb"\nall +([0-9.]+)", shown)[1]) < 0.9:
                break
        self.assertNotIn(ERASE, shown)


main()
