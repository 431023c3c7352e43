"""coldsweat, from PyPI: a server of the Fever API, with SQLite."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import urllib.parse
import urllib.request
from xml.sax.saxutils import escape

from process import Process, run

VERSION = "0.10.2"


class Coldsweat:
    name = "coldsweat"
    kind = "fever"
    user = "ada@example.com"
    password = "a password of ada"
    site = "http://127.0.0.1:8932"
    # Where it may fetch from.
    news = ("127.0.0.1", 8931)

    @staticmethod
    def install(folder):
        """Into a folder of its own; once."""
        if (folder / "bin/coldsweat").exists():
            return
        run([sys.executable, "-m", "venv", folder])
        run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check",
             f"coldsweat=={VERSION}"])

    def __init__(self, installed, folder):
        self.program = installed / "bin/coldsweat"
        self.folder = folder
        self.database = folder / "coldsweat.sqlite"
        self.environment = dict(
            os.environ, FLASK_DATABASE_URL=f"sqlite:///{self.database}", FLASK_SECRET_KEY="of this test")
        self.process = None
        self.call("setup", self.user, "-p", self.password)

    def call(self, *arguments):
        # It asks a service for icons of feeds, which cannot be reached from here, and says so.
        subprocess.run([self.program, *arguments], env=self.environment, cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        self.process = Process([self.program, "run", "--host", "127.0.0.1", "--port", "8932"],
                               self.folder / "server.log", self.environment, port=8932)

    def kill(self):
        self.process.kill()

    def stop(self):
        self.process.kill()

    def subscribe(self, addresses):
        path = self.folder / "feeds.opml"
        lines = "".join(f"<outline type='rss' text='{escape(address)}' xmlUrl='{escape(address)}'/>"
                        for address in addresses)
        path.write_text(f"<opml version='2.0'><body><outline text='Work'>{lines}</outline></body></opml>")
        self.call("import", "-f", path, self.user)

    def fetch(self):
        # It leaves a feed alone that it has fetched within three minutes.
        with sqlite3.connect(self.database, timeout=30) as database:
            database.execute("UPDATE feeds SET last_checked_on = NULL, last_updated_on = NULL")
        database.close()
        self.call("fetch")

    def states(self):
        """Title to (is read, is starred)."""
        database = sqlite3.connect(self.database, timeout=30)
        rows = database.execute(
            "SELECT title, id IN (SELECT entry_id FROM read), id IN (SELECT entry_id FROM saved)"
            " FROM entries").fetchall()
        database.close()
        return {title: (bool(read), bool(starred)) for title, read, starred in rows}

    def mark(self, titles, member, value):
        """As another client of the user would. - member: 0 read, 1 starred."""
        database = sqlite3.connect(self.database, timeout=30)
        ids = dict(database.execute("SELECT title, id FROM entries"))
        database.close()
        action = (("unread", "read"), ("unsaved", "saved"))[member][value]
        key = hashlib.md5(f"{self.user}:{self.password}".encode()).hexdigest()
        for title in titles:
            form = urllib.parse.urlencode(
                {"api_key": key, "mark": "item", "as": action, "id": ids[title]})
            with urllib.request.urlopen(f"{self.site}/fever?api", form.encode(), timeout=30) as answer:
                assert json.load(answer)["auth"] == 1
