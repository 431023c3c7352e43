"""The network between the program and the reference server, on which things go wrong."""

import random
import socket
import threading
import urllib.request

# As `telex-demo-server --help` lists them. Most requests go well.
FAULTS = [
    "delay:300", "delay:1500", "status:503", "status:500", "status:429:1", "status:404", "cut:0",
    "cut:700", "cut:9000", "drip:2000:5", "reset", "garbage", "type:text/html", "repeat-cursor",
    "insert:1", "insert:120", "hang",
]


class Network:
    """A relay that sends each request on with a fault now and then, in an order that the seed sets."""

    def __init__(self, server, seed):
        self.server = server
        self.dice = random.Random(seed)
        self.lock = threading.Lock()
        self.faulty = True
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _fault(self, path):
        with self.lock:
            draw, fault = self.dice.random(), self.dice.choice(FAULTS)
        if not self.faulty or draw > 0.15:
            return None
        # An event stream that answers 404 is not asked again for as long as the reader runs.
        return "reset" if "/live" in path else fault

    def _serve(self, connection):
        try:
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    block = connection.recv(65536)
                    if not block:
                        return
                    head += block
                line, rest = head.split(b"\r\n", 1)
                path = line.split(b" ")[1].decode("ascii", "replace")
                fault = self._fault(path)
                extra = b"" if "/live" in path else b"Connection: close\r\n"
                if fault:
                    extra += f"X-Telex-Fault: {fault}\r\n".encode()
                host, port = self.server.removeprefix("http://").split(":")
                with socket.create_connection((host, int(port))) as far:
                    far.sendall(line + b"\r\n" + extra + rest)
                    back = threading.Thread(
                        target=self._copy, args=(connection, far), daemon=True
                    )
                    back.start()
                    self._copy(far, connection)
        except OSError:
            pass

    @staticmethod
    def _copy(source, target):
        try:
            while block := source.recv(65536):
                target.sendall(block)
        except OSError:
            pass
        finally:
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read()
