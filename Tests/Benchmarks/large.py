"""Half a million articles of 5,000 feeds: what each list, search, change and verb takes of time and memory, beside the same
with a tenth of them. A thing that grows with the store, and not with its result, shows as a ratio near ten."""

import os
import random
import shutil
import sqlite3
import sys
import time
from pathlib import Path

from corpus import COMMON_WORD, RARE_WORD, Writer, document
from process import Failed, Session, run
from readers import ORDERS, Telex

# What makes a store of the schema before of one of the present schema.
SCHEMA = 27
FORMER = """
    DROP TRIGGER titleChanged; DROP TABLE titleKey; DROP TABLE titleOrder;
    DELETE FROM grdb_migrations WHERE identifier LIKE '27 %'; PRAGMA user_version = 26;
"""
PORT = 18_741  # The same in every run: kept stores know the feeds by it.
SIZES = {"tenth": 500, "half a million": 5_000}
ARTICLES = 100  # In each feed.
MOVES = 200


class LargeTelex(Telex):
    """With as many feeds as it is to know, a tenth of them in each of ten folders."""

    feeds = 0

    def configure(self):
        super().configure()
        names = [f"{number:04}" for number in range(self.feeds)]
        folders = "".join(
            f'<outline text="Folder {folder}">'
            + "".join(
                f'<outline type="rss" xmlUrl="{self.url}/{name}.xml"/>' for name in names[folder::10])
            + "</outline>"
            for folder in range(10))
        (self.folder / "feeds.opml").write_text(f'<opml version="2.0"><body>{folders}</body></opml>')


def write_feeds(folder, feeds):
    """Articles of 0.9 kB, with the vocabulary of the other corpora."""
    if folder.exists():
        return
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    writer = Writer(seed=4)
    chance = random.Random(5)
    rare = {chance.randrange(feeds) for _ in range(5)}
    for feed in range(feeds):
        items = []
        for place in range(ARTICLES):
            writer.sentences = writer.chance.choice(writer.topics)
            number = ARTICLES - place
            link = writer.link(f"https://example.org/{feed}", number, writer.title())
            word = f" {RARE_WORD}" if feed in rare and place == ARTICLES // 2 else ""
            body = f"<p>{writer.paragraph(3)}</p><p>{writer.paragraph(2)} {link}{word}</p>"
            items.append(writer.entry(feed, number, place * 43_200 + feed * 7, body))
        (unfinished / f"{feed:04}.xml").write_text(document(feed, items), encoding="utf-8")
    unfinished.rename(folder)


def filled(bench, name):
    """A reader with everything, made once."""
    feeds = SIZES[name]
    corpus = bench.folder / "corpus" / f"large-{feeds}"
    # In a process of its own: what starts the programs is to stay small.
    words = [sys.executable, __file__, str(corpus), str(feeds)]
    if os.spawnv(os.P_WAIT, sys.executable, words) != 0:
        raise Failed("the feeds could not be written")
    reader = LargeTelex(bench.folder / f"telex-large-{feeds}", f"http://127.0.0.1:{PORT}")
    reader.feeds = feeds
    done = reader.folder / "complete"
    if not done.exists():
        reader.prepare()
        run(reader.before, reader.folder)
        with bench.serve_folder(corpus, PORT):
            add(bench, name, "first refresh", run(reader.refresh, reader.folder))
        done.touch()
    return reader, corpus


def add(bench, name, what, result):
    bench.add(f"{what}, {name}", "s", Telex, [result["wall"]])
    bench.add(f"{what}, {name}: memory", "MB", Telex, [result["memory"]])


def large(bench):
    for name in SIZES:
        reader, corpus = filled(bench, name)
        start(bench, name, reader)
        screens(bench, name, reader)
        verbs(bench, name, reader)
        changes(bench, name, reader, corpus)
        with bench.serve_folder(corpus, PORT):
            unchanged(bench, name, reader)


def start(bench, name, reader):
    # Lists are to be in their own order, whatever an earlier run has left.
    (reader.folder / "store" / "list-habits").unlink(missing_ok=True)
    times, memory = [], []
    for _ in range(bench.runs + 1):
        with Session(reader.screen, reader.folder, 24, 80) as session:
            times.append(session.until_shown(reader.shown))
            memory.append(session.memory)
    bench.add(f"start, {name}", "ms", Telex, times[1:])
    bench.add(f"start, {name}: memory", "MB", Telex, memory[1:])


def screens(bench, name, reader):
    """From a key to the last byte of what it draws."""
    for rows, columns in ((24, 80), (60, 200)):
        size = f"{columns}×{rows}, {name}"
        with Session(reader.screen, reader.folder, rows, columns) as session:
            session.until_shown(reader.shown)
            session.until_quiet(0.5)

            def several(what, key, back=None, count=10, rest=0.1, less=0):
                times = []
                for _ in range(count):
                    times.append(session.press(key, rest) - less)
                    if back:
                        session.press(back, rest)
                bench.add(f"{what}, {size}", "ms", Telex, times)

            moved = []
            for _ in range(MOVES):
                moved.append(session.press(b"j", 0.004))
                time.sleep(0.004)
            bench.add(f"a row down, {size}", "ms", Telex, moved)
            bench.add(f"a row down, {size}: 99 of 100", "ms", Telex, moved,
                      pick=lambda values: sorted(values)[len(values) * 99 // 100])
            several("the end of the list", b"G", b"g")
            several("an article", b"\r", b"q")
            session.press(b"h", 0.3)
            several("the end of the sidebar", b"G", b"g")
            several("the next feed of the sidebar", b"j")
            session.press(b"g", 0.3)
            session.press(b"l", 0.5)
            for words in (b"the", RARE_WORD.encode(), b"qu"):
                session.press(b"/", 0.1)
                # The words rest for a while before they are looked for.
                times = [session.press(words, 1.0) - 0.3]
                session.press(b"\x1b", 0.3)
                bench.add(f"hits of {words.decode()}, {size}", "ms", Telex, times)
            for query in (b"unread", b"title:the", b"unread -feed:12 after:20y", b"starred"):
                session.press(b"&", 0.1)
                session.press(query, 0.1)
                times = [session.press(b"\r", 1.0)]
                session.press(b"\x1b", 0.3)
                bench.add(f"limited to {query.decode()}, {size}", "ms", Telex, times)
            for order in ORDERS:
                bench.add(f"sorted {order}, {size}", "ms", Telex, [session.press(b",", 2.0)])
            several("the statistics", b"S", b"q", count=3, rest=1.0)
            bench.add(f"screens, {size}: memory", "MB", Telex, [session.memory])


VERBS = (
    ("articles --limit 50",), ("articles --limit 50 --json",), ("list",), (f"search {RARE_WORD}",),
    (f"search {COMMON_WORD}",), ("stats --json",), ("cache",), ("tag",), ("doctor",), ("export",),
    ("export --articles",), ("cache --trim --keep 1000 --dry-run",),
)


def verbs(bench, name, reader):
    for line, in VERBS:
        # A finding of the doctor is no failure here.
        results = [
            run(reader.command(*line.split()), reader.folder, allowed=(0, 1)) for _ in range(2)]
        add(bench, name, f"telex {line}", min(results, key=lambda result: result["wall"]))


def former(twin):
    """Takes the store back to the schema before."""
    connection = sqlite3.connect(twin.folder / "store" / "telex.sqlite", isolation_level=None)
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != SCHEMA:
        raise Failed(f"the benchmark takes schema {SCHEMA} back, and the store has {found}")
    connection.executescript(FORMER)
    connection.close()


def orders_titles(twin):
    """Whether the order of titles is made."""
    connection = sqlite3.connect(twin.folder / "store" / "telex.sqlite")
    try:
        return connection.execute("SELECT isWhole FROM titleOrder").fetchone() == (1,)
    finally:
        connection.close()


def titles(bench, name, twin):
    """The first list by title is sorted; the order that is made meanwhile is what later ones are read along."""
    sorting = twin.command("articles", "--limit", "50", "sort:title")
    add(bench, name, "telex articles sort:title, all sorted", run(sorting, twin.folder))
    for is_first in (True, False):
        (twin.folder / "store" / "list-habits").unlink(missing_ok=True)
        with Session(twin.screen, twin.folder, 24, 80) as session:
            session.until_shown(twin.shown)
            session.until_quiet(0.5)
            for order in ORDERS:
                taken = session.press(b",", 2.0)
                if order != "by title":
                    continue
                if not is_first:
                    bench.add(f"sorted by title, in order, {name}", "ms", Telex, [taken])
                began = time.perf_counter()
                while not orders_titles(twin) and time.perf_counter() - began < 120:
                    time.sleep(0.1)
                session.until_quiet(0.5, seconds=60)
    add(bench, name, "telex articles sort:title, in order", run(sorting, twin.folder))


def known_again(bench, name, twin, corpus):
    """A feed whose articles another one has brought: each is looked up by its link."""
    folder = bench.folder / "corpus" / "known-again"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = sorted(corpus.iterdir())
    for path in files[::len(files) // 20][:20]:
        shutil.copy(path, folder / f"again-{path.name}")
    with bench.serve_folder(folder, PORT + 2) as server:
        urls = [f"{server.url}/{path.name}" for path in sorted(folder.iterdir())]
        listed = "".join(f'<outline type="rss" xmlUrl="{url}"/>' for url in urls)
        opml = twin.folder / "again.opml"
        opml.write_text(f'<opml version="2.0"><body>{listed}</body></opml>')
        run(twin.command("import", "--trust", opml), twin.folder)
        add(bench, name, "20 feeds that others have told",
            run(twin.command("refresh", *urls), twin.folder))


def changes(bench, name, reader, corpus):
    """In a copy, which is thrown away."""
    twin = LargeTelex(bench.folder / "telex-large-changed", reader.url)
    shutil.rmtree(twin.folder, ignore_errors=True)
    shutil.copytree(reader.folder, twin.folder)
    try:
        former(twin)
        add(bench, name, "migration", run(twin.command("articles", "--limit", "1"), twin.folder))
        titles(bench, name, twin)
        known_again(bench, name, twin, corpus)
        with Session(twin.screen, twin.folder, 24, 80) as session:
            session.until_shown(twin.shown)
            session.until_quiet(0.5)
            session.press(b"A", 0.2)
            session.press(b"y", 0.02)
            moved = []
            for _ in range(MOVES):
                moved.append(session.press(b"j", 0.004))
                time.sleep(0.004)
            bench.add(f"a key while all is marked, {name}: slowest", "ms", Telex, [max(moved)])
            session.until_quiet(5, seconds=60)
            bench.add(f"undo of that, {name}", "ms", Telex, [session.press(b"u", 3.0)])
        line = "cache --trim --keep 50 --unread --yes"
        add(bench, name, "telex cache --trim --keep 50", run(twin.command(*line.split()), twin.folder))
    finally:
        shutil.rmtree(twin.folder, ignore_errors=True)


def unchanged(bench, name, reader):
    """All feeds are asked, and their validators say that none has changed."""
    add(bench, name, "unchanged refresh", run(reader.refresh, reader.folder))


if __name__ == "__main__":
    write_feeds(Path(sys.argv[1]), int(sys.argv[2]))
