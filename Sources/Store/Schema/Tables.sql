-- The tables of a store. SQLite keeps each statement from CREATE on, and the list of them has to fit into the first
-- page of the file (`SchemaCopy`): so the comments stand before the statements.

-- Accounts: the local one, and one for each user of each server. `capabilities` are those of `AccountCapabilities`,
-- `walk` counts the walks through the lists of the server, `dialect` is what the service found out about it.
CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  base TEXT NOT NULL,
  user TEXT NOT NULL,
  name TEXT,
  capabilities INTEGER NOT NULL,
  stateCursor TEXT,
  createdAt INTEGER NOT NULL,
  walk INTEGER NOT NULL DEFAULT 0,
  walkedUpTo INTEGER,
  lastAttempt INTEGER,
  lastSuccess INTEGER,
  error TEXT,
  claimant TEXT,
  claimedUntil INTEGER,
  dialect TEXT,
  isSignedOut INTEGER NOT NULL DEFAULT 0,
  needsSignIn INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  nextAttempt INTEGER,
  fullWalkAt INTEGER,
  unreadThere INTEGER,
  warning TEXT,
  UNIQUE (kind, base, user)
);
INSERT INTO account (id, kind, base, user, capabilities, createdAt) VALUES (1, 'local', '', '', 1, 0);

-- Sign-ins at origins, for feeds of no account. Secrets lie in the keyring.
CREATE TABLE signIn (
  origin TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  user TEXT NOT NULL,
  detail TEXT,
  createdAt INTEGER NOT NULL
);

-- Feeds. The address comes first in their index, for a repair that finds nothing else. `proxy` is "direct", or an
-- address without its password; `outline` the attributes of an imported list, `recipe` a `DocumentRecipe`, `settings`
-- a `FeedSettings`, all three as JSON; `missingSince` when a server's list first came without the feed; `adoptsUpTo`
-- the last article from before it moved to an account whose server has other ids for them.
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
  remoteID TEXT,
  missingSince INTEGER,
  adoptsUpTo INTEGER,
  recipe TEXT,
  settings TEXT,
  UNIQUE (url, account)
);

-- The state of a feed's fetches: validators, times, the last failure, the cursor of its older pages, the process that
-- fetches it. `remark` is what its server said beside the last answer.
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
  claimedUntil INTEGER,
  lastStatus INTEGER,
  lastAttempts INTEGER,
  redirectedTo TEXT,
  failingSince INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  liveEventID TEXT,
  remark TEXT
);

-- Articles of each feed, counted by triggers of `articleStatus`.
CREATE TABLE feedCount (
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0
);

-- The folders of feeds, by their paths.
CREATE TABLE feedFolder (
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  folder TEXT NOT NULL,
  account INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (feedID, folder)
) WITHOUT ROWID;

-- Attributes of folders in an imported list, as JSON, for the next export.
CREATE TABLE folderOutline (
  account INTEGER NOT NULL DEFAULT 1,
  folder TEXT NOT NULL,
  outline TEXT NOT NULL,
  isKept INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, folder)
) WITHOUT ROWID;

-- Articles as their feeds have them. What the user does with them lies in `articleStatus`, so that no refresh can touch
-- a mark.
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
  digest INTEGER NOT NULL,
  linkKey INTEGER
);
CREATE UNIQUE INDEX articleEntry ON article(feedID, entryKey);
CREATE INDEX articleLink ON article(linkKey, feedID) WHERE linkKey IS NOT NULL;
CREATE INDEX articleArrival ON article(firstSeen);

-- Marks of articles, and places in lists. The sort key is repeated here: every timeline is one index, read from either
-- end. `duplicateOf` is another feed's article with the same link, `storyOf` the first article of the story, `batch`
-- the user's action that marked it last.
CREATE TABLE articleStatus (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  feedID INTEGER NOT NULL,
  sortDate INTEGER NOT NULL,
  isRead INTEGER NOT NULL DEFAULT 0,
  isStarred INTEGER NOT NULL DEFAULT 0,
  batch INTEGER,
  readBlock INTEGER,
  readOffset INTEGER,
  duplicateOf INTEGER,
  score INTEGER NOT NULL DEFAULT 0,
  isChanged INTEGER NOT NULL DEFAULT 0,
  storyOf INTEGER
);
CREATE INDEX statusByDate ON articleStatus(sortDate, articleID);
CREATE INDEX statusByFeed ON articleStatus(feedID, sortDate, articleID);
CREATE INDEX statusUnread ON articleStatus(sortDate, articleID) WHERE isRead = 0;
CREATE INDEX statusUnreadByFeed ON articleStatus(feedID, sortDate, articleID)
  WHERE isRead = 0;
CREATE INDEX statusStarred ON articleStatus(sortDate, articleID) WHERE isStarred = 1;
CREATE INDEX statusDuplicate ON articleStatus(duplicateOf, isRead)
  WHERE duplicateOf IS NOT NULL;
CREATE INDEX statusByBatch ON articleStatus(batch) WHERE batch IS NOT NULL;
CREATE INDEX statusByScore ON articleStatus(score, sortDate, articleID) WHERE score <> 0;
CREATE INDEX statusStory ON articleStatus(storyOf, articleID, isRead, duplicateOf, feedID)
  WHERE storyOf IS NOT NULL;
CREATE INDEX statusStoryUnread ON articleStatus(storyOf)
  WHERE storyOf IS NOT NULL AND isRead = 0;

-- Bodies of articles, compressed, and `EntryDetails` as JSON.
CREATE TABLE articleBody (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  content BLOB,
  summary BLOB,
  details TEXT
);

-- Holes in timelines: articles of a feed that were never fetched, between two that were.
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

-- Changes that wait to be sent to servers (`OutboxKind`, `OutboxState`). One of no article names its feed.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  value INTEGER NOT NULL,
  articleID INTEGER,
  batch INTEGER,
  createdAt INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  text TEXT,
  error TEXT,
  account INTEGER,
  state INTEGER NOT NULL DEFAULT 0,
  feedID INTEGER,
  parent TEXT
);
CREATE INDEX outboxByArticle ON outbox(articleID, kind);
CREATE INDEX outboxByBatch ON outbox(batch) WHERE batch IS NOT NULL;

-- The journal of what the user did, each of which undo takes back.
CREATE TABLE userAction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  createdAt INTEGER NOT NULL,
  count INTEGER NOT NULL,
  kind TEXT,
  value INTEGER,
  articleID INTEGER,
  feedID INTEGER,
  subject TEXT,
  detail TEXT,
  isUndone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX userActionUndone ON userAction(id) WHERE isUndone;

-- Tags of each account, and the articles that have them.
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

-- How far files of articles were played, and which are to be played next.
CREATE TABLE playback (
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  seconds INTEGER NOT NULL,
  duration INTEGER,
  isHeard INTEGER NOT NULL,
  PRIMARY KEY (articleID, file)
) WITHOUT ROWID;
CREATE TABLE playQueue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  rank INTEGER NOT NULL,
  UNIQUE (articleID, file)
);

-- Earlier versions of articles that their feeds have changed.
CREATE TABLE formerText (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  title TEXT,
  content BLOB,
  summary BLOB,
  isWhole INTEGER NOT NULL,
  keptAt INTEGER NOT NULL
);

-- Full texts from the pages of articles, and when one that could not be fetched is tried again.
CREATE TABLE fullText (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  page TEXT NOT NULL,
  content BLOB,
  details TEXT,
  isShown INTEGER NOT NULL,
  fetchedAt INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  nextAttempt INTEGER,
  error TEXT
);

-- Traits of the articles of the last weeks, by which they join stories.
CREATE TABLE storyKey (
  key INTEGER NOT NULL,
  articleID INTEGER NOT NULL,
  PRIMARY KEY (key, articleID)
) WITHOUT ROWID;

-- Comments on articles, and the state of their fetches.
CREATE TABLE comment (
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  commentID TEXT NOT NULL,
  place INTEGER NOT NULL,
  arrival INTEGER NOT NULL,
  parent TEXT,
  author TEXT,
  published INTEGER,
  updated INTEGER,
  isHTML INTEGER NOT NULL,
  content BLOB NOT NULL,
  url TEXT,
  version TEXT,
  attachments TEXT,
  PRIMARY KEY (articleID, commentID)
) WITHOUT ROWID;
CREATE TABLE conversation (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  fetchedAt INTEGER,
  arrival INTEGER NOT NULL,
  seen INTEGER,
  isCut INTEGER NOT NULL,
  error TEXT,
  changes INTEGER NOT NULL DEFAULT 0,
  etag TEXT,
  lastModified TEXT,
  bodyDigest INTEGER
);

-- Ids that the servers of accounts list, and the marks that they are known to have.
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

-- Logs of machines that share a folder: the record that counts of each register, how far each file has been read, and
-- the log of this machine with the records that are being appended to it.
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

-- Smart feeds, and rules.
CREATE TABLE smartFeed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  query TEXT NOT NULL,
  createdAt INTEGER NOT NULL
);
CREATE TABLE rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  query TEXT NOT NULL,
  action TEXT NOT NULL,
  tag TEXT,
  createdAt INTEGER NOT NULL,
  until INTEGER
);

-- Times by name: of the last refresh that brought something, of hosts that rest.
CREATE TABLE moment (name TEXT PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;

-- Articles that the user or a rule deleted, so that their feeds do not bring them again.
CREATE TABLE tombstone (
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  entryKey INTEGER NOT NULL,
  listedAt INTEGER NOT NULL,
  rule INTEGER,
  PRIMARY KEY (feedID, entryKey)
) WITHOUT ROWID;

-- Feeds and articles that were removed and can come back, as rows of their tables (`ArchivedRow`).
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

-- Passwords that have to be taken out of the keyring, and what has to be done to the file.
CREATE TABLE discardedSignIn (signIn TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE upkeep (task TEXT PRIMARY KEY) WITHOUT ROWID;

-- What articles have beside their text, as bits (`QueryFeature`), derived from their details by triggers.
CREATE TABLE articleFeature (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  features INTEGER NOT NULL
);

-- How titles begin for sorting (`TitleOrder`), and how much of that is made. A row without a key is one whose title has
-- changed, or whose article has come back: a trigger for the latter would cost each article that is inserted more than
-- its rows.
CREATE TABLE titleKey (
  titledID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  key BLOB
);
CREATE TABLE titleOrder (
  folding INTEGER NOT NULL,
  lastID INTEGER NOT NULL,
  isWhole INTEGER NOT NULL
);

-- The articles up to this one still wait for the search index.
CREATE TABLE unindexed (lastID INTEGER NOT NULL);

-- The search index. It keeps no copy of the texts: they are made of the stored bodies when they are needed again, to
-- take an article out. Letters with vowel signs and other marks are one word with them (`M*`), as in Hindi.
CREATE VIRTUAL TABLE search USING fts5(
  title, authors, text, content = 'indexedArticle', content_rowid = 'id',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
CREATE VIEW indexedArticle AS
  SELECT article.id AS id, indexedText(article.title) AS title,
    indexedText(authorNames(article.authors)) AS authors,
    indexedText(wholeText(articleBody.content, articleBody.summary, fullText.content)) AS text
  FROM article JOIN articleBody ON articleBody.articleID = article.id
    LEFT JOIN fullText ON fullText.articleID = article.id;
CREATE VIEW searchSource AS
  SELECT article.id AS id, coalesce(article.title, '') AS title,
    articleText(articleBody.content, articleBody.summary) AS text
  FROM article JOIN articleBody ON articleBody.articleID = article.id;

-- Counts of feeds.
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

-- Where the article goes that others stand behind, the next one takes its place.
CREATE TRIGGER originalDeleted AFTER DELETE ON articleStatus BEGIN
  UPDATE articleStatus
    SET duplicateOf = (SELECT min(articleID) FROM articleStatus
      WHERE duplicateOf = OLD.articleID)
    WHERE duplicateOf = OLD.articleID AND articleID > (SELECT min(articleID)
      FROM articleStatus WHERE duplicateOf = OLD.articleID);
  UPDATE articleStatus SET duplicateOf = NULL WHERE duplicateOf = OLD.articleID;
END;
CREATE TRIGGER storyBeginningDeleted AFTER DELETE ON articleStatus BEGIN
  UPDATE articleStatus
    SET storyOf = (SELECT min(articleID) FROM articleStatus WHERE storyOf = OLD.articleID)
    WHERE storyOf = OLD.articleID AND articleID > (SELECT min(articleID)
      FROM articleStatus WHERE storyOf = OLD.articleID);
  UPDATE articleStatus SET storyOf = NULL WHERE storyOf = OLD.articleID;
END;

-- A password that no feed and no removed feed needs any more is discarded.
CREATE TRIGGER signInRemoved AFTER DELETE ON feed WHEN OLD.signIn IS NOT NULL BEGIN
  INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
END;
CREATE TRIGGER signInReplaced AFTER UPDATE OF signIn ON feed
  WHEN OLD.signIn IS NOT NULL AND OLD.signIn IS NOT NEW.signIn
BEGIN
  INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
END;
CREATE TRIGGER removalEnded AFTER DELETE ON removal WHEN OLD.signIn IS NOT NULL BEGIN
  INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
END;

-- Features of articles.
CREATE TRIGGER bodyInserted AFTER INSERT ON articleBody WHEN json_valid(NEW.details) BEGIN
  INSERT OR REPLACE INTO articleFeature (articleID, features)
  SELECT NEW.articleID, features FROM (SELECT
    coalesce((SELECT 1
        + 2 * coalesce(max(json_extract(value, '$.type') LIKE 'audio/%'), 0)
        + 4 * coalesce(max(json_extract(value, '$.type') LIKE 'video/%'), 0)
        + 8 * coalesce(max(json_extract(value, '$.type') LIKE 'image/%'), 0)
      FROM json_each(NEW.details, '$.files')
      WHERE coalesce(json_extract(value, '$.role'), 'media') = 'media'
      HAVING count(*) > 0), 0)
    + 16 * (json_extract(NEW.details, '$.comments.page') IS NOT NULL) AS features)
  WHERE features > 0;
END;
CREATE TRIGGER bodyUpdated AFTER UPDATE OF details ON articleBody
  WHEN NEW.details IS NOT OLD.details
BEGIN
  DELETE FROM articleFeature WHERE articleID = NEW.articleID;
  INSERT OR REPLACE INTO articleFeature (articleID, features)
  SELECT NEW.articleID, features FROM (SELECT
    coalesce((SELECT 1
        + 2 * coalesce(max(json_extract(value, '$.type') LIKE 'audio/%'), 0)
        + 4 * coalesce(max(json_extract(value, '$.type') LIKE 'video/%'), 0)
        + 8 * coalesce(max(json_extract(value, '$.type') LIKE 'image/%'), 0)
      FROM json_each(iif(json_valid(NEW.details), NEW.details, '{}'), '$.files')
      WHERE coalesce(json_extract(value, '$.role'), 'media') = 'media'
      HAVING count(*) > 0), 0)
    + 16 * (json_extract(iif(json_valid(NEW.details), NEW.details, '{}'), '$.comments.page') IS NOT NULL) AS features)
  WHERE features > 0;
END;

-- Titles in order.
CREATE TRIGGER titleChanged AFTER UPDATE OF title, excerpt, url, entryID ON article
  WHEN coalesce(NEW.title, NEW.excerpt, NEW.url, NEW.entryID)
    IS NOT coalesce(OLD.title, OLD.excerpt, OLD.url, OLD.entryID)
BEGIN
  UPDATE titleKey SET key = NULL WHERE titledID = NEW.id;
END;
