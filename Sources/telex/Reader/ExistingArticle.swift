internal import News
internal import TelexKit

// Another process may have deleted an article that is open here. Keys then change nothing, and
// report that.

extension SourceError {
  static let articleGone = SourceError(
    .store, stage: .store, subject: "", message: "this article is no longer in the store")

  /// For an article that lacks something.
  static func missing(_ message: String) -> SourceError {
    SourceError(.address, stage: .address, subject: "", message: message)
  }
}

extension Articles {
  /// The article of a key.
  ///
  /// - Throws: `SourceError.articleGone` for a deleted article.
  func existing(_ id: ArticleID) async throws -> Article {
    guard let article = try await find(id) else { throw SourceError.articleGone }
    return article
  }

  /// Makes the change of a key.
  ///
  /// - Throws: `SourceError.articleGone` where all its articles are deleted; nothing is changed
  ///   then.
  func applyByKey(_ intent: Intent) async throws -> IntentOutcome {
    if let named = intent.namedByKey, !named.isEmpty, try await !isAnyThere(named) {
      throw SourceError.articleGone
    }
    return try await apply(intent)
  }
}

extension Intent {
  /// The articles that the user named; nil for a list, and for changes that the user did not ask
  /// for.
  fileprivate var namedByKey: [ArticleID]? {
    switch self {
    case .mark(let articles, _, isUndoable: true),
      .setTag(let articles, _, _), .changeTags(let articles, _, _), .delete(let articles),
      .setLater(let articles, _, _):
      articles
    case .mark, .markAllRead, .undo, .undoAsking, .undoLast, .redo: nil
    }
  }
}

extension Article {
  var shownTitle: String { entry.title ?? feedTitle }

  /// - Throws: `SourceError` without an address.
  var address: String {
    get throws {
      guard let url = entry.url else { throw SourceError.missing("this article has no address") }
      return url
    }
  }

  /// - Throws: `SourceError` without a file.
  func existingFiles() throws -> [Enclosure] {
    guard !entry.enclosures.isEmpty else {
      throw SourceError.missing("this article has no file")
    }
    return entry.enclosures
  }
}
