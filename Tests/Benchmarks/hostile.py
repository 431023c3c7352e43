"""HTML that makes parsers slow: each shape repeats something, and is to cost what it is long."""


def _repeated(piece, before=""):
    return lambda size: before + piece * ((size - len(before)) // len(piece)) + "end"


def _nested(tag):
    name = tag.split()[0]
    return lambda size: _pair(f"<{tag}>", f"</{name}>", size)


def _pair(start, end, size):
    count = size // (len(start) + len(end))
    return start * count + "deep" + end * count + "end"


_PIECES = [
    # What is never closed.
    "<div>", "<b>", "<a href=x>", "<table>", "<font>", "<select>", "<ruby><rt>x", "<svg>", "<math>",
    "<template>", "<button>", "<li>x", "<dl><dt><dd>x", "<blockquote>x", "<pre>x", "<form>",
    "<script>", "<textarea>", "<video>", "<iframe src=http://x/>", "<hr>x", "<td>x",
    # Active formatting elements, the adoption agency, foster parenting.
    "<p><b>", "<p><font color=1>x", "<b><p></b>x", "<a href=x><p>x", "<i><div></i>x", "<table><b>x",
    "</p>", "</b>", "<h1></h2>", "<br>",
    # Tokens that do not end.
    "<", "<a ", "<a b='", "<p a=", "<!--", "<!", "<?", "</", "<![CDATA[", "&", "&#", "&amp", "\"",
    # Text that is hard to wrap.
    " ", "a", "a-", "/", "\t", "\n", "\u0301", "\U0001f468\u200d", "世", "\u202e", "http://x/ ",
]

SHAPES = {
    **{piece.encode("unicode_escape").decode(): _repeated(piece) for piece in _PIECES},
    **{
        f"{tag}, nested": _nested(tag)
        for tag in ("div", "b", "a href=x", "table", "ul", "blockquote", "span", "section")
    },
    "tabs in code": _repeated("a\t", "<pre>"),
    "cells in one row": _repeated("<td>x", "<table><tr>"),
    "rows": _repeated("<tr><td>a<td>b", "<table>"),
    "rows below a wide head": _repeated("<tr><td>a<td>b", "<table><tr>" + "<th>x" * 200),
    "an image of many addresses": _repeated("a 1x,", "<img srcset='"),
    "an attribute": _repeated("x", "<p title='"),
    "paragraphs in bold": _repeated("<p>x", "<b>" * 510),
    "paragraphs in divisions": _repeated("<p>x", "<div>" * 511),
    "paragraphs in quotes": _repeated("<p>x</p>", "<blockquote>" * 47),
    "anchors before breaks": _repeated(
        "<br><br> ", "<p>" + "".join(f"<a href=#{n}></a><i id={n}></i>" for n in range(2_000))),
    "media with open comments": lambda size: "<video><!--</video>" * (size // 19) + "-->end",
    "items of great numbers": _repeated("<li>x", "<ol start=9223372036854775807>"),
}
