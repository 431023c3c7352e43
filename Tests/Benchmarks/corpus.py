"""The feeds that everything is measured with: the same bytes on every machine.

Words follow Zipf's law, so that compression and a search index meet what real text gives them: a
kilobyte of it shrinks as much as one of manual pages, has as many different words, and takes a
little more of an index (0.56 kB to 0.50). A third of a body is markup, as blog software writes it.

A feed has the same name in every corpus: a server that changes from the small corpus to the large
one has news in every feed.
"""

import random
from email.utils import formatdate
from html import escape
from itertools import accumulate
from pathlib import Path

FEEDS = 500
RARE_WORD = "quagswagging"
RARE_COUNT = 5
COMMON_WORD = "the"
TOPICS = 400
NEWEST = 1_717_200_000  # 2024-06-01; all dates lie before it, none of them in the future.

_COMMON = (
    "the of and to in a is that for it as was with be by on not he his but at are this have from "
    "or had an they which one you were all her she there would their we him been has when who will "
    "more no if out so said what up its about into than them can only other new some could time "
    "these two may then do first any my now such like our over man me even most made after also"
).split()
_ONSETS = (
    "b bl br c ch cl cr d dr f fl g gl gr h j k l m n p pl pr qu r s sc sh st t th tr v w"
).split()
_VOWELS = "a e i o u a e i o ai ea ee io ou".split()
_CODAS = ["", "", "", "l", "m", "n", "nd", "nt", "r", "rt", "s", "st", "t", "ck"]
_ACCENTED = str.maketrans({"a": "á", "e": "é", "i": "ï", "o": "ö", "u": "ü"})


def _vocabulary(chance, size=30_000):
    words = dict.fromkeys(_COMMON)
    while len(words) < size:
        syllables = chance.choices((1, 2, 3, 4), (1, 5, 4, 1))[0]
        word = "".join(
            chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS)
            for _ in range(syllables)
        )
        words[word.translate(_ACCENTED) if chance.random() < 0.03 else word] = None
    # Frequent words are short ones.
    rest = sorted(list(words)[len(_COMMON):], key=lambda word: len(word) + chance.random() * 6)
    return _COMMON + rest


class Writer:
    """Writes articles out of a stock of sentences by topic; the same seed writes the same text."""

    def __init__(self, seed=1):
        self.chance = random.Random(seed)
        words = _vocabulary(self.chance)
        weights = list(accumulate(rank**-1.05 for rank in range(1, len(words) + 1)))
        self.topics = [self._topic(words, weights) for _ in range(TOPICS)]
        self.sentences = self.topics[0]

    def _topic(self, words, weights):
        """Sentences that have a few words of their own in common, as those of an article do."""
        favourites = self.chance.sample(words[len(_COMMON) :], k=24)
        sentences = []
        for _ in range(100):
            sentence = self.chance.choices(words, cum_weights=weights, k=self.chance.randint(5, 22))
            for place in range(2, len(sentence), 4):
                sentence[place] = self.chance.choice(favourites)
            sentences.append(" ".join(sentence).capitalize() + self.chance.choice("...?"))
        return sentences

    def paragraph(self, length):
        return " ".join(self.chance.choices(self.sentences, k=length))

    def title(self):
        return " ".join(self.chance.choice(self.sentences)[:-1].split()[:9])

    def link(self, site, number, text):
        slug = text.lower().replace(" ", "-")
        return (
            f'<a href="{site}/{number}/{slug}/" target="_blank" '
            f'rel="noopener noreferrer">{text}</a>'
        )

    def figure(self, site, number):
        image = f"{site}/wp-content/uploads/2024/05/{number}"
        sizes = ", ".join(f"{image}-{width}x{width * 9 // 16}.jpg {width}w" for width in (300, 768))
        return (
            f'<figure class="wp-block-image size-large"><img loading="lazy" decoding="async" '
            f'width="1024" height="576" src="{image}-1024x576.jpg" alt="{self.title()}" '
            f'class="wp-image-{number}" srcset="{image}-1024x576.jpg 1024w, {sizes}" '
            f'sizes="(max-width: 1024px) 100vw, 1024px"/></figure>'
        )

    def body(self, feed, number, rare=False):
        """About 3.2 kB of HTML, two thirds of it text."""
        site = f"https://example.org/{feed}"
        parts = [
            self.figure(site, number),
            f"<p>{self.paragraph(4)}</p>",
            f"<p>{self.paragraph(2)} {self.link(site, number, self.title())} {self.paragraph(2)}</p>",
            f'<h2 class="wp-block-heading" id="h-{number}">{self.title()}</h2>',
            f"<p>{self.paragraph(3)} <em>{self.title()}</em> &mdash; {self.paragraph(2)}</p>",
            f'<blockquote class="wp-block-quote"><p>{self.paragraph(2)}</p></blockquote>',
            '<ul class="wp-block-list">'
            + "".join(f"<li>{self.link(site, number + n, self.title())}</li>" for n in (1, 2))
            + "</ul>",
            f"<p>{self.paragraph(3)}{' ' + RARE_WORD if rare else ''}</p>",
            f'<p class="has-small-font-size">{self.link(site, number, "Read on")}</p>',
        ]
        return "\n".join(parts)

    def item(self, feed, number, age, rare=False):
        self.sentences = self.chance.choice(self.topics)
        return self.entry(feed, number, age, self.body(feed, number, rare))

    def entry(self, feed, number, age, body):
        """An item with this body. `age`: seconds before the newest moment."""
        # Half of the feeds put their text into CDATA, half escape it.
        if feed % 2:
            content = f"<content:encoded><![CDATA[{body}]]></content:encoded>"
        else:
            content = f"<description>{escape(body)}</description>"
        return (
            f"<item><title>{escape(self.title())}</title>"
            f"<link>https://example.org/{feed}/{number}</link>"
            f'<guid isPermaLink="false">urn:example:{feed}:{number}</guid>'
            f"<pubDate>{formatdate(NEWEST - age, usegmt=True)}</pubDate>{content}</item>\n"
        )


def document(feed, items):
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>\n'
        f"<title>Feed {feed:03}</title><link>https://example.org/{feed}</link>"
        f"<description>Feed number {feed}.</description>\n{''.join(items)}</channel></rss>\n"
    )


def feed_of(bodies):
    """A feed with an article for each body."""
    items = [
        f"<item><title>Article {number}</title><guid isPermaLink=\"false\">urn:example:long:{number}</guid>"
        f"<content:encoded><![CDATA[{body}]]></content:encoded></item>\n"
        for number, body in enumerate(bodies)
    ]
    return document(0, items)


def long_body(size):
    """A body of at least `size` bytes: those of many articles, one behind the other."""
    writer = Writer(seed=3)
    body, number = "", 0
    while len(body.encode()) < size:
        writer.sentences = writer.chance.choice(writer.topics)
        body += writer.body(0, number)
        number += 10
    return body


def _write(path, text):
    path.write_text(text, encoding="utf-8")


def _write_feeds(folder, count):
    folder.mkdir()
    writer = Writer()
    rare = {(FEEDS // RARE_COUNT) * n + 7: count // 2 for n in range(RARE_COUNT)}
    for feed in range(FEEDS):
        items = [
            # Numbers count up from the oldest, and each feed's dates lie between the others'.
            writer.item(feed, count - place, place * 43_200 + feed * 61, rare.get(feed) == place)
            for place in range(count)
        ]
        _write(folder / f"{feed:03}.xml", document(feed, items))


def write(folder):
    """Writes what is missing in `folder`: `brief` (500 feeds of 10), `small` (of 20), `large` (of
    200), and single documents to parse."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, count in (("brief", 10), ("small", 20), ("large", 200)):
        if not (folder / name).exists():
            unfinished = folder / f"{name}.unfinished"
            _write_feeds(unfinished, count)
            unfinished.rename(folder / name)
    writer = Writer(seed=2)
    for name, count in (("empty.xml", 0), ("10MB.xml", 2_750), ("34MB.xml", 9_350)):
        if not (folder / name).exists():
            _write(folder / name, document(1, [writer.item(1, n, n * 60) for n in range(count)]))


if __name__ == "__main__":
    import sys

    write(sys.argv[1])
