"""Programs that run beside the test."""

import os
import signal
import socket
import subprocess
import time


def run(command, **options):
    """- Raises: an error with what the program said."""
    outcome = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, **options)
    if outcome.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {outcome.returncode}: {outcome.stdout[-2000:]}")
    return outcome.stdout


class Process:
    """A server in a process group of its own.

    - port: on 127.0.0.1, where it listens once it has started.
    """

    def __init__(self, command, log, environment=None, port=None, folder=None):
        with open(log, "ab") as output:
            self.child = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment, cwd=folder, start_new_session=True)
        self.log = log
        if port:
            self.wait_for(lambda: self.listens(port))

    def wait_for(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if self.child.poll() is not None or time.monotonic() > end:
                self.kill()
                raise SystemExit(f"{self.child.args[0]} did not start; it said in {self.log}:\n"
                                 + open(self.log, errors="replace").read()[-2000:])
            time.sleep(0.02)

    @staticmethod
    def listens(port):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    def kill(self):
        """At once, with all that it has started."""
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()

    def end(self):
        """As it wants to be ended, where it keeps something."""
        if self.child.poll() is None:
            self.child.terminate()
        self.child.wait(30)
