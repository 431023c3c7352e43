internal import FileWatch
package import News
internal import Store

/// Use case: which articles are packed for a trip.
package struct PackStore: Sendable {
  private let composition: Composition
  private let book: PackBook

  package init(_ composition: Composition) {
    self.composition = composition
    book = PackBook(store: composition.store.folder)
  }

  /// The packed articles whose text and pictures are still there.
  package func packed() async throws -> PackedArticles { try await look().packed }

  /// Follows the packed articles: now, and after each change by any process, until the task ends.
  ///
  /// - Throws: `CancellationError`, or `SourceError` where the store cannot be read.
  package func follow(_ report: @Sendable (PackedArticles) -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (looks, look) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      group.addTask { [files = [book.path, composition.pictureFiles.folder + "/"]] in
        for await _ in FileWatch.changes(of: files) { look.yield() }
      }
      // A text may have changed without a change of any of these files.
      group.addTask { [composition] in
        for await _ in composition.store.changes() {
          look.yield()
          try await Task.sleep(for: Self.pause)
        }
      }
      defer { group.cancelAll() }
      var last: PackedArticles?
      for await _ in looks {
        let packed = try await packed()
        if packed != last ?? PackedArticles() { report(packed) }
        last = packed
        // Pictures come in numbers, and each look reads the sizes of all.
        try await Task.sleep(for: .seconds(1))
      }
      try Task.checkCancellation()
    }
  }

  /// How long after a look because of the store the next one is, at least.
  private static let pause: Duration = .seconds(60)

  // MARK: Packing

  typealias Entry = PackBook.Entry

  /// The packed articles with their entries, and those that are packed no more.
  ///
  /// - Parameter wanted: nil for all.
  func look(at wanted: Set<ArticleID>? = nil) async throws -> (
    packed: PackedArticles, entries: [ArticleID: Entry], gone: Set<ArticleID>
  ) {
    let entries = book.read().filter { wanted?.contains($0.key) ?? true }
    guard !entries.isEmpty else { return (PackedArticles(), [:], []) }
    let ids = entries.keys.sorted()
    let texts = try await composition.store.view { try $0.articles.textStamps(of: ids) }
    let files = composition.pictureFiles.sizes()
    var packed = PackedArticles()
    var whole: [ArticleID: Entry] = [:]
    var counted: Set<String> = []
    for id in ids {
      guard let entry = entries[id], let text = texts[id], text.stamp == entry.text,
        entry.pictures.allSatisfy({ files[$0] != nil })
      else { continue }
      whole[id] = entry
      let pictures = entry.pictures.filter { counted.insert($0).inserted }
      packed.add(
        id, of: entry.text.feed,
        bytes: pictures.reduce(text.bytes) { $0 + (files[$1] ?? 0) }, seconds: entry.seconds)
    }
    return (packed, whole, Set(ids.filter { whole[$0] == nil }))
  }

  func text(of article: ArticleID) async throws -> TextStamp? {
    try await composition.store.view { try $0.articles.textStamps(of: [article])[article]?.stamp }
  }

  func change(adding entries: [ArticleID: Entry], removing gone: Set<ArticleID> = []) {
    book.change(adding: entries, removing: gone)
  }
}
