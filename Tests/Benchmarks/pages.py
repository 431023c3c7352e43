"""The pages in Fixtures/pages: how well the words of their articles are found, and a long page of that shape."""

import json
import subprocess
import unicodedata
from collections import Counter
from html.parser import HTMLParser

# Elements whose text does not stand on one line with what is around them.
_BLOCKS = set(
    "address article aside blockquote br caption dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6"
    " header hr li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)


class _Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_starttag(self, tag, attributes):
        if tag in _BLOCKS:
            self.parts.append("\n")

    handle_endtag = lambda self, tag: self.handle_starttag(tag, ())

    def handle_data(self, data):
        self.parts.append(data)


def words(text):
    """As `WordCounts` in Tests/SyndicationTests counts them."""
    counts, word, last = Counter(), "", None

    def end():
        nonlocal word
        if word:
            counts[word] += 1
        word = ""

    for sign in unicodedata.normalize("NFKC", text).lower():
        category = unicodedata.category(sign)
        if category == "Lo" and 0x2E80 <= ord(sign) <= 0xD7AF:
            end()
            counts[sign] += 1
            last = None
            continue
        kind = "digit" if category == "Nd" else "letter" if category[0] in "LM" and category != "Me" else None
        if kind != last or kind is None:
            end()
        if kind:
            word += sign
        last = kind
    end()
    return counts


def text_of(html):
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts)


def extract(program, page, url, folder):
    """What `telex extract --json` says of a page."""
    done = subprocess.run(
        [program, "extract", page, "--url", url, "--json", "--config", folder / "config.toml"],
        capture_output=True, check=False,
    )
    return json.loads(done.stdout)


def score(found, expected):
    """Precision, recall and F1 of words."""
    common = sum((found & expected).values())
    precision, recall = (common / max(1, sum(some.values())) for some in (found, expected))
    return precision, recall, 2 * common / max(1, sum(found.values()) + sum(expected.values()))


def scores(program, pages, folder):
    """Of each page with a text beside it, by its name."""
    found = {}
    for text in sorted(pages.glob("*.txt")):
        about = json.loads((pages / f"{text.stem}.expected.json").read_text())
        url = about.get("url", "https://example.org/reise/nachtzug")
        html = extract(program, pages / f"{text.stem}.html", url, folder)["html"]
        found[text.stem] = score(words(text_of(html)), words(text.read_text()))
    return found


def long_page(size):
    """A page of so many bytes: an article with what newspapers put around one."""
    sentence = "The ferry leaves at six, at <em>noon</em>, and at nine, and it <a href='/wait'>waits</a> for nobody. "
    teaser = (
        "<li class='teaser-item'><a href='/story/{0}'><img src='/t/{0}.jpg' alt='' width=120 height=80>"
        "<h3 class='teaser-item__title'>What happened in the town {0}</h3><p>And why it did</p></a></li>"
    )
    head = (
        "<!doctype html><html lang=en><head><title>The last ferry | The Paper</title>"
        "<meta property='og:title' content='The last ferry'></head><body class='page page--story'>"
        "<header class='masthead'><nav><ul>"
        + "".join(f"<li><a href='/section/{number}'>Section {number}</a></li>" for number in range(60))
        + "</ul></nav></header><main><article class='story'><h1>The last ferry</h1><div class='story-body'>"
    )
    foot = (
        "</div></article><aside class='related'><ul>"
        + "".join(teaser.format(number) for number in range(150))
        + "</ul></aside></main><footer><p>All rights are reserved, and so are the wrongs.</p></footer></body></html>"
    )
    parts, length, number = [head], len(head) + len(foot), 0
    while length < size:
        number += 1
        part = f"<p class='story-body__text' data-n='{number}'>{sentence * 3}</p>"
        if number % 9 == 0:
            part += f"<h2 id='part-{number}'>Part {number}</h2><ul><li>{sentence}</li><li>{sentence}</li></ul>"
        if number % 11 == 0:
            part += (
                f"<figure><img data-src='/p/{number}.jpg' width=800 height=500 alt='The pier'>"
                f"<figcaption>The pier on day {number}</figcaption></figure>"
                "<div class='share-bar'><a href='#'>Share</a> <a href='#'>Post</a></div>"
            )
        parts.append(part)
        length += len(part)
    return "".join(parts) + foot
