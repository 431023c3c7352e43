"""Where a defect goes: the declaration that a symbol names, in whatever file it stands."""

import re

TYPES = "class|struct|enum|actor|extension|protocol"
MEMBERS = "func|var|let|case|init|deinit|subscript|typealias"


class NotApplicable(Exception):
    """The symbol or the text is not there, or there twice."""


def declarations(lines, first, last, name, kinds):
    """The ranges of lines of what is declared under a name between two lines.

    `swift format` has aligned the end of each declaration with its beginning."""
    named = rf"{re.escape(name)}(?![\w])"
    bare = name in ("init", "deinit", "subscript")
    pattern = re.compile(rf"^(\s*)(?:[\w@()]+\s+)*?(?:{named}|(?:{kinds})\s+`?{named})" if bare
                         else rf"^(\s*)(?:[\w@()]+\s+)*?(?:{kinds})\s+`?{named}")
    number = first
    while number <= last:
        match = pattern.match(lines[number])
        if not match:
            number += 1
            continue
        indent = len(match.group(1))
        end = number
        while end < last:
            following = lines[end + 1]
            depth = len(following) - len(following.lstrip())
            if following.strip() and depth <= indent and not re.match(r"\s*[)}\]]", following):
                break
            end += 1
            if following.strip() and depth == indent and re.match(r"\s*}", following):
                break
        yield number, end
        number = end + 1


def ranges(lines, names):
    found = [(0, len(lines) - 1)]
    for position, name in enumerate(names):
        is_last = position == len(names) - 1
        kinds = f"{TYPES}|{MEMBERS}" if is_last else TYPES
        outer, found = found, []
        for first, last in outer:
            inside = first + 1 if position else first
            found += declarations(lines, inside, last, name, kinds)
            # `extension A.B` stands for B in A.
            if not position and len(names) > 1:
                joined = f"{name}.{names[1]}"
                for inner in declarations(lines, inside, last, joined, TYPES):
                    found.append((inner[0] - 1, inner[1]))
    return found


def place(defect, root):
    """The file that the defect changes, and from where to where."""
    words = [re.escape(word) for word in defect.old.split()]
    pattern = re.compile(r"\s+".join(words))
    hits = set()
    seen = False
    for path in sorted((root / "Sources" / defect.target).rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        for first, last in ranges(lines, defect.symbol.split(".")):
            seen = True
            for match in pattern.finditer(text, starts[max(first, 0)], starts[last + 1]):
                hits.add((path, match.start(), match.end()))
    if not seen:
        raise NotApplicable(f"{defect.target} declares no {defect.symbol}")
    if len(hits) != 1:
        raise NotApplicable(f"the text stands {len(hits)} times in {defect.symbol}, not once")
    return hits.pop()
