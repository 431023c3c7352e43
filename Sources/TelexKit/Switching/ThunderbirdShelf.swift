internal import Foundation
internal import News
internal import OtherReaders

/// The mailboxes in which Thunderbird keeps articles: files with all messages of a folder, or folders with a file for each.
struct ThunderbirdShelf: ArticleShelf {
  struct Box: Sendable {
    var path: String
    /// What its feed calls itself.
    var title: String?
    /// The feeds of each article by its id, where several feeds share the mailbox.
    var sources: [String: [String]]?
    /// The files of a maildir, below `path`, the newest first; nil where `path` is a file.
    var files: [String]?
  }

  /// By the addresses of feeds.
  let boxes: [String: Box]

  /// Bytes of a file that are read at once. A message with more than `longest` is left out.
  private static let piece = 1 << 20
  private static let longest = 32 << 20

  func counts() throws -> [String: Int] {
    try boxes.reduce(into: [:]) { counts, box in
      if let files = box.value.files {
        counts[box.key] =
          box.value.sources == nil
          ? files.count
          : files.count {
            Self.head(of: box.value.path + "/" + $0)
              .map { Self.belongs($0[...], to: box.key, box.value) } ?? false
          }
        return
      }
      var count = 0
      var position: UInt64? = 0
      while let from = position {
        let (messages, next) = try Self.messages(of: box.value.path, from: from)
        count +=
          box.value.sources == nil
          ? messages.count : messages.count { Self.belongs($0, to: box.key, box.value) }
        position = next
      }
      counts[box.key] = count
    }
  }

  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?) {
    guard let box = boxes[feed] else { return ([], nil) }
    if let files = box.files {
      return Self.articles(of: feed, box, files, after: Int(position ?? 0), limit: limit)
    }
    let (messages, next) = try Self.messages(of: box.path, from: UInt64(position ?? 0))
    let articles = messages.compactMap { bytes -> ImportedArticle? in
      guard let message = ThunderbirdMessage(bytes), Self.belongs(message, to: feed, box) else {
        return nil
      }
      return message.article(of: feed, titled: box.title)
    }
    return (articles, next.map { Int64($0) })
  }

  private static func belongs(_ bytes: ArraySlice<UInt8>, to feed: String, _ box: Box) -> Bool {
    ThunderbirdMessage(bytes).map { belongs($0, to: feed, box) } ?? false
  }

  private static func belongs(_ message: ThunderbirdMessage, to feed: String, _ box: Box) -> Bool {
    box.sources.map { $0[message.id]?.contains(feed) ?? false } ?? true
  }

  /// The messages that begin in a piece of a file.
  ///
  /// - Returns: the messages, and where the next piece begins; nil at the end.
  private static func messages(
    of path: String, from position: UInt64
  ) throws -> (messages: [ArraySlice<UInt8>], next: UInt64?) {
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      try file.seek(toOffset: position)
      var bytes: [UInt8] = []
      while true {
        let more = try file.read(upToCount: piece) ?? Data()
        bytes += more
        let isEnd = more.count < piece
        let (messages, rest) = Mailbox.messages(in: bytes, isEnd: isEnd)
        if isEnd { return (messages.map { bytes[$0] }, nil) }
        if !messages.isEmpty || bytes.count > longest {
          let next = messages.isEmpty ? bytes.count : rest
          return (messages.map { bytes[$0] }, position + UInt64(next))
        }
      }
    } catch {
      throw SourceError(
        .file, stage: .store, subject: path,
        message: "it cannot be read: \((error as NSError).localizedDescription)",
        next: "check the file; it was not changed")
    }
  }
}

// MARK: Maildirs

extension ThunderbirdShelf {
  /// Bytes of a message that hold its headers.
  private static let headLength = 64 << 10
  /// Bytes of messages that are read for one portion.
  private static let portion = 8 << 20

  /// The files of a maildir that are articles, below its folder, the newest first.
  ///
  /// - Returns: and how many others there are; nil where the folder is no maildir.
  static func files(ofMaildir path: String) -> (articles: [String], others: Int)? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path + "/cur", isDirectory: &isFolder),
      isFolder.boolValue
    else { return nil }
    var articles: [String] = []
    var others = 0
    for folder in Maildir.folders {
      let place = path + "/" + folder
      guard FileManager.default.fileExists(atPath: place) else { continue }
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
        others += 1
        continue
      }
      for name in names where Maildir.isMessage(name) {
        let file = folder + "/" + name
        if let head = head(of: path + "/" + file), ThunderbirdMessage(head) != nil {
          articles.append(file)
        } else {
          others += 1
        }
      }
    }
    // Names begin with the time at which the file was written.
    return (articles.sorted { $0.dropFirst(4) > $1.dropFirst(4) }, others)
  }

  /// The beginning of a message; nil for what is no file that can be read as a whole. A pipe would never end.
  private static func head(of path: String) -> [UInt8]? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? Int, size <= longest
    else { return nil }
    return bytes(of: path, limit: headLength)
  }

  private static func bytes(of path: String, limit: Int) -> [UInt8]? {
    guard let file = try? FileHandle(forReadingFrom: URL(filePath: path)) else { return nil }
    defer { try? file.close() }
    return (try? file.read(upToCount: limit)).map { [UInt8]($0) }
  }

  private static func articles(
    of feed: String, _ box: Box, _ files: [String], after position: Int, limit: Int
  ) -> (articles: [ImportedArticle], position: Int64?) {
    var articles: [ImportedArticle] = []
    var size = 0
    var position = position
    while position < files.count, articles.count < limit, size < portion {
      let file = files[position]
      position += 1
      // One that is gone meanwhile was deleted there.
      guard let bytes = bytes(of: box.path + "/" + file, limit: longest) else { continue }
      size += bytes.count
      guard let message = ThunderbirdMessage(bytes), belongs(message, to: feed, box) else {
        continue
      }
      articles.append(
        message.article(of: feed, titled: box.title).with(Maildir.Marks(ofName: file)))
    }
    return (articles, position < files.count ? Int64(position) : nil)
  }
}

extension Switching {
  /// The lists of feeds of all accounts, with the folder of each.
  static func thunderbirdFeeds(
    _ files: ReaderFiles
  ) -> [(folder: String, feeds: ThunderbirdFeeds)] {
    ([files.feeds] + files.lists).compactMap { path in
      guard let text = try? ReaderFiles.text(path) else { return nil }
      let folder = (path as NSString).deletingLastPathComponent
      let file = (folder as NSString).lastPathComponent + "/" + (path as NSString).lastPathComponent
      return (
        folder,
        path.hasSuffix(".json")
          ? ThunderbirdFeeds(json: text, file: file) : ThunderbirdFeeds(rdf: text, file: file)
      )
    }
  }

  func readThunderbird(_ files: ReaderFiles, into plan: inout Plan) throws {
    var boxes: [String: ThunderbirdShelf.Box] = [:]
    for (folder, list) in Self.thunderbirdFeeds(files) {
      plan.library += list.library
      let feeds = Dictionary(grouping: list.library.feeds) { list.folders[$0.url] ?? [] }
      var sources: [String: [String]]?
      for (names, feeds) in feeds.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        guard let name = names.last else { continue }
        let path = ([folder] + names.dropLast().map { $0 + ".sbd" } + [name]).joined(separator: "/")
        let maildir = ThunderbirdShelf.files(ofMaildir: path)
        if let others = maildir?.others, others > 0 {
          plan.library.left.append(
            LeftOut(
              Measures.counted(others, "file"), at: LibraryPlace(name),
              because: "they are no articles, or cannot be read, or have more than 32 MB"))
        }
        guard maildir != nil || ReaderFiles.existing(path) != nil else {
          for feed in feeds {
            plan.library.left.append(
              LeftOut(
                "the articles of \(feed.ownTitle ?? feed.url)", at: LibraryPlace(name),
                because: "there is no mailbox of this name: they come with the next refresh"))
          }
          continue
        }
        if feeds.count > 1, sources == nil {
          let items = ReaderFiles.existing(folder + "/feeditems.json")
          sources = try items.map {
            ThunderbirdFeeds.sources(ofItems: try ReaderFiles.text($0, limit: 256))
          }
        }
        for feed in feeds where boxes[feed.url] == nil {
          boxes[feed.url] = ThunderbirdShelf.Box(
            path: path, title: feed.ownTitle, sources: feeds.count > 1 ? sources ?? [:] : nil,
            files: maildir?.articles)
        }
      }
    }
    try plan.take(ThunderbirdShelf(boxes: boxes), file: files.folder)
  }
}
