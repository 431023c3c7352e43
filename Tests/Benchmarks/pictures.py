"""Pictures: how long one takes from its bytes to its cells, and what twenty of them in an article cost the keys."""

import struct
import subprocess
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from process import Failed, Session, environment, run
from readers import Telex

FIXTURES = Path(__file__).resolve().parents[2] / "Fixtures/pictures"
PORT = 18_740
COUNT = 20
KEYS = 200


def photo(width, height, number=0):
    """A PNG file of a gradient with waves: as many colours as a photo."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows += bytes((x * 255 // width, y * 255 // height, (x * y // 64 + 40 * number) & 255))
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b""))


class Pictures:
    """A feed of one article with twenty pictures and words between them."""

    def __init__(self, file):
        names = [f"http://127.0.0.1:{PORT}/{number}.png" for number in range(COUNT)]
        text = "".join(
            f'&lt;p&gt;{"Some words. " * 30}&lt;/p&gt;&lt;p&gt;&lt;img src="{name}" width="800" '
            'height="600"&gt;&lt;/p&gt;' for name in names)
        feed = ('<rss version="2.0"><channel><title>Photos</title><item><title>Twenty of them</title>'
                f'<description>{text}</description></item></channel></rss>').encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = feed if self.path == "/feed" else file
                self.send_response(200 if self.path == "/feed" or self.path.endswith(".png") else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def decode(arguments, file, home):
    began = time.perf_counter()
    done = subprocess.run([Telex.program, "picture-helper", *arguments], input=file,
                          stdout=subprocess.PIPE, env=environment(home), check=False)
    wall = time.perf_counter() - began
    if done.returncode != 0 or not done.stdout.startswith(b"TXP1"):
        raise Failed("the picture was not decoded")
    return wall


def decode_waiting(arguments, file, home):
    """The same for a process that has started while the bytes were on their way."""
    with subprocess.Popen([Telex.program, "picture-helper", *arguments], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, env=environment(home)) as helper:
        time.sleep(0.15)
        began = time.perf_counter()
        output, _ = helper.communicate(file)
        wall = time.perf_counter() - began
    if helper.returncode != 0 or not output.startswith(b"TXP1"):
        raise Failed("the picture was not decoded")
    return wall


def pictures(bench):
    """A picture of 800 × 600 pixels from its bytes to its cells, its process included, and as the reader does it with
    one that it fetches; and keys within an article of twenty while they are decoded."""
    file = photo(800, 600)
    size = ["--columns", "80", "--rows", "30", "--cell", "10x20"]
    kinds = [("PNG, 800 × 600", file), ("JPEG, 1600 × 1200", (FIXTURES / "large.jpg").read_bytes())]
    for name, data in kinds:
        for what, options in (("cells of 2²⁴ colours", ["--colors", "16777216"]),
                              ("cells of 256 colours", ["--colors", "256"]),
                              ("pixels", ["--colors", "256", "--pixels"])):
            walls = [decode(size + options, data, bench.folder) for _ in range(max(20, bench.runs))]
            bench.add(f"picture ({name}) to {what}", "ms", Telex, walls)
            walls = [decode_waiting(size + options, data, bench.folder)
                     for _ in range(max(20, bench.runs))]
            bench.add(f"picture ({name}) to {what}, fetched", "ms", Telex, walls)
    for drawing in ("cells", "kitty", "sixel"):
        reader = Telex(bench.folder / f"telex-pictures-{drawing}", bench.url)
        reader.prepare()
        with open(reader.folder / "config.toml", "a") as settings:
            settings.write(f'[pictures]\ndraw = "{drawing}"\nicons = false\n')
        with Pictures(file):
            run(reader.command("add", f"http://127.0.0.1:{PORT}/feed"), reader.folder)
            with Session(reader.screen, reader.folder) as session:
                session.until_shown(reader.shown)
                session.until_quiet(0.3)
                session.press(b"\r", 0.02)
                # One page after the other while the pictures are fetched and decoded: each key has to show.
                times = []
                for _ in range(KEYS):
                    times.append(session.press(b"j", 0.003))
                    time.sleep(0.01)
                bench.add(f"key among twenty pictures as {drawing}", "ms", Telex, times)
                bench.add(f"twenty pictures as {drawing}: memory", "MB", Telex, [session.memory])
