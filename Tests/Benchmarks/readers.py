"""How each reader is told to do what is measured."""

import shutil
import sqlite3
from email.utils import formatdate
from pathlib import Path

from corpus import FEEDS


# Of a list of Telex, as its key goes through them from the newest first on.
ORDERS = ("oldest first", "by feed", "by title", "highest score first", "newest first")


def _names():
    return (f"{feed:03}" for feed in range(FEEDS))


class Reader:
    # What the last row of the first screen holds, and the keys that move.
    shown = b""
    down, end = b"j", b"G"
    # Opens the list of all articles from the first screen, and refreshes from there; None where the
    # first screen is that list, or where the reader on the screen cannot refresh.
    open_list = None
    refresh_key = None
    # Opens the selected article of a list; None where it opens in another program.
    open_article = None
    # Feeds that it fetches at once.
    at_once = 16

    def __init__(self, folder, url):
        self.folder = Path(folder)
        self.url = url

    @property
    def refresh_unchanged(self):
        """Where nothing is new."""
        return self.refresh

    def prepare(self):
        """Makes an empty store that knows the feeds."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.configure()

    def copy(self, other):
        """Another of its kind with the same articles."""
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(self.folder, other)
        twin = type(self)(other, self.url)
        twin.configure()
        return twin


class Telex(Reader):
    name = "telex"
    program = None
    shown = b"keys"
    refresh_key = b"R"
    open_article = b"\r"

    def configure(self):
        # All feeds are on one host here.
        (self.folder / "config.toml").write_text(
            f"[network]\nconcurrent_feeds = {self.at_once}\n"
            f"concurrent_per_host = {self.at_once}\n"
            "[refresh]\ninterval_minutes = 0\n"
            '[screen]\nopen_at = "all"\n'
        )
        feeds = "".join(f'<outline type="rss" xmlUrl="{self.url}/{n}.xml"/>' for n in _names())
        (self.folder / "feeds.opml").write_text(f'<opml version="2.0"><body>{feeds}</body></opml>')

    def command(self, *arguments):
        options = ("--store", self.folder / "store", "--config", self.folder / "config.toml")
        return [self.program, *arguments, *options]

    @property
    def before(self):
        return self.command("import", "--trust", self.folder / "feeds.opml")

    @property
    def refresh(self):
        return self.command("refresh")

    @property
    def screen(self):
        return self.command()

    list_screen = screen

    @property
    def bytes(self):
        database = self.folder / "store" / "telex.sqlite"
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return database.stat().st_size


class Newsboat(Reader):
    name = "newsboat"
    shown = b"Quit"
    end = b"\x1bOF"
    open_list = b"\r"
    refresh_key = b"R"
    open_article = b"\r"
    before = None

    def configure(self):
        feeds = "".join(f"{self.url}/{n}.xml\n" for n in _names())
        (self.folder / "urls").write_text(feeds)
        (self.folder / "urls-all").write_text('"query:All:age > -1"\n' + feeds)
        (self.folder / "config").write_text(
            f"reload-threads {self.at_once}\nrefresh-on-startup no\nconfirm-exit no\n"
        )

    def command(self, urls, *arguments):
        files = [("-u", urls), ("-c", "cache.db"), ("-C", "config")]
        options = [word for flag, name in files for word in (flag, self.folder / name)]
        return ["newsboat", *options, *arguments]

    @property
    def refresh(self):
        return self.command("urls", "-x", "reload")

    @property
    def screen(self):
        return self.command("urls")

    @property
    def list_screen(self):
        return self.command("urls-all")

    @property
    def bytes(self):
        return (self.folder / "cache.db").stat().st_size

    def search(self, word):
        """What newsboat asks of its cache when it searches; it has no such verb."""
        with sqlite3.connect(self.folder / "cache.db") as connection:
            found = connection.execute(
                "SELECT guid FROM rss_item WHERE (title LIKE ?1 OR content LIKE ?1) "
                "AND deleted = 0 ORDER BY pubDate DESC, id DESC",
                (f"%{word}%",),
            ).fetchall()
        connection.close()
        return len(found)


class Curl(Reader):
    """No reader: the least that fetching takes. What it fetches is thrown away."""

    name = "curl"
    before = None

    def configure(self):
        lines = "".join(f'url = "{self.url}/{n}.xml"\noutput = /dev/null\n' for n in _names())
        (self.folder / "urls").write_text(lines)

    def command(self, *arguments):
        parallel = ["--parallel", "--parallel-immediate", "--parallel-max", str(self.at_once)]
        return ["curl", "--silent", *parallel, *arguments, "--config", self.folder / "urls"]

    @property
    def refresh(self):
        return self.command()

    @property
    def refresh_unchanged(self):
        return self.command("--time-cond", formatdate(usegmt=True))


class W3m(Reader):
    """No reader: what lays HTML out."""

    name = "w3m"

    @staticmethod
    def is_installed():
        return shutil.which("w3m") is not None


class Sfeed(Reader):
    name = "sfeed"
    # The reversed last row.
    shown = b"\x1b[40;1H\x1b[7m"
    before = None

    def configure(self):
        feeds = "".join(f"  feed {n} {self.url}/{n}.xml\n" for n in _names())
        (self.folder / "sfeedrc").write_text(
            f'sfeedpath="{self.folder}/feeds"\nmaxjobs={self.at_once}\nfeeds() {{\n{feeds}}}\n'
        )

    @property
    def files(self):
        return sorted((self.folder / "feeds").iterdir())

    @property
    def refresh(self):
        return ["sfeed_update", self.folder / "sfeedrc"]

    @property
    def screen(self):
        return ["sfeed_curses", *self.files]

    @property
    def list_screen(self):
        # It shows one file at a time: all articles in one, then.
        merged = self.folder / "all"
        if not merged.exists():
            with open(merged, "wb") as target:
                for file in self.files:
                    target.write(file.read_bytes())
        # `l` leaves the pane of the feeds.
        return ["env", "SFEED_AUTOCMD=l", "sfeed_curses", merged]

    @property
    def bytes(self):
        return sum(file.stat().st_size for file in self.files)
