"""What has to hold of a store at any moment, whatever was killed and whatever failed."""

import sqlite3

# Each finds nothing, or the store is broken.
QUERIES = {
    "an article without its body": """
        SELECT id FROM article WHERE id NOT IN (SELECT articleID FROM articleBody)""",
    "an article without its status": """
        SELECT id FROM article WHERE id NOT IN (SELECT articleID FROM articleStatus)""",
    "a body without its article": """
        SELECT articleID FROM articleBody WHERE articleID NOT IN (SELECT id FROM article)""",
    "a status without its article": """
        SELECT articleID FROM articleStatus WHERE articleID NOT IN (SELECT id FROM article)""",
    "a status of another feed than its article's": """
        SELECT id FROM article JOIN articleStatus ON articleID = id
        WHERE article.feedID <> articleStatus.feedID""",
    "a feed without its state": "SELECT id FROM feed WHERE id NOT IN (SELECT feedID FROM feedState)",
    "counts that are not what they count": """
        SELECT feed.id FROM feed LEFT JOIN feedCount ON feedCount.feedID = feed.id
        WHERE (total, unread, starred) IS NOT (
          SELECT count(*), count(*) - coalesce(sum(isRead), 0), coalesce(sum(isStarred), 0)
          FROM articleStatus WHERE feedID = feed.id)""",
    "more to come, but no cursor": """
        SELECT feedID FROM feedState WHERE paging IN (1, 3) AND cursor IS NULL""",
    "an end that has a cursor": """
        SELECT feedID FROM feedState WHERE paging = 2 AND cursor IS NOT NULL""",
    "articles of a feed that was never read": """
        SELECT feedID FROM feedState WHERE lastSuccess IS NULL AND paging = 0 AND EXISTS (
          SELECT 1 FROM article WHERE article.feedID = feedState.feedID)""",
    "a gap the wrong way around": """
        SELECT id FROM gap WHERE (newerDate, newerID) <= (olderDate, olderID)""",
    "what waits for an article that is gone": """
        SELECT id FROM outbox
        WHERE articleID IS NOT NULL AND articleID NOT IN (SELECT id FROM article)""",
    "a change that waits twice": """
        SELECT min(id) FROM outbox WHERE attempts = 0 AND kind <> 'comment'
        GROUP BY kind, articleID, batch HAVING count(*) > 1""",
    "one key for two changes": "SELECT key FROM outbox GROUP BY key HAVING count(*) > 1",
    "a duplicate of what is gone": """
        SELECT articleID FROM articleStatus
        WHERE duplicateOf IS NOT NULL AND duplicateOf NOT IN (SELECT articleID FROM articleStatus)""",
    "a duplicate of a duplicate": """
        SELECT one.articleID FROM articleStatus AS one
        JOIN articleStatus AS other ON other.articleID = one.duplicateOf
        WHERE other.duplicateOf IS NOT NULL""",
    "one entry of a feed twice": """
        SELECT min(id) FROM article GROUP BY feedID, entryID HAVING count(*) > 1""",
}


def look(path):
    """A connection that sees one moment, and changes nothing."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60, isolation_level=None)
    connection.execute("PRAGMA busy_timeout = 60000")
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM feed").fetchone()
    return connection


def broken(connection, thoroughly=False):
    """What does not hold, in words."""
    found = []
    check = "integrity_check" if thoroughly else "quick_check"
    for (line,) in connection.execute(f"PRAGMA {check}"):
        # The index of the search reads its texts through a function that only Telex has.
        if line != "ok" and "search" not in line:
            found.append(f"{check}: {line}")
    for row in connection.execute("PRAGMA foreign_key_check"):
        found.append(f"foreign key: {row}")
    for words, query in QUERIES.items():
        rows = [row[0] for row in connection.execute(query)]
        if rows:
            found.append(f"{words}: {rows[:5]}{'…' if len(rows) > 5 else ''}")
    return found


def broken_index(path):
    """Whether the search index is whole; asked of a copy, because the question is an INSERT."""
    copy = sqlite3.connect(":memory:")
    copy.create_function("articleText", 2, lambda content, summary: "")
    with look(path) as connection:
        connection.backup(copy)
    try:
        copy.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 0)")
    except sqlite3.DatabaseError as error:
        return [f"the search index: {error}"]
    finally:
        copy.close()
    return []


def missing(connection, feed, archive):
    """Articles of the archive that lie between two that are stored, and in no gap.

    `archive` lists the server's entries, newest first: what is stored of it is one piece, but for the
    gaps that the store knows of."""
    stored = {
        entry: (date, article) for entry, date, article in connection.execute(
            """SELECT entryID, sortDate, articleID FROM article
               JOIN articleStatus ON articleID = id WHERE article.feedID = ?""", (feed,)
        )
    }
    gaps = connection.execute(
        "SELECT newerDate, newerID, olderDate, olderID FROM gap WHERE feedID = ?", (feed,)
    ).fetchall()
    places = [place for place, entry in enumerate(archive) if entry in stored]
    if not places:
        return []
    lost = []
    above = None
    run = []
    for entry in archive[places[0]:places[-1] + 1]:
        if entry not in stored:
            run.append(entry)
            continue
        below = stored[entry]
        if run and not any(
            (olderDate, olderID) <= max(above, below) and min(above, below) <= (newerDate, newerID)
            for newerDate, newerID, olderDate, olderID in gaps
        ):
            lost += run
        above, run = below, []
    return lost
