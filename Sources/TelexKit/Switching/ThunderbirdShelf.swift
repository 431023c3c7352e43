internal import Foundation
internal import News
internal import OtherReaders

/// The mailboxes in which Thunderbird keeps articles.
struct ThunderbirdShelf: ArticleShelf {
  struct Box: Sendable {
    var path: String
    /// What its feed calls itself.
    var title: String?
    /// The feeds of each article by its id, where several feeds share the mailbox.
    var sources: [String: [String]]?
  }

  /// By the addresses of feeds.
  let boxes: [String: Box]

  /// Bytes of a file that are read at once. A message with more than `longest` is left out.
  private static let piece = 1 << 20
  private static let longest = 32 << 20

  func counts() throws -> [String: Int] {
    try boxes.reduce(into: [:]) { counts, box in
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
      for (names, feeds) in feeds {
        guard let name = names.last else { continue }
        let path = ([folder] + names.dropLast().map { $0 + ".sbd" } + [name]).joined(separator: "/")
        guard ReaderFiles.existing(path) != nil else {
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
            path: path, title: feed.ownTitle, sources: feeds.count > 1 ? sources ?? [:] : nil)
        }
      }
    }
    try plan.take(ThunderbirdShelf(boxes: boxes), file: files.folder)
  }
}
