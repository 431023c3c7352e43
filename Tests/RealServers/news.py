"""Feeds for the servers to fetch, which grow while they are served. Every article has a title of its
own: by it the programs' views are compared, for each has its own ids."""

import http.server
import threading
from xml.sax.saxutils import escape

START = 1_788_000_000


class News:
    """- names: of the feeds; each is at `/NAME.xml`."""

    def __init__(self, host, port, names):
        self.host, self.port = host, port
        self.titles = {name: [] for name in names}
        self.lock = threading.Lock()
        news = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                name = self.path.strip("/").removesuffix(".xml")
                body = news.document(name).encode() if name in news.titles else b""
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "application/rss+xml; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((host, port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    @property
    def base(self):
        return f"http://{self.host}" + ("" if self.port == 80 else f":{self.port}")

    @property
    def addresses(self):
        return [f"{self.base}/{name}.xml" for name in self.titles]

    def publish(self, name, count):
        with self.lock:
            first = len(self.titles[name])
            self.titles[name] += [f"{name} {number:05}" for number in range(first, first + count)]

    @property
    def all_titles(self):
        with self.lock:
            return [title for titles in self.titles.values() for title in titles]

    def document(self, name):
        with self.lock:
            titles = list(self.titles[name])
        items = "".join(
            f"<item><title>{escape(title)}</title><link>{self.base}/{title.replace(' ', '/')}</link>"
            f"<guid isPermaLink='false'>{title}</guid><pubDate>{date(number)}</pubDate>"
            f"<description>&lt;p&gt;Text of {title}.&lt;/p&gt;</description></item>"
            for number, title in reversed(list(enumerate(titles))))
        return (f"<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel><title>{name}</title>"
                f"<link>{self.base}/</link><description>{name}</description>{items}</channel></rss>")


def date(number):
    from email.utils import formatdate
    return formatdate(START + number * 600, usegmt=True)
