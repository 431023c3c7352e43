"""Runs programs and measures them: to their end, or on a terminal key by key."""

import fcntl
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import termios
import threading
import time
from pathlib import Path

ROWS, COLUMNS = 40, 120


class Failed(Exception):
    """A program did not do what is measured."""


def environment(home):
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }


def run(arguments, home, stdin=os.devnull, allowed=(0,)):
    """Runs to the end: seconds of wall clock, seconds of processor time with all children, and the
    largest process in bytes. What it prints is thrown away."""
    # A shell in between: the kernel counts the memory of whoever starts a process as the process's
    # own, and the shell is smaller than Python.
    shell = ["/bin/sh", "-c", '"$@"; exit $?', "sh", *map(str, arguments)]
    with open(stdin, "rb") as source, open(os.devnull, "wb") as nowhere:
        began = time.perf_counter()
        process = subprocess.Popen(
            shell, stdin=source, stdout=nowhere, stderr=nowhere, env=environment(home)
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        raise Failed(f"{arguments[0]} ended with {process.returncode}")
    return {
        "wall": wall,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss * 1024,
    }


def first_line(arguments, home):
    """Seconds of wall clock until a program has written its first line. What follows is not read."""
    began = time.perf_counter()
    with subprocess.Popen(
        [*map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=environment(home),
    ) as process:
        line = process.stdout.readline()
        wall = time.perf_counter() - began
        process.stdout.close()
    if not line:
        raise Failed(f"{arguments[0]} wrote nothing")
    return wall


def thread_work(process):
    """How often the threads of a process have waited for something, and the seconds for which they have run."""
    wakes, nanoseconds = 0, 0
    for task in Path(f"/proc/{process}/task").iterdir():
        status = (task / "status").read_text()
        wakes += int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
        nanoseconds += int((task / "schedstat").read_text().split()[0])
    return wakes, nanoseconds / 1e9


class Session:
    """A program on a terminal of its own."""

    def __init__(self, arguments, home, rows=None, columns=None):
        self.began = time.perf_counter()
        size = struct.pack("HHHH", rows or ROWS, columns or COLUMNS, 0, 0)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvpe(arguments[0], list(map(str, arguments)), environment(home))
        self.output = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGTERM)
        deadline = time.perf_counter() + 3
        ended, _ = os.waitpid(self.pid, os.WNOHANG)
        while not ended and time.perf_counter() < deadline:
            self._read(0.02)
            ended, _ = os.waitpid(self.pid, os.WNOHANG)
        if not ended:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def _read(self, seconds):
        """The time of arrival of something, or None when nothing came."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return None
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:  # The program has ended.
            data = b""
        if not data:
            return None
        self.output += data
        return time.perf_counter()

    def press_slowly(self, keys, rate, pause=0.6):
        """Bytes that keys draw, and seconds from the first key to the last byte over a line of `rate` bytes a second. Keys
        come as a list, a tenth of a second apart: a person goes on pressing."""
        received, began = 0, time.perf_counter()
        waiting = list(keys)
        next_key, last = began, began
        while True:
            now = time.perf_counter()
            if waiting and now >= next_key:
                os.write(self.terminal, waiting.pop(0))
                next_key = now + 0.1
            if select.select([self.terminal], [], [], 0.01)[0]:
                data = os.read(self.terminal, max(1, rate // 20))
                received += len(data)
                time.sleep(len(data) / rate)
                last = time.perf_counter()
            elif not waiting and time.perf_counter() - last > pause:
                return received, last - began

    def until_shown(self, text, seconds=120):
        """Seconds from the start until `text` was drawn, the rest of its burst included."""
        deadline = time.perf_counter() + seconds
        last = self.began
        while text not in self.output:
            if time.perf_counter() > deadline:
                raise Failed(f"{text} was not drawn: {self.output[-300:]}")
            last = self._read(0.1) or last
        while arrived := self._read(0.002):
            last = arrived
        return last - self.began

    def until_quiet(self, pause, seconds=5):
        """Reads on until nothing has come for `pause` seconds."""
        deadline = time.perf_counter() + seconds
        while self._read(pause) and time.perf_counter() < deadline:
            pass

    def write(self, keys):
        """Presses keys without waiting for what they draw."""
        os.write(self.terminal, keys)

    def press(self, keys, pause, seconds=30):
        """Seconds from the key to the last byte that it drew before a pause."""
        self.output = b""
        pressed = time.perf_counter()
        os.write(self.terminal, keys)
        last = self._read(seconds)
        if last is None:
            raise Failed(f"nothing was drawn for {keys}")
        while arrived := self._read(pause):
            last = arrived
        return last - pressed

    @property
    def cpu(self):
        """Processor seconds so far."""
        with open(f"/proc/{self.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self):
        """The most it has held so far, in bytes."""
        with open(f"/proc/{self.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status)
        return int(lines["VmHWM"].split()[0]) * 1024


class Server:
    """The reference server, with the options that say what it serves."""

    def __init__(self, program, port, ready, *options):
        ready.unlink(missing_ok=True)
        command = [program, "--port", str(port), "--ready-file", ready, *map(str, options)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.perf_counter() + 60
        while not ready.exists():
            if self.process.poll() is not None or time.perf_counter() > deadline:
                raise Failed("the server did not start")
            time.sleep(0.02)
        self.url = ready.read_text().strip()
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class FileServer:
    """A feed with one file, sent by the kernel, so that the server is no slower than any client."""

    def __init__(self, path, port):
        self.path, self.port = path, port
        self.size = path.stat().st_size

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                received = client.recv(65536)
                if not received:
                    return
                head += received
            if head.startswith(b"GET /feed "):
                feed = (
                    '<rss version="2.0"><channel><title>Casts</title><item><title>One</title>'
                    f'<enclosure url="http://127.0.0.1:{self.port}/{self.path.name}" '
                    'type="audio/mpeg"/></item></channel></rss>'
                ).encode()
                client.sendall(self._head("application/rss+xml", len(feed)) + feed)
                return
            client.sendall(self._head("audio/mpeg", self.size))
            with open(self.path, "rb") as file:
                offset = 0
                while offset < self.size:
                    offset += os.sendfile(
                        client.fileno(), file.fileno(), offset, self.size - offset
                    )

    @staticmethod
    def _head(kind, size):
        return (
            f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
            'ETag: "1"\r\nConnection: close\r\n\r\n'
        ).encode()


class PeakMemory:
    """The largest size of the process that has signed a lock file, while the body runs."""

    def __init__(self, lock):
        self.lock, self.bytes, self.ended = lock, 0, False

    def __enter__(self):
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join()

    def _watch(self):
        while not self.ended:
            try:
                process = int(self.lock.read_text())
                with open(f"/proc/{process}/status") as status:
                    for line in status:
                        if line.startswith("VmHWM:"):
                            self.bytes = max(self.bytes, int(line.split()[1]) * 1024)
            except (OSError, ValueError):
                pass
            time.sleep(0.002)
