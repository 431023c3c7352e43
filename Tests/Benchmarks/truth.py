"""What an HTML body says: its words in order, its links, the cells of its tables. Read with Python's
own parser, so that it owes nothing to the program that is measured."""

import re
import unicodedata
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}
# Left out with all that is in them: a browser shows none of it, or it is for browsers that cannot show the rest.
HIDDEN = {
    "script", "style", "head", "title", "template", "noscript", "noembed", "noframes", "iframe",
    "object", "video", "audio", "svg", "select", "textarea", "button", "annotation", "rp",
    "datalist", "canvas", "math",
}
BLOCK = {
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "dialog",
    "dir", "div", "dl", "dt", "embed", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "iframe", "legend", "li", "main", "menu", "nav",
    "object", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
    "tr", "ul", "video", "audio",
}
# A start tag that ends an element which was left open, and what that must not reach beyond.
IMPLIED = {
    "li": ({"li"}, {"ul", "ol", "menu", "dir"}), "dt": ({"dt", "dd"}, {"dl"}), "dd": ({"dt", "dd"}, {"dl"}),
    "td": ({"td", "th"}, {"tr", "table"}), "th": ({"td", "th"}, {"tr", "table"}),
    "tr": ({"tr"}, {"table"}), "thead": ({"thead", "tbody", "tfoot"}, {"table"}),
    "tbody": ({"thead", "tbody", "tfoot"}, {"table"}), "tfoot": ({"thead", "tbody", "tfoot"}, {"table"}),
}
BASE = "https://example.org/article"


@dataclass
class Node:
    tag: str
    attributes: dict
    children: list = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Node("root", {})
        self.open = [self.root]

    def _close(self, tags, scope):
        for place in range(len(self.open) - 1, 0, -1):
            if self.open[place].tag in tags:
                del self.open[place:]
                return
            if self.open[place].tag in scope:
                return

    def handle_starttag(self, tag, attributes):
        if tag in IMPLIED:
            self._close(*IMPLIED[tag])
        if tag in BLOCK and tag != "br":
            self._close({"p"}, {"table", "td", "th", "li", "blockquote", "div", "object", "details"})
        node = Node(tag, {name: value or "" for name, value in attributes})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        # In HTML the slash means nothing, but in the pictures and formulas that stand in it.
        if tag not in VOID and tag in {"path", "circle", "rect", "line", "use", "g", "mspace"}:
            self.open.pop()

    def handle_endtag(self, tag):
        scope = set() if tag in {"table", "td", "th", "tr"} else {"td", "th", "table"}
        if tag == "br":
            self.open[-1].children.append(Node("br", {}))
        elif any(node.tag == tag for node in self.open):
            self._close({tag}, scope if tag not in {"tbody", "thead", "tfoot", "caption"} else {"table"})

    def handle_data(self, data):
        self.open[-1].children.append(data)


def tree(html):
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


def is_hidden(node):
    attributes = node.attributes
    if node.tag in HIDDEN or attributes.get("hidden", "until-found") not in ("until-found",):
        return True
    if "hidden" in attributes and attributes["hidden"] == "":
        return True
    if node.tag == "dialog" and "open" not in attributes:
        return True
    style = attributes.get("style", "").replace(" ", "").lower()
    classes = attributes.get("class", "").split()
    # Numbers of lines, and what KaTeX shows beside its MathML, which is left out here too.
    gutter = {"lnt", "linenos", "lineno", "rouge-gutter", "katex-html", "MathJax_Preview"}
    return "display:none" in style or bool(gutter.intersection(classes))


def is_tracking(node):
    sizes = [node.attributes.get(name, "") for name in ("width", "height")]
    return any(size.isdigit() and int(size) <= 1 for size in sizes)


def text(node):
    """The text that shows, with spaces where blocks and raised or lowered letters begin and end."""
    if isinstance(node, str):
        return node
    if node.tag == "img":
        # A formula is shown as one.
        if is_tracking(node) or "latex" in node.attributes.get("class", ""):
            return " "
        return f" {node.attributes.get('alt', '')} "
    if is_hidden(node):
        return " "
    inner = "".join(text(child) for child in node.children)
    apart = node.tag in BLOCK or node.tag in {"sup", "sub", "rt", "abbr"}
    return f" {inner} " if apart else inner


_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ªº"
_SCRIPT = re.compile(
    "([" + _RAISED + "ᴬ-ᵡᵢ-ᵪₐ-ₜʰ-ʸˠ-ˤᵃ-ᵿᶜ-ᶿ]+)"
)
_WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60"
_WORD = re.compile(rf"[{_WIDE}]|[^\W_{_WIDE}]+")
_LEFT_OUT = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u034f\ufe0e\ufe0f]")


def words(shown):
    """Letters and digits that stand together, in one case; of scripts without spaces each letter.

    Numbers in square brackets are left out on every side: browsers put them behind links."""
    shown = re.sub(r"\[\d+\]", " ", shown)
    shown = _SCRIPT.sub(r" \1 ", _LEFT_OUT.sub("", shown))
    return _WORD.findall(unicodedata.normalize("NFKC", shown).casefold())


def links(root):
    """The addresses that show, absolute and in order. Those within the document are not among them."""
    found = {}

    def walk(node):
        if isinstance(node, str) or is_hidden(node):
            return
        href = node.attributes.get("href", "").strip()
        if node.tag == "a" and href and not href.startswith("#"):
            url = urljoin(BASE, href)
            shows = words(text(node)) or text(node).strip() or _has_picture(node)
            if url.lower().startswith(("http:", "https:", "mailto:")) and shows:
                found.setdefault(url, None)
        for child in node.children:
            walk(child)

    walk(root)
    return list(found)


def _has_picture(node):
    return not isinstance(node, str) and not is_hidden(node) and (
        (node.tag == "img" and not is_tracking(node)) or any(map(_has_picture, node.children)))


@dataclass
class Cell:
    words: list
    column: int
    columns: int
    is_head: bool


def tables(root):
    """The tables of data: rows of cells. One that only arranges a page is none: it has another table in it, a role
    that says so, a single column, or neither heads nor short cells."""
    found = []

    def walk(node):
        if isinstance(node, str) or is_hidden(node):
            return
        if node.tag == "table":
            rows = _rows(node)
            if _is_data(node, rows):
                found.append(rows)
                node.attributes["data-table"] = "1"
                return
        for child in node.children:
            walk(child)

    walk(root)
    return found


def _is_data(node, rows):
    if node.attributes.get("role") in ("presentation", "none") or _contains(node, {"table", "pre"}):
        return False
    if not any(sum(bool(cell.words) for cell in row) > 1 for row in rows) or len(rows) < 2:
        return False
    has_heads = any(cell.is_head for row in rows for cell in row)
    return has_heads or all(len(cell.words) <= 25 for row in rows for cell in row)


def _contains(node, tags):
    return any(
        not isinstance(child, str) and (child.tag in tags or _contains(child, tags))
        for child in node.children)


def _rows(table):
    rows, free = [], {}

    def walk(node, in_head):
        for child in node.children:
            if isinstance(child, str) or is_hidden(child):
                continue
            if child.tag == "tr":
                _place(child, rows, free, in_head)
            elif child.tag in ("thead", "tbody", "tfoot", "form"):
                walk(child, child.tag == "thead")

    walk(table, False)
    return rows


def _place(row, rows, free, in_head):
    cells, column, number = [], 0, len(rows)
    for cell in row.children:
        if isinstance(cell, str) or cell.tag not in ("td", "th"):
            continue
        while free.get(column, 0) > number:
            column += 1
        columns = int(cell.attributes.get("colspan") or 1)
        down = int(cell.attributes.get("rowspan") or 1)
        for place in range(column, column + columns):
            free[place] = number + down
        cells.append(Cell(words(text(cell)), column, columns, cell.tag == "th" or in_head))
        column += columns
    rows.append(cells)


def words_outside_tables(root):
    """The words in order, without those in tables of data, after `tables` has marked them."""
    def walk(node):
        if isinstance(node, str) or node.tag == "img" or is_hidden(node):
            return text(node)
        if node.attributes.get("data-table"):
            return " "
        inner = "".join(walk(child) for child in node.children)
        return f" {inner} " if node.tag in BLOCK or node.tag in {"sup", "sub", "rt", "abbr"} else inner

    return words(walk(root))
