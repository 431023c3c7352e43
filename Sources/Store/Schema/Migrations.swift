internal import GRDB
internal import News
internal import Text

/// The steps from an empty database to the current schema, one after another since the first release. A
/// released one is never edited; a new one goes to the end.
enum Migrations {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 feeds, articles, statuses, search", migrate: createTables)
    migrator.registerMigration("2 health of feeds, accounts, comments", migrate: addNetworkState)
    migrator.registerMigration("3 outlines of lists", migrate: addOutlines)
    migrator.registerMigration("4 articles of several feeds", migrate: addDuplicates)
    migrator.registerMigration("5 what feeds say of themselves", migrate: addFeedDetails)
    migrator.registerMigration(
      "6 keys, duplicates and the index anew", foreignKeyChecks: .immediate, migrate: renewDerived)
    migrator.registerMigration("7 sign-ins of feeds, erasing", migrate: addFeedSignIns)
    migrator.registerMigration("8 proxies of single feeds", migrate: addProxies)
    migrator.registerMigration(
      "9 marks for accounts that take them", foreignKeyChecks: .immediate, migrate: addMarkTaking)
    migrator.registerMigration(
      "10 the name of the details", foreignKeyChecks: .immediate, migrate: renameDetails)
    migrator.registerMigration("11 accounts that feeds belong to", migrate: addAccounts)
    migrator.registerMigration("12 tags of articles", migrate: addTags)
    migrator.registerMigration(
      "13 what servers keep", foreignKeyChecks: .immediate, migrate: addItems)
    migrator.registerMigration("14 accounts that pause", migrate: addPauses)
    migrator.registerMigration("15 marks to take back", migrate: addUndo)
    migrator.registerMigration("16 logs of machines", migrate: addLogs)
    migrator.registerMigration("17 feeds that move between accounts", migrate: addAdoption)
    migrator.registerMigration("18 recipes of feeds", migrate: addRecipes)
    migrator.registerMigration("19 what was played", migrate: addPlayback)
    migrator.registerMigration("20 queries, and what is to be played", migrate: addQueries)
    migrator.registerMigration("21 settings of feeds, what the user did", migrate: addSettings)
    migrator.registerMigration("22 scores, changed articles", migrate: addScores)
    migrator.registerMigration("23 authors and pairs of letters in the index", migrate: renewIndex)
    migrator.registerMigration("24 full texts of articles", migrate: addFullTexts)
    migrator.registerMigration("25 stories of several feeds", migrate: addStories)
    migrator.registerMigration("26 comments of articles", migrate: addComments)
    migrator.registerMigration("27 the order of titles", migrate: addTitleOrder)
    migrator.registerMigration("28 validators of comments", migrate: addCommentValidators)
    return migrator
  }

  private static func createTables(_ db: Database) throws {
    try db.execute(sql: feedTables)
    try db.execute(sql: articleTables)
    try db.execute(sql: countTriggers)
    try db.execute(sql: pendingTables)
    try db.execute(sql: searchTables)
  }

  // What is kept of an account opens nothing: secrets lie in the keyring.
  private static func addNetworkState(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE feedState ADD COLUMN lastStatus INTEGER;
        ALTER TABLE feedState ADD COLUMN lastAttempts INTEGER;
        ALTER TABLE feedState ADD COLUMN redirectedTo TEXT;
        ALTER TABLE feedState ADD COLUMN failingSince INTEGER;
        ALTER TABLE feedState ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE feedState ADD COLUMN liveEventID TEXT;
        ALTER TABLE outbox ADD COLUMN text TEXT;
        ALTER TABLE outbox ADD COLUMN error TEXT;
        CREATE TABLE account (
          origin TEXT PRIMARY KEY,
          kind TEXT NOT NULL,
          user TEXT NOT NULL,
          detail TEXT,
          createdAt INTEGER NOT NULL
        );
        """)
  }

  // What other feed readers have noted in a list of feeds, as JSON, to go back into the next one.
  private static func addOutlines(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE feed ADD COLUMN outline TEXT;
        CREATE TABLE folderOutline (
          folder TEXT PRIMARY KEY,
          outline TEXT NOT NULL
        ) WITHOUT ROWID;
        """)
  }

  // An article is known by its link as well, in its own feed where its id changes, and in others'.
  private static func addDuplicates(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE article ADD COLUMN linkKey INTEGER;
        ALTER TABLE articleStatus ADD COLUMN duplicateOf INTEGER;
        """)
    let links = try Row.fetchCursor(db, sql: "SELECT id, url FROM article WHERE url IS NOT NULL")
    let statement = try db.makeStatement(sql: "UPDATE article SET linkKey = ? WHERE id = ?")
    while let row = try links.next() {
      guard let key = PreparedPage.key(ofLink: row[1]) else { continue }
      try statement.execute(arguments: [key, row[0] as Int64])
    }
    try db.execute(
      sql: """
        CREATE INDEX articleLink ON article(linkKey) WHERE linkKey IS NOT NULL;
        CREATE INDEX statusDuplicate ON articleStatus(duplicateOf, isRead)
          WHERE duplicateOf IS NOT NULL;
        CREATE TRIGGER originalDeleted AFTER DELETE ON articleStatus BEGIN
          UPDATE articleStatus SET duplicateOf = NULL WHERE duplicateOf = OLD.articleID;
        END;
        """)
  }

  // Feeds that are there already get theirs when they next change.
  private static func addFeedDetails(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE feed ADD COLUMN image TEXT;
        ALTER TABLE feed ADD COLUMN icon TEXT;
        ALTER TABLE feed ADD COLUMN authors TEXT;
        ALTER TABLE feed ADD COLUMN rights TEXT;
        ALTER TABLE feed ADD COLUMN movedTo TEXT;
        ALTER TABLE folderOutline ADD COLUMN isKept INTEGER NOT NULL DEFAULT 0;
        """)
  }

  // The way to a feed: "direct", or a proxy's address without its password.
  private static func addProxies(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE feed ADD COLUMN proxy TEXT")
  }

  /// Everything that is made of what is stored, and that is made otherwise now: keys of links, which
  /// articles are duplicates, the search index.
  private static func renewDerived(_ db: Database) throws {
    if try !db.columns(in: "feedState").contains(where: { $0.name == "liveEventID" }) {
      try db.execute(sql: "ALTER TABLE feedState ADD COLUMN liveEventID TEXT")
    }
    db.add(function: linkKey)
    // The pages of the old index are not overwritten with zeros: they become those of the new one,
    // and SQLite would keep all of them in memory until then.
    let overwrites = try Int.fetchOne(db, sql: "PRAGMA secure_delete") ?? 0
    try db.execute(sql: "PRAGMA secure_delete = OFF")
    defer { try? db.execute(sql: "PRAGMA secure_delete = \(overwrites)") }
    // What stands behind an article without having its link, or beside another one of its own feed,
    // is seen again.
    try db.execute(
      sql: """
        DROP TRIGGER originalDeleted;
        DROP INDEX articleLink;
        UPDATE article SET linkKey = linkKey(url) WHERE linkKey IS NOT linkKey(url);
        CREATE INDEX articleLink ON article(linkKey, feedID) WHERE linkKey IS NOT NULL;
        UPDATE articleStatus SET duplicateOf = NULL
          WHERE duplicateOf IS NOT NULL AND (
            NOT EXISTS (
              SELECT 1 FROM article AS mine JOIN article AS root ON root.linkKey = mine.linkKey
              WHERE mine.id = articleStatus.articleID AND root.id = articleStatus.duplicateOf
                AND root.feedID <> mine.feedID)
            OR EXISTS (
              SELECT 1 FROM articleStatus AS other INDEXED BY statusDuplicate
              WHERE other.duplicateOf IS NOT NULL AND other.duplicateOf = articleStatus.duplicateOf
                AND other.feedID = articleStatus.feedID
                AND other.articleID < articleStatus.articleID));
        CREATE TRIGGER originalDeleted AFTER DELETE ON articleStatus BEGIN
          UPDATE articleStatus
            SET duplicateOf = (SELECT min(articleID) FROM articleStatus
              WHERE duplicateOf = OLD.articleID)
            WHERE duplicateOf = OLD.articleID AND articleID > (SELECT min(articleID)
              FROM articleStatus WHERE duplicateOf = OLD.articleID);
          UPDATE articleStatus SET duplicateOf = NULL WHERE duplicateOf = OLD.articleID;
        END;
        DROP TABLE search;
        """)
    try db.execute(sql: formerSearchIndex)
    try db.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
  }

  // The name that goes with a feed's password, which lies with the secrets. A row of `discardedSignIn`
  // is a password that has to be taken away there; one of `upkeep`, what has to be done to the file.
  private static func addFeedSignIns(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE feed ADD COLUMN signIn TEXT;
        CREATE TABLE discardedSignIn (signIn TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE upkeep (task TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TRIGGER signInRemoved AFTER DELETE ON feed WHEN OLD.signIn IS NOT NULL BEGIN
          INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
        END;
        CREATE TRIGGER signInReplaced AFTER UPDATE OF signIn ON feed
          WHEN OLD.signIn IS NOT NULL AND OLD.signIn IS NOT NEW.signIn
        BEGIN
          INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
        END;
        """)
  }

  // An account may take marks; those that are there take none, and what an earlier version has queued
  // for them goes.
  private static func addMarkTaking(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE account ADD COLUMN takesMarks INTEGER NOT NULL DEFAULT 0;
        DELETE FROM outbox WHERE kind IN ('read', 'starred', 'readBatch');
        """)
  }

  // All that an entry carries beside its texts (`EntryDetails`), of which files are a part.
  private static func renameDetails(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE articleBody RENAME COLUMN attachments TO details")
  }

  /// What feeds belong to is a row of its own: an account is known by kind, base and user, a feed by its
  /// account and its address. Sign-ins that are no account of a service stay with their origins.
  ///
  /// Runs without foreign keys: what refers to a feed must not go with the old table.
  private static func addAccounts(_ db: Database) throws {
    try db.execute(sql: feedOfAccountTables)
    try db.execute(sql: accountTables)
    try findAccounts(db)
  }

  /// Tags belong to accounts, as folders do. An article is found by its tag, and its tags with it when it
  /// goes. The changes that servers are told of are rows of the outbox, whose kinds are open.
  private static func addTags(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE tag (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          UNIQUE (account, name)
        );
        CREATE TABLE articleTag (
          tag INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE,
          articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
          PRIMARY KEY (tag, articleID)
        ) WITHOUT ROWID;
        CREATE INDEX articleTagByArticle ON articleTag(articleID);
        """)
  }

  /// The ids that the servers of accounts list, the marks they are known to have, and how far a change has
  /// come on its way to them.
  private static func addItems(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE item (
          account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
          key INTEGER NOT NULL,
          id TEXT NOT NULL,
          rank INTEGER NOT NULL,
          articleID INTEGER REFERENCES article(id) ON DELETE CASCADE,
          isUnread INTEGER,
          isStarred INTEGER,
          tries INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (account, key)
        ) WITHOUT ROWID;
        CREATE INDEX itemByArticle ON item(articleID) WHERE articleID IS NOT NULL;
        CREATE INDEX itemMissing ON item(account, rank) WHERE articleID IS NULL;
        CREATE INDEX itemUnread ON item(account) WHERE isUnread IS NOT 0;
        CREATE INDEX itemStarred ON item(account) WHERE isStarred IS NOT 0;
        ALTER TABLE account ADD COLUMN walk INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN walkedUpTo INTEGER;
        ALTER TABLE account ADD COLUMN lastAttempt INTEGER;
        ALTER TABLE account ADD COLUMN lastSuccess INTEGER;
        ALTER TABLE account ADD COLUMN error TEXT;
        ALTER TABLE account ADD COLUMN claimant TEXT;
        ALTER TABLE account ADD COLUMN claimedUntil INTEGER;
        ALTER TABLE account ADD COLUMN dialect TEXT;
        ALTER TABLE feed ADD COLUMN remoteID TEXT;
        ALTER TABLE outbox ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outbox ADD COLUMN walk INTEGER;
        ALTER TABLE outbox ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX outboxByArticle ON outbox(articleID, kind);
        CREATE INDEX outboxByBatch ON outbox(batch) WHERE batch IS NOT NULL;
        UPDATE outbox SET state = 1 WHERE attempts > 0;
        """)
  }

  // `missingSince` is when a server's list of subscriptions first came without the feed, `unreadThere`
  // how many unread articles the server itself counts. A change of the outbox that belongs to no
  // article names its feed as long as there is one.
  private static func addPauses(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE account ADD COLUMN isSignedOut INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN needsSignIn INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN nextAttempt INTEGER;
        ALTER TABLE account ADD COLUMN fullWalkAt INTEGER;
        ALTER TABLE account ADD COLUMN unreadThere INTEGER;
        ALTER TABLE account ADD COLUMN warning TEXT;
        ALTER TABLE feed ADD COLUMN missingSince INTEGER;
        ALTER TABLE outbox ADD COLUMN feedID INTEGER;
        CREATE INDEX statusByBatch ON articleStatus(batch) WHERE batch IS NOT NULL;
        """)
  }

  // A row of `readBatch` is what one key has marked: all of a list, or one article, which has a kind then.
  private static func addUndo(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE readBatch ADD COLUMN kind TEXT;
        ALTER TABLE readBatch ADD COLUMN value INTEGER;
        ALTER TABLE readBatch ADD COLUMN articleID INTEGER;
        """)
  }

  // What the logs of the user's machines say, for accounts that keep them: the record that counts of each
  // register, how far each file has been read, and the log of this machine with the records that are being
  // appended to it.
  private static func addLogs(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE register (
          account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
          feed TEXT NOT NULL,
          article TEXT NOT NULL,
          kind TEXT NOT NULL,
          detail TEXT NOT NULL,
          value TEXT NOT NULL,
          stamp INTEGER NOT NULL,
          machine TEXT NOT NULL,
          PRIMARY KEY (account, feed, article, kind, detail)
        ) WITHOUT ROWID;
        CREATE TABLE logPosition (
          account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
          path TEXT NOT NULL,
          size INTEGER NOT NULL,
          digest INTEGER NOT NULL,
          fingerprint INTEGER NOT NULL,
          PRIMARY KEY (account, path)
        ) WITHOUT ROWID;
        CREATE TABLE ownLog (
          account INTEGER PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
          machine TEXT NOT NULL,
          file INTEGER NOT NULL,
          size INTEGER NOT NULL,
          digest INTEGER NOT NULL,
          base INTEGER NOT NULL,
          fingerprint INTEGER NOT NULL,
          pending TEXT
        );
        """)
  }

  // The last article that was there before a feed moved to an account whose server has other ids for them.
  private static func addAdoption(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE feed ADD COLUMN adoptsUpTo INTEGER")
  }

  // `recipe` is how a feed is asked for where its address does not tell, as JSON; `remark` what its server
  // told beside the last answer.
  private static func addRecipes(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE feed ADD COLUMN recipe TEXT;
        ALTER TABLE feedState ADD COLUMN remark TEXT;
        """)
  }

  private static func addPlayback(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE playback (
          articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
          file TEXT NOT NULL,
          seconds INTEGER NOT NULL,
          duration INTEGER,
          isHeard INTEGER NOT NULL,
          PRIMARY KEY (articleID, file)
        ) WITHOUT ROWID;
        """)
  }

  /// Smart feeds; the queue of what is to be played; what articles have beside their text, as bits (`QueryFeature`), derived from their details by
  /// triggers; when the last refresh that brought something began.
  private static func addQueries(_ db: Database) throws {
    func insert(_ id: String, _ details: String) -> String {
      """
      INSERT OR REPLACE INTO articleFeature (articleID, features)
        SELECT \(id), features FROM (SELECT
          coalesce((SELECT 1
              + 2 * coalesce(max(json_extract(value, '$.type') LIKE 'audio/%'), 0)
              + 4 * coalesce(max(json_extract(value, '$.type') LIKE 'video/%'), 0)
              + 8 * coalesce(max(json_extract(value, '$.type') LIKE 'image/%'), 0)
            FROM json_each(\(details), '$.files')
            WHERE coalesce(json_extract(value, '$.role'), 'media') = 'media'
            HAVING count(*) > 0), 0)
          + 16 * (json_extract(\(details), '$.comments.page') IS NOT NULL) AS features)
        WHERE features > 0
      """
    }
    try db.execute(
      sql: """
        CREATE TABLE smartFeed (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL UNIQUE COLLATE NOCASE,
          query TEXT NOT NULL,
          createdAt INTEGER NOT NULL
        );
        CREATE TABLE playQueue (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
          file TEXT NOT NULL,
          rank INTEGER NOT NULL,
          UNIQUE (articleID, file)
        );
        CREATE TABLE tombstone (
          feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
          entryKey INTEGER NOT NULL,
          listedAt INTEGER NOT NULL,
          rule INTEGER,
          PRIMARY KEY (feedID, entryKey)
        ) WITHOUT ROWID;
        CREATE TABLE rule (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          query TEXT NOT NULL,
          action TEXT NOT NULL,
          tag TEXT,
          createdAt INTEGER NOT NULL,
          until INTEGER
        );
        CREATE TABLE moment (name TEXT PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX articleArrival ON article(firstSeen);
        CREATE TABLE articleFeature (
          articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
          features INTEGER NOT NULL
        );
        CREATE TRIGGER bodyInserted AFTER INSERT ON articleBody WHEN json_valid(NEW.details) BEGIN
          \(insert("NEW.articleID", "NEW.details"));
        END;
        CREATE TRIGGER bodyUpdated AFTER UPDATE OF details ON articleBody
          WHEN NEW.details IS NOT OLD.details
        BEGIN
          DELETE FROM articleFeature WHERE articleID = NEW.articleID;
          \(insert("NEW.articleID", "iif(json_valid(NEW.details), NEW.details, '{}')"));
        END;
        """)
    let bodies = try Row.fetchCursor(
      db, sql: "SELECT articleID, details FROM articleBody WHERE json_valid(details)")
    let statement = try db.makeStatement(sql: insert("?1", "?2"))
    while let row = try bodies.next() {
      try statement.execute(arguments: [row[0] as Int64, row[1] as String])
    }
  }

  /// What the user has set for single feeds, as JSON (`FeedSettings`); what the user did, in order; feeds and articles
  /// that were removed and can come back, as rows of their tables (`ArchivedRow`).
  private static func addSettings(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE feed ADD COLUMN settings TEXT;
        ALTER TABLE readBatch RENAME TO userAction;
        ALTER TABLE userAction ADD COLUMN feedID INTEGER;
        ALTER TABLE userAction ADD COLUMN subject TEXT;
        ALTER TABLE userAction ADD COLUMN detail TEXT;
        ALTER TABLE userAction ADD COLUMN isUndone INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX userActionUndone ON userAction(id) WHERE isUndone;
        CREATE TABLE removal (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          action INTEGER NOT NULL,
          removedAt INTEGER NOT NULL,
          isFeed INTEGER NOT NULL,
          account INTEGER NOT NULL,
          feedID INTEGER NOT NULL,
          url TEXT NOT NULL,
          title TEXT,
          proxy TEXT,
          signIn TEXT,
          articles INTEGER NOT NULL
        );
        CREATE INDEX removalByAction ON removal(action);
        CREATE TABLE removedRow (
          id INTEGER PRIMARY KEY,
          removal INTEGER NOT NULL REFERENCES removal(id) ON DELETE CASCADE,
          columns TEXT NOT NULL,
          data BLOB NOT NULL
        );
        CREATE INDEX removedRowByRemoval ON removedRow(removal);
        CREATE TRIGGER removalEnded AFTER DELETE ON removal WHEN OLD.signIn IS NOT NULL BEGIN
          INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
        END;
        """)
  }

  /// What rules have raised articles by; which ones their feeds have changed since the user opened them, and their
  /// former texts (`FormerText`). Few articles have either.
  ///
  /// The texts of the statements are short, because the list of tables has to fit into the first page of the file: a
  /// repair can make that one anew (`SchemaCopy`).
  private static func addScores(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE articleStatus ADD COLUMN score INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE articleStatus ADD COLUMN isChanged INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX statusByScore ON articleStatus(score, sortDate, articleID) WHERE score <> 0;
        CREATE TABLE formerText (articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
        title TEXT, content BLOB, summary BLOB, isWhole INTEGER NOT NULL, keptAt INTEGER NOT NULL);
        """)
  }

  /// Feeds that came from a Feed API belong to who is signed in at their origin, else to an account
  /// there that has no user.
  private static func findAccounts(_ db: Database) throws {
    let feeds = try Row.fetchAll(
      db, sql: "SELECT id, url, addedAt FROM feed WHERE format = 'api' ORDER BY id")
    let accounts = try Row.fetchAll(
      db, sql: "SELECT id, base FROM account WHERE kind = 'feedAPI' ORDER BY id")
    for feed in feeds {
      let url: String = feed[1]
      var account =
        accounts.first { $0[1] as String == url }
        ?? accounts.first { WebAddress.isAt(url, origin: $0[1]) }
      if account == nil {
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO account (kind, base, user, capabilities, createdAt)
            VALUES ('feedAPI', ?, '', 391, ?)
            """, arguments: [url, feed[2] as Int64])
        account = try Row.fetchOne(
          db, sql: "SELECT id FROM account WHERE kind = 'feedAPI' AND base = ? AND user = ''",
          arguments: [url])
      }
      try db.execute(
        sql: "UPDATE feed SET account = ? WHERE id = ?",
        arguments: [account?[0] as Int64?, feed[0] as Int64])
    }
    try db.execute(
      sql: """
        UPDATE outbox SET account = (
          SELECT feed.account FROM article JOIN feed ON feed.id = article.feedID
          WHERE article.id = outbox.articleID)
        """)
  }

  /// `linkKey(url)`: what a link is known by.
  private static let linkKey = DatabaseFunction("linkKey", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).flatMap(PreparedPage.key(ofLink:))
  }

  // The address comes first in the index of feeds, for those who know nothing else. The rows wait in
  // memory: the new table takes the pages of the old one, at the front of the file, where the least is
  // lost with its end. No number of a feed is given twice.
  private static let feedOfAccountTables = """
    CREATE TEMP TABLE formerFeed AS SELECT * FROM feed ORDER BY id;
    CREATE TEMP TABLE formerNumber AS SELECT seq FROM sqlite_sequence WHERE name = 'feed';
    DROP TABLE feed;
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account INTEGER NOT NULL DEFAULT 1 REFERENCES account(id),
      url TEXT NOT NULL,
      title TEXT,
      ownTitle TEXT,
      link TEXT,
      description TEXT,
      language TEXT,
      format TEXT,
      isTyped INTEGER NOT NULL,
      addedAt INTEGER NOT NULL,
      outline TEXT,
      image TEXT,
      icon TEXT,
      authors TEXT,
      rights TEXT,
      movedTo TEXT,
      signIn TEXT,
      proxy TEXT,
      UNIQUE (url, account)
    );
    INSERT INTO feed (id, url, title, ownTitle, link, description, language, format, isTyped,
        addedAt, outline, image, icon, authors, rights, movedTo, signIn, proxy)
      SELECT id, url, title, ownTitle, link, description, language, format, isTyped,
        addedAt, outline, image, icon, authors, rights, movedTo, signIn, proxy FROM temp.formerFeed;
    DELETE FROM sqlite_sequence WHERE name = 'feed';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'feed', seq FROM temp.formerNumber;
    DROP TABLE temp.formerFeed;
    DROP TABLE temp.formerNumber;
    CREATE TRIGGER signInRemoved AFTER DELETE ON feed WHEN OLD.signIn IS NOT NULL BEGIN
      INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
    END;
    CREATE TRIGGER signInReplaced AFTER UPDATE OF signIn ON feed
      WHEN OLD.signIn IS NOT NULL AND OLD.signIn IS NOT NEW.signIn
    BEGIN
      INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
    END;
    ALTER TABLE feedFolder ADD COLUMN account INTEGER NOT NULL DEFAULT 1;
    CREATE TEMP TABLE formerOutline AS SELECT * FROM folderOutline;
    DROP TABLE folderOutline;
    CREATE TABLE folderOutline (
      account INTEGER NOT NULL DEFAULT 1,
      folder TEXT NOT NULL,
      outline TEXT NOT NULL,
      isKept INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (account, folder)
    ) WITHOUT ROWID;
    INSERT INTO folderOutline (folder, outline, isKept)
      SELECT folder, outline, isKept FROM temp.formerOutline;
    DROP TABLE temp.formerOutline;
    ALTER TABLE outbox ADD COLUMN account INTEGER;
    """

  // The capabilities are those of `AccountCapabilities`. The local account is the first. Tokens are those
  // of an account; a base where there is none is its origin, as it was taken for so far.
  private static let accountTables = """
    CREATE TEMP TABLE formerAccount AS SELECT * FROM account ORDER BY origin;
    DROP TABLE account;
    CREATE TABLE account (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      base TEXT NOT NULL,
      user TEXT NOT NULL,
      name TEXT,
      capabilities INTEGER NOT NULL,
      stateCursor TEXT,
      createdAt INTEGER NOT NULL,
      UNIQUE (kind, base, user)
    );
    INSERT INTO account (id, kind, base, user, capabilities, createdAt)
      VALUES (1, 'local', '', '', 1, 0);
    INSERT INTO account (kind, base, user, capabilities, createdAt)
      SELECT 'feedAPI', coalesce(detail, origin), user, 391, createdAt FROM temp.formerAccount
      WHERE kind = 'bearer';
    CREATE TABLE signIn (
      origin TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      user TEXT NOT NULL,
      detail TEXT,
      createdAt INTEGER NOT NULL
    );
    INSERT INTO signIn (origin, kind, user, detail, createdAt)
      SELECT origin, kind, user, detail, createdAt FROM temp.formerAccount WHERE kind <> 'bearer';
    DROP TABLE temp.formerAccount;
    """

  // All articles wait for the new index (`IndexCompletion`), which fills the pages of the old one. Those are not
  // overwritten with zeros: SQLite would keep all of them in memory.
  private static func renewIndex(_ db: Database) throws {
    let overwrites = try Int.fetchOne(db, sql: "PRAGMA secure_delete") ?? 0
    try db.execute(sql: "PRAGMA secure_delete = OFF")
    defer { try? db.execute(sql: "PRAGMA secure_delete = \(overwrites)") }
    try db.execute(
      sql: """
        DROP TABLE search;
        CREATE VIEW indexedArticle AS
          SELECT article.id AS id, indexedText(article.title) AS title,
            indexedText(authorNames(article.authors)) AS authors,
            indexedText(articleText(articleBody.content, articleBody.summary)) AS text
          FROM article JOIN articleBody ON articleBody.articleID = article.id;
        CREATE TABLE unindexed (lastID INTEGER NOT NULL);
        INSERT INTO unindexed (lastID) SELECT max(id) FROM article HAVING count(*) > 0;
        """)
    try db.execute(sql: Schema.searchIndex)
  }

  /// The articles of pages (`FullText`), and when one that could not be fetched is tried again. The search index has
  /// their texts beside those of the feeds: without any, it is as it was.
  private static func addFullTexts(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE fullText (articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
        page TEXT NOT NULL, content BLOB, details TEXT, isShown INTEGER NOT NULL, fetchedAt INTEGER NOT NULL,
        failures INTEGER NOT NULL, nextAttempt INTEGER, error TEXT);
        DROP VIEW indexedArticle;
        CREATE VIEW indexedArticle AS
          SELECT article.id AS id, indexedText(article.title) AS title,
            indexedText(authorNames(article.authors)) AS authors,
            indexedText(wholeText(articleBody.content, articleBody.summary, fullText.content)) AS text
          FROM article JOIN articleBody ON articleBody.articleID = article.id
            LEFT JOIN fullText ON fullText.articleID = article.id;
        """)
  }

  /// The first article of the story that an article tells (`Stories`), and what the articles of the last weeks are
  /// known by. Where the first one is removed, the next one takes its place.
  private static func addStories(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE articleStatus ADD COLUMN storyOf INTEGER;
        CREATE INDEX statusStory ON articleStatus(storyOf, articleID, isRead, duplicateOf, feedID)
          WHERE storyOf IS NOT NULL;
        CREATE INDEX statusStoryUnread ON articleStatus(storyOf)
          WHERE storyOf IS NOT NULL AND isRead = 0;
        CREATE TRIGGER storyBeginningDeleted AFTER DELETE ON articleStatus BEGIN
          UPDATE articleStatus
            SET storyOf = (SELECT min(articleID) FROM articleStatus WHERE storyOf = OLD.articleID)
            WHERE storyOf = OLD.articleID AND articleID > (SELECT min(articleID)
              FROM articleStatus WHERE storyOf = OLD.articleID);
          UPDATE articleStatus SET storyOf = NULL WHERE storyOf = OLD.articleID;
        END;
        CREATE TABLE storyKey (
          key INTEGER NOT NULL,
          articleID INTEGER NOT NULL,
          PRIMARY KEY (key, articleID)
        ) WITHOUT ROWID;
        """)
  }

  /// The comments on articles, what is known of their fetches, and which one an answer answers.
  private static func addComments(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE comment (articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
        commentID TEXT NOT NULL, place INTEGER NOT NULL, arrival INTEGER NOT NULL, parent TEXT, author TEXT,
        published INTEGER, updated INTEGER, isHTML INTEGER NOT NULL, content BLOB NOT NULL, url TEXT, version TEXT,
        attachments TEXT, PRIMARY KEY (articleID, commentID)) WITHOUT ROWID;
        CREATE TABLE conversation (articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
        fetchedAt INTEGER, arrival INTEGER NOT NULL, seen INTEGER, isCut INTEGER NOT NULL, error TEXT,
        changes INTEGER NOT NULL DEFAULT 0);
        ALTER TABLE outbox ADD COLUMN parent TEXT;
        """)
  }

  /// How titles begin for sorting (`TitleOrder`). Empty until a list is sorted by them; the index over the keys is made
  /// then. A row without a key is one whose title has changed, or whose article has come back. No trigger tells of the
  /// latter: it would cost each article that is inserted more than its rows.
  private static func addTitleOrder(_ db: Database) throws {
    func title(_ row: String) -> String {
      "coalesce(\(row).title, \(row).excerpt, \(row).url, \(row).entryID)"
    }
    try db.execute(
      sql: """
        CREATE TABLE titleKey (
          titledID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
          key BLOB
        );
        CREATE TABLE titleOrder (
          folding INTEGER NOT NULL,
          lastID INTEGER NOT NULL,
          isWhole INTEGER NOT NULL
        );
        CREATE TRIGGER titleChanged AFTER UPDATE OF title, excerpt, url, entryID ON article
          WHEN \(title("NEW")) IS NOT \(title("OLD"))
        BEGIN
          UPDATE titleKey SET key = NULL WHERE titledID = NEW.id;
        END;
        """)
  }

  // What the last fetch of the comments on an article was known by, as `feedState` has it for a feed.
  private static func addCommentValidators(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE conversation ADD COLUMN etag TEXT;
        ALTER TABLE conversation ADD COLUMN lastModified TEXT;
        ALTER TABLE conversation ADD COLUMN bodyDigest INTEGER;
        """)
  }

  private static let feedTables = """
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL UNIQUE,
      title TEXT,
      ownTitle TEXT,
      link TEXT,
      description TEXT,
      language TEXT,
      format TEXT,
      isTyped INTEGER NOT NULL,
      addedAt INTEGER NOT NULL
    );
    CREATE TABLE feedState (
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      etag TEXT,
      lastModified TEXT,
      bodyDigest INTEGER,
      minutesToLive INTEGER,
      lastAttempt INTEGER,
      lastSuccess INTEGER,
      nextAttempt INTEGER,
      error TEXT,
      isGone INTEGER NOT NULL DEFAULT 0,
      paging INTEGER NOT NULL DEFAULT 0,
      cursor TEXT,
      claimant TEXT,
      claimedUntil INTEGER
    );
    CREATE TABLE feedCount (
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE feedFolder (
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      folder TEXT NOT NULL,
      PRIMARY KEY (feedID, folder)
    ) WITHOUT ROWID;
    """

  // What a source says of an article lies in `article` and `articleBody`, what the user did with
  // it in `articleStatus`, so that no refresh can touch a mark. The sort key is repeated in the
  // status: every timeline is then one index, read from either end.
  private static let articleTables = """
    CREATE TABLE article (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      entryKey INTEGER NOT NULL,
      entryID TEXT NOT NULL,
      url TEXT,
      title TEXT,
      excerpt TEXT,
      authors TEXT,
      published INTEGER,
      updated INTEGER,
      firstSeen INTEGER NOT NULL,
      digest INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX articleEntry ON article(feedID, entryKey);
    CREATE TABLE articleBody (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      content BLOB,
      summary BLOB,
      attachments TEXT
    );
    CREATE TABLE articleStatus (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      feedID INTEGER NOT NULL,
      sortDate INTEGER NOT NULL,
      isRead INTEGER NOT NULL DEFAULT 0,
      isStarred INTEGER NOT NULL DEFAULT 0,
      batch INTEGER,
      readBlock INTEGER,
      readOffset INTEGER
    );
    CREATE INDEX statusByDate ON articleStatus(sortDate, articleID);
    CREATE INDEX statusByFeed ON articleStatus(feedID, sortDate, articleID);
    CREATE INDEX statusUnread ON articleStatus(sortDate, articleID) WHERE isRead = 0;
    CREATE INDEX statusUnreadByFeed ON articleStatus(feedID, sortDate, articleID)
      WHERE isRead = 0;
    CREATE INDEX statusStarred ON articleStatus(sortDate, articleID) WHERE isStarred = 1;
    CREATE TABLE gap (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      newerDate INTEGER NOT NULL,
      newerID INTEGER NOT NULL,
      olderDate INTEGER NOT NULL,
      olderID INTEGER NOT NULL,
      cursor TEXT
    );
    CREATE INDEX gapByFeed ON gap(feedID);
    """

  private static let countTriggers = """
    CREATE TRIGGER statusInserted AFTER INSERT ON articleStatus BEGIN
      UPDATE feedCount SET total = total + 1, unread = unread + (NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE feedID = NEW.feedID;
    END;
    CREATE TRIGGER statusDeleted AFTER DELETE ON articleStatus BEGIN
      UPDATE feedCount SET total = total - 1, unread = unread - (OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE feedID = OLD.feedID;
    END;
    CREATE TRIGGER statusUpdated AFTER UPDATE OF isRead, isStarred ON articleStatus
      WHEN NEW.isRead <> OLD.isRead OR NEW.isStarred <> OLD.isStarred
    BEGIN
      UPDATE feedCount SET unread = unread + (NEW.isRead = 0) - (OLD.isRead = 0),
        starred = starred + NEW.isStarred - OLD.isStarred WHERE feedID = NEW.feedID;
    END;
    """

  private static let pendingTables = """
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      value INTEGER NOT NULL,
      articleID INTEGER,
      batch INTEGER,
      createdAt INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE readBatch (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      createdAt INTEGER NOT NULL,
      count INTEGER NOT NULL
    );
    """

  private static let searchTables =
    """
    CREATE VIEW searchSource AS
      SELECT article.id AS id, coalesce(article.title, '') AS title,
        articleText(articleBody.content, articleBody.summary) AS text
      FROM article JOIN articleBody ON articleBody.articleID = article.id;
    """ + formerSearchIndex

  private static let formerSearchIndex = """
    CREATE VIRTUAL TABLE search USING fts5(
      title, text, content = 'searchSource', content_rowid = 'id', columnsize = 0,
      tokenize = "unicode61 remove_diacritics 2");
    """
}
