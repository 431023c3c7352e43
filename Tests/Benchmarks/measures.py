"""What is measured. Each function measures one thing with every reader."""

import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from corpus import COMMON_WORD, FEEDS, RARE_COUNT, RARE_WORD, feed_of, long_body
from hostile import SHAPES
from large import large
from pages import long_page, scores
from pictures import pictures
from process import Failed, FileServer, PeakMemory, Server, Session, first_line, run, thread_work
from readers import ORDERS, Curl, Newsboat, Sfeed, Telex, W3m
from report import Report

ARTICLES = {"small": FEEDS * 20, "large": FEEDS * 200}
PORT = 18_739  # The same in every run: kept stores know the feeds by it.
KEYS = 300
PREVIEW_DELAY = 0.08
# Seconds for which the words of a search rest before they are looked for.
SEARCH_DELAY = 0.3
FILE_SIZE = 512 << 20
LONG = 200_000  # Bytes of a long article.
LINE = 960  # Bytes in a second of a line of 9,600 bit/s.
SYNCED = ((20_000, 2_000), (300_000, 40_000))
MARKS = 10_000
FIXTURES = Path(__file__).resolve().parents[2] / "Fixtures"
IDLE = 120  # Seconds for which nobody touches a reader.
SLOW = 3  # Seconds; what takes longer is not repeated.


@dataclass
class Bench:
    server: Path
    folder: Path
    readers: tuple
    runs: int
    sizes: tuple
    report: Report
    filled: dict = field(default_factory=dict)

    @property
    def url(self):
        return f"http://127.0.0.1:{PORT}"

    def serve(self, size, delay=0):
        """- delay: milliseconds before each answer."""
        return self.serve_folder(self.folder / "corpus" / size, PORT, delay)

    def serve_folder(self, feeds, port, delay=0):
        return Server(
            self.server, port, self.folder / "ready", "--static", feeds, "--delay", delay
        )

    def reader(self, kind, size):
        """A reader that has fetched everything. Made once, with its first refresh."""
        key = (kind, size)
        if key not in self.filled:
            reader = kind(self.folder / f"{kind.name}-{size}", self.url)
            done = reader.folder / "complete"
            if not done.exists():
                reader.prepare()
                with self.serve(size):
                    if reader.before:
                        run(reader.before, reader.folder)
                    run(reader.refresh, reader.folder)
                done.touch()
            self.filled[key] = reader
        return self.filled[key]

    def each(self):
        for size in self.sizes:
            for kind in self.readers:
                yield kind, size, f"{ARTICLES[size]:,}"

    def add(self, name, unit, kind, values, **options):
        self.report.add(name, unit, kind.name, values, **options)


def start(bench):
    """From the start of the process until the first screen is complete."""
    for kind, size, count in bench.each():
        reader = bench.reader(kind, size)
        times, memory = [], []
        for _ in range(bench.runs + 1):
            with Session(reader.screen, reader.folder) as session:
                times.append(session.until_shown(reader.shown))
                memory.append(session.memory)
            if times[-1] > SLOW:
                break
        # The first fills the caches of the system.
        bench.add(f"start with {count} articles", "ms", kind, times[1:] or times)
        bench.add(f"start with {count}: memory", "MB", kind, memory[1:] or memory)


def open_list(bench):
    """The list of all articles, and its end."""
    for kind, size, count in bench.each():
        reader = bench.reader(kind, size)
        opened, ends, memory = [], [], []
        for _ in range(bench.runs):
            with Session(reader.list_screen, reader.folder) as session:
                shown = session.until_shown(reader.shown)
                session.until_quiet(0.1)
                # A long pause: a message may come first, and the list much later.
                opened.append(session.press(reader.open_list, 1) if reader.open_list else shown)
                session.until_quiet(0.1)
                ends.append(session.press(reader.end, 0.03))
                memory.append(session.memory)
            if shown > SLOW:
                break
        bench.add(f"open the list of {count}", "ms", kind, opened)
        bench.add(f"to the end of {count}", "ms", kind, ends)
        bench.add(f"list of {count}: memory", "MB", kind, memory)


def refresh(bench):
    """The first refresh of 500 feeds of 20, and one where nothing has changed."""
    first = {kind: [] for kind in bench.readers}
    again = {kind: [] for kind in bench.readers}
    with bench.serve("small"):
        # In turns, so that a busy moment of the machine meets all alike.
        for number in range(bench.runs):
            for kind in bench.readers:
                if number >= 2 and kind is not Telex:
                    continue
                reader = kind(bench.folder / f"{kind.name}-fresh", bench.url)
                reader.prepare()
                if reader.before:
                    run(reader.before, reader.folder)
                first[kind].append(run(reader.refresh, reader.folder))
                again[kind].append(run(reader.refresh, reader.folder))
    for name, results in (("first refresh", first), ("unchanged refresh", again)):
        for kind, runs in results.items():
            bench.add(name, "s", kind, [one["wall"] for one in runs])
            bench.add(f"{name}: processor", "s", kind, [one["cpu"] for one in runs])
            bench.add(f"{name}: memory", "MB", kind, [one["memory"] for one in runs])


def network(bench):
    """500 feeds of 10, some 38 kB each, from a server that takes 50 ms for each answer, 50 of them
    at once: the first refresh, and one where nothing has changed. Curl fetches the same addresses
    and keeps nothing."""
    kinds = [Telex, Curl, *(kind for kind in bench.readers if kind is Newsboat)]
    first = {kind: [] for kind in kinds}
    again = {kind: [] for kind in kinds}
    with bench.serve("brief", delay=50):
        for number in range(bench.runs):
            for kind in kinds:
                if number >= 2 and kind is Newsboat:
                    continue
                reader = kind(bench.folder / f"{kind.name}-network", bench.url)
                reader.at_once = 50
                reader.prepare()
                if reader.before:
                    run(reader.before, reader.folder)
                first[kind].append(run(reader.refresh, reader.folder))
                again[kind].append(run(reader.refresh_unchanged, reader.folder))
    for name, results in (("first", first), ("unchanged", again)):
        for kind, runs in results.items():
            bench.add(f"{name} over 50 ms", "s", kind, [one["wall"] for one in runs])
            bench.add(f"{name} over 50 ms: processor", "s", kind, [one["cpu"] for one in runs])
            # Each by the run of curl that was beside it.
            ratios = [one["wall"] / least["wall"] for one, least in zip(runs, results[Curl])]
            bench.add(f"{name} over 50 ms: by curl's", "times", kind, ratios)


def keys(bench):
    """From a key to the last byte of what it draws, at rest and during a refresh."""
    for kind in bench.readers:
        reader = bench.reader(kind, "small")
        with Session(reader.list_screen, reader.folder) as session:
            session.until_shown(reader.shown)
            session.until_quiet(0.2)
            if reader.open_list:
                session.press(reader.open_list, 0.2)
            _press_down(bench, kind, session, reader, "key to paint")
            bench.add("key to paint: memory", "MB", kind, [session.memory])
    if "large" not in bench.sizes:
        return
    # The server now has 180 new articles in each feed, which takes longer than the keys do.
    with bench.serve("large"):
        for kind in bench.readers:
            if kind.refresh_key is None:
                continue
            reader = bench.reader(kind, "small").copy(bench.folder / f"{kind.name}-busy")
            with Session(reader.screen, reader.folder) as session:
                session.until_shown(reader.shown)
                session.until_quiet(0.2)
                session.press(reader.refresh_key, 0.002)
                name = "key to paint while refreshing"
                _press_down(bench, kind, session, reader, name)
                bench.add(f"{name}: memory", "MB", kind, [session.memory])


def screens(bench):
    """From a key to the last byte of what it draws: lists of commands and keys, jumps among 500 feeds, and the article
    beside the list, which is read once the selection rests. And the bytes of a bar that moves."""
    kind = Telex
    size = bench.sizes[-1]
    count = f"{ARTICLES[size]:,}"
    reader = bench.reader(kind, size)
    for rows, columns in ((24, 80), (60, 200)):
        name = f"{columns}×{rows} with {count}"
        with Session(reader.list_screen, reader.folder, rows, columns) as session:
            session.until_shown(reader.shown)
            session.until_quiet(0.5)
            moved, sent = [], []
            for _ in range(KEYS):
                moved.append(session.press(reader.down, 0.004))
                sent.append(len(session.output))
                time.sleep(0.004)
            bench.add(f"a bar moved, {name}", "ms", kind, moved)
            bench.add(f"a bar moved, {name}: sent", "B", kind, sent)
            session.until_quiet(0.5)
            if columns >= 180:
                shown = []
                for _ in range(30):
                    # The last byte but for the time that the selection has to rest.
                    shown.append(session.press(reader.down, 0.2) - PREVIEW_DELAY)
                bench.add(f"the article beside it, {name}", "ms", kind, shown)
            pages = (("palette", b"\x10", b"\x1b"), ("places", b";", b"\x1b"), ("help", b"?", b"q"))
            for what, key, back in pages:
                times = []
                for _ in range(20):
                    times.append(session.press(key, 0.02))
                    session.press(back, 0.1)
                bench.add(f"{what}, {name}", "ms", kind, times)
            for query in (b"unread -feed:12 after:20y", b"unread title:of after:20y"):
                times = []
                for _ in range(20):
                    session.press(b"&", 0.05)
                    session.press(query, 0.05)
                    times.append(session.press(b"\r", 0.5))
                    session.press(b"\x1b", 0.15)
                bench.add(f"limited to {query.decode()}, {name}", "ms", kind, times)
            for word in (b"the", RARE_WORD.encode()):
                times = []
                for _ in range(10):
                    session.press(b"/", 0.05)
                    # The last byte but for the time that the words have to rest.
                    times.append(session.press(word, 0.6) - SEARCH_DELAY)
                    session.press(b"\x1b", 0.15)
                bench.add(f"hits of {word.decode()} as it is typed, {name}", "ms", kind, times)
            for order in ORDERS:
                times = [session.press(b",", 1.0)]
                bench.add(f"sorted {order}, {name}", "ms", kind, times)
            session.press(b"h", 0.3)
            times = [session.press(key, 0.05) for key in (b"G", b"g") * 15]
            bench.add(f"a jump in the sidebar, {name}", "ms", kind, times)


def slow_line(bench):
    """Keys over a line of 9,600 bit/s, on 80×24: from the first key to the last byte of what it draws, and how many there
    are. Ten keys in a second are drawn as often as the program thinks."""
    for kind in (kind for kind in bench.readers if kind.open_article):
        reader = bench.reader(kind, "small")
        with Session(reader.list_screen, reader.folder, 24, 80) as session:
            session.until_shown(reader.shown)
            session.until_quiet(0.5)
            if reader.open_list:
                session.press(reader.open_list, 0.5)
            steps = (
                ("a row down", [reader.down]), ("ten rows down", [reader.down] * 10),
                ("an article", [reader.open_article]), ("its next page", [b" "]), ("back", [b"q"]))
            for name, keys in steps:
                sent, seconds = session.press_slowly(keys, LINE)
                bench.add(f"{name} at 9,600 bit/s", "ms", kind, [seconds])
                bench.add(f"{name}: sent", "B", kind, [sent])


def idle(bench):
    """A list that nobody touches: how often threads of the process wake in ten seconds, and the processor time that they
    would take in an hour, by what the kernel counts of each. In Telex one wake a second is libdispatch's, which looks after
    its threads whether there is work for them or not."""
    for kind in (kind for kind in bench.readers if kind.open_article):
        reader = bench.reader(kind, "small")
        with Session(reader.list_screen, reader.folder) as session:
            session.until_shown(reader.shown)
            session.until_quiet(15)
            before = thread_work(session.pid)
            began = time.perf_counter()
            session.until_quiet(IDLE)
            seconds = time.perf_counter() - began
            wakes, worked = (now - then for now, then in zip(thread_work(session.pid), before))
        bench.add("wakes in 10 s of rest", "times", kind, [wakes * 10 / seconds])
        bench.add("processor in an hour of rest", "s", kind, [worked * 3600 / seconds])


def article(bench):
    """An article of 200 kB: from the key that opens it to its first screen; to its last one, where the key for the end is
    pressed as soon as the first shows, so that the whole must be laid out; and a key inside it. The whole is also laid out by
    `telex render` and w3m, each a process of its own, beside one with an empty file."""
    feeds = bench.folder / "corpus" / "long"
    feeds.mkdir(parents=True, exist_ok=True)
    html = long_body(LONG)
    (feeds / "000.xml").write_text(feed_of([html]), encoding="utf-8")
    file, empty = bench.folder / "long.html", bench.folder / "empty.html"
    file.write_text(html, encoding="utf-8")
    empty.write_text("<p>.", encoding="utf-8")
    size = f"{len(html.encode()) // 1000} kB"
    for kind in (kind for kind in bench.readers if kind in (Telex, Newsboat)):
        reader = kind(bench.folder / f"{kind.name}-long", bench.url)
        reader.prepare()
        (reader.folder / "urls").write_text(f"{bench.url}/000.xml\n")
        with bench.serve("long"):
            if kind is Telex:
                run(reader.command("add", f"{bench.url}/000.xml"), reader.folder)
            run(reader.refresh, reader.folder)
        first, whole, moved = [], [], []
        for _ in range(bench.runs * 3):
            with Session(reader.screen, reader.folder) as session:
                session.until_shown(reader.shown)
                session.until_quiet(0.3)
                if kind is Newsboat:
                    session.press(b"\r", 0.2)
                first.append(session.press(b"\r", 0.004))
                session.until_quiet(0.2)
                moved += [session.press(reader.down, 0.004) for _ in range(20)]
                if kind is Telex:
                    # It opens where it was left: at its top.
                    session.press(b"g", 0.1)
                    session.press(b"q", 0.2)
                    began = time.perf_counter()
                    session.press(b"\r", 0.0005)
                    between = time.perf_counter() - began
                    whole.append(between + session.press(b"G", 0.05))
        bench.add(f"first screen of {size}", "ms", kind, first)
        if whole:
            bench.add(f"last screen of {size}", "ms", kind, whole)
        bench.add(f"a key in {size}", "ms", kind, moved)
    commands = {Telex: lambda file: [Telex.program, "render", file]}
    if W3m.is_installed():
        commands[W3m] = lambda file: ["w3m", "-dump", "-T", "text/html", "-cols", "80", file]
    for kind, command in commands.items():
        for name, value in (("process", "wall"), ("processor", "cpu")):
            runs = [run(command(file), bench.folder)[value] for _ in range(bench.runs * 3)]
            bench.add(f"{size} printed: {name}", "ms", kind, runs)
            runs = [run(command(empty), bench.folder)[value] for _ in range(bench.runs * 3)]
            bench.add(f"an empty file printed: {name}", "ms", kind, runs)


def undo(bench):
    """All articles marked as read, taken back and marked again; and the keys that are pressed meanwhile."""
    kind = Telex
    size = bench.sizes[-1]
    reader = bench.reader(kind, size).copy(bench.folder / f"{kind.name}-undone")
    name = f"of a mark-all over {ARTICLES[size]:,}"
    with Session(reader.list_screen, reader.folder) as session:
        session.until_shown(reader.shown)
        session.until_quiet(0.5)
        session.press(b"A", 0.1)
        session.press(b"y", 3.0)
        bench.add(f"undo {name}", "ms", kind, [session.press(b"u", 1.0)])
        bench.add(f"redo {name}", "ms", kind, [session.press(b"\x12", 1.0)])
        session.write(b"u")
        moved = []
        for _ in range(40):
            moved.append(session.press(reader.down, 0.004))
            time.sleep(0.01)
        bench.add(f"a key during the undo {name}: slowest", "ms", kind, [max(moved)])
        session.until_quiet(1.0)


def _press_down(bench, kind, session, reader, name):
    times = []
    for _ in range(KEYS):
        times.append(session.press(reader.down, 0.004))
        time.sleep(0.004)
    bench.add(name, "ms", kind, times)
    bench.add(f"{name}: 99 of 100", "ms", kind, times, pick=_slowest_but_few)


def _slowest_but_few(times):
    return sorted(times)[len(times) * 99 // 100]


def parse(bench):
    """Bytes of a feed in a second of processor time, without what an empty feed takes. Telex prints
    one line for each article, sfeed all of its text."""
    corpus = bench.folder / "corpus"
    for kind in bench.readers:
        if kind is Telex:
            parser = lambda file: run([Telex.program, "parse", file], bench.folder)
        elif kind is Sfeed:
            parser = lambda file: run(["sfeed"], bench.folder, stdin=file)
        else:
            continue
        empty = min(parser(corpus / "empty.xml")["cpu"] for _ in range(bench.runs))
        for name in ("10MB", "34MB"):
            file = corpus / f"{name}.xml"
            size = file.stat().st_size
            runs = [parser(file) for _ in range(bench.runs)]
            name = f"parse a feed of {size / 1e6:.0f} MB"
            bench.add(name, "MB/s", kind, [size / (one["cpu"] - empty) for one in runs])
            bench.add(f"{name}: memory", "MB", kind, [one["memory"] for one in runs])
        _parse_mixed(bench, kind, empty)


def _parse_mixed(bench, kind, empty):
    """All feeds of a corpus. Telex reads them in one process; sfeed, which reads one, in a row of
    them, less what that many empty ones take."""
    for name in ("small", "brief"):
        files = sorted((bench.folder / "corpus" / name).glob("*.xml"))
        size = sum(file.stat().st_size for file in files)
        values = []
        for _ in range(bench.runs):
            if kind is Telex:
                command = [Telex.program, "parse", *map(str, files)]
                values.append(size / (run(command, bench.folder)["cpu"] - empty))
            else:
                times = [run(["sfeed"], bench.folder, stdin=file)["cpu"] for file in files]
                values.append(size / max(sum(times) - empty * len(files), 1))
        bench.add(f"parse {len(files)} feeds of {size // len(files) // 1000} kB", "MB/s", kind, values)


def search(bench):
    """A word that few articles have, in processor time. The process of Telex less one that only
    lists an article; newsboat's question to its cache; grep over sfeed's files. Then a word that most
    articles have, by the wall clock: to the first line, and to the last."""
    for kind, size, count in bench.each():
        reader = bench.reader(kind, size)
        times = []
        for _ in range(bench.runs):
            if kind is Telex:
                idle = run(reader.command("articles", "--limit", "1"), reader.folder)["cpu"]
                asked = run(reader.command("search", RARE_WORD), reader.folder)
                times.append(asked["cpu"] - idle)
            elif kind is Newsboat:
                began = time.process_time()
                _expect(reader.search(RARE_WORD))
                times.append(time.process_time() - began)
            else:
                command = ["grep", "-F", RARE_WORD, *reader.files]
                times.append(run(command, reader.folder)["cpu"])
        if kind is Telex:
            found = subprocess.run(
                reader.command("search", RARE_WORD), capture_output=True, check=True
            )
            _expect(len(found.stdout.splitlines()))
            bench.add(f"search {count}: memory", "MB", kind, [asked["memory"]])
        bench.add(f"search {count} for a rare word", "ms", kind, times)
        if kind is Telex:
            command = reader.command("search", COMMON_WORD)
            firsts = [first_line(command, reader.folder) for _ in range(bench.runs)]
            bench.add(f"search {count} for a common word: first line", "ms", kind, firsts)
            times = [run(command, reader.folder)["wall"] for _ in range(bench.runs)]
            bench.add(f"search {count} for a common word: all lines", "ms", kind, times)


def _expect(found):
    if found != RARE_COUNT:
        raise Failed(f"{found} articles were found, not {RARE_COUNT}")


def disk(bench):
    """Bytes on disk for each article; with Telex the search index is among them."""
    for kind, size, count in bench.each():
        size_on_disk = bench.reader(kind, size).bytes
        bench.add(f"disk for each of {count}", "kB", kind, [size_on_disk / ARTICLES[size]])


def html(bench):
    """1 MB of HTML that was made to be slow, in processor time: the slowest shapes, and how much
    longer each takes than a quarter of it. 4 is in proportion."""

    def render(shape, size):
        file = bench.folder / "hostile.html"
        file.write_text(SHAPES[shape](size), newline="")
        return run([Telex.program, "render", file], bench.folder)["cpu"]

    times = {shape: render(shape, 1 << 20) for shape in SHAPES}
    for shape in sorted(times, key=times.get, reverse=True)[:5]:
        runs = [times[shape], *(render(shape, 1 << 20) for _ in range(bench.runs - 1))]
        small = min(render(shape, 1 << 18) for _ in range(bench.runs))
        bench.add(f"1 MB of {shape}", "s", Telex, runs)
        bench.add(f"1 MB of {shape}: by 256 kB", "times", Telex, [min(runs) / small])


def pages(bench):
    """How many of the words of the articles in Fixtures/pages are found, and no others; and a page of 300 kB, beyond
    what the process takes for one of a line."""
    found = scores(Telex.program, FIXTURES / "pages", bench.folder)
    print(f"  {'page':34} precision  recall      F1", file=sys.stderr)
    for name, (precision, recall, f1) in found.items():
        print(f"  {name:34} {precision:9.4f} {recall:7.4f} {f1:7.4f}", file=sys.stderr)
    values = [f1 for _, _, f1 in found.values()]
    bench.add(f"words of {len(values)} articles: mean F1", "share", Telex, [sum(values) / len(values)])
    bench.add(f"words of {len(values)} articles: least F1", "share", Telex, [min(values)])
    times = {}
    for name, html in (("short", "<p>A line.</p>"), ("long", long_page(300_000))):
        file = bench.folder / f"{name}.html"
        file.write_text(html)
        command = [Telex.program, "extract", file, "--url", "https://example.org/story", "--json"]
        # A page of a line is no article, and the exit status says so.
        runs = [run(command, bench.folder, allowed=(0, 1)) for _ in range(4 * bench.runs)]
        times[name] = min(one["wall"] for one in runs)
    bench.add("article of a page of 300 kB", "ms", Telex, [times["long"] - times["short"]])


def download(bench):
    """One file of 512 MB from this machine, by `telex transfers --download` with the process that it starts, and by
    curl; both write to the disk."""
    folder = bench.folder / "download"
    folder.mkdir(exist_ok=True)
    file = folder / "episode.mp3"
    with open(file, "wb") as output:
        for number in range(FILE_SIZE >> 20):
            output.write(number.to_bytes(4, "big") * (1 << 18))
    reader = Telex(folder / "telex", bench.url)
    reader.prepare()
    (reader.folder / "config.toml").write_text(f'[downloads]\nfolder = "{folder}/files"\n')
    runs = {Telex: [], Curl: []}
    peaks = []
    with FileServer(file, PORT):
        run(reader.command("add", f"{bench.url}/feed"), reader.folder)
        for _ in range(bench.runs):
            book = reader.folder / "store" / "transfers"
            with PeakMemory(book / "helper.lock") as peak:
                runs[Telex].append(run(reader.command("transfers", "--download", "1"), reader.folder)["wall"])
            peaks.append(peak.bytes)
            copy = folder / "curl.mp3"
            command = ["curl", "--silent", "--output", copy, f"{bench.url}/episode.mp3"]
            runs[Curl].append(run(command, reader.folder)["wall"])
            for done in (*(folder / "files").iterdir(), copy):
                done.unlink()
    for kind, walls in runs.items():
        bench.add("download of 512 MB", "s", kind, walls)
    speeds = [other / own for own, other in zip(runs[Telex], runs[Curl])]
    bench.add("download: speed by curl's", "times", Telex, speeds)
    bench.add("download: memory", "MB", Telex, peaks)


def sync(bench):
    """An account at a Google Reader server: the first sync, one with nothing new, and 10,000 marks. Processor
    time is that of Telex alone."""
    articles = FIXTURES / "demo"
    for items, unread in SYNCED if "large" in bench.sizes else SYNCED[:1]:
        first, again, marked = [], [], []
        for number in range(bench.runs if items < 100_000 else 2):
            reader = Telex(bench.folder / "telex-sync", bench.url)
            reader.prepare()
            options = ("--google-reader", "freshrss", "--fixtures", articles)
            sizes = ("--articles", items, "--unread", unread)
            ready = bench.folder / "ready"
            with Server(bench.server, PORT, ready, *options, *sizes) as server:
                secret = reader.folder / "password"
                secret.write_text("demo\n")
                login = ("login", server.url, "--user", "demo", "--password-stdin")
                run(reader.command(*login), reader.folder, stdin=secret)
                first.append(run(reader.refresh, reader.folder))
                again.append(run(reader.refresh, reader.folder))
                # The newest have the lowest numbers: these are alike, and each mark is a change.
                numbers = range(MARKS + 1, 2 * MARKS + 1)
                verb = ("read",) if unread > numbers[-1] else ("read", "--undo")
                run(reader.command(*verb, *numbers), reader.folder)
                marked.append(run(reader.refresh, reader.folder))
        name = f"{items:,} items, {unread:,} unread"
        bench.add(f"first sync of {name}", "s", Telex, [one["wall"] for one in first])
        bench.add(f"first sync of {name}: memory", "MB", Telex, [one["memory"] for one in first])
        bench.add(f"nothing new of {name}: processor", "s", Telex, [one["cpu"] for one in again])
        bench.add(f"{MARKS:,} marks among {name}", "s", Telex, [one["wall"] for one in marked])


ALL = {
    "start": start, "list": open_list, "refresh": refresh, "network": network, "keys": keys,
    "screens": screens, "slow": slow_line, "idle": idle,
    "article": article, "undo": undo,
    "parse": parse, "search": search, "disk": disk, "html": html, "pages": pages, "download": download, "sync": sync,
    "pictures": pictures,
}
# What takes half an hour, and is asked for.
LARGE = {"large": large}
