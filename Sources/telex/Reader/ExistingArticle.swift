internal import News
internal import TelexKit

// An article that is open here may have been deleted by another process, or with its feed. What a key does to it then
// changes nothing, and says so.

extension SourceError {
  /// Why a key does nothing to an article.
  static let articleGone = SourceError(
    .store, stage: .store, subject: "", message: "this article is no longer in the store")

  /// Why a key does nothing to an article that lacks something.
  static func missing(_ message: String) -> SourceError {
    SourceError(.address, stage: .address, subject: "", message: message)
  }
}

extension Articles {
  /// The article that a key acts on.
  ///
  /// - Throws: `SourceError.articleGone` where there is none any more.
  func existing(_ id: ArticleID) async throws -> Article {
    guard let article = try await find(id) else { throw SourceError.articleGone }
    return article
  }

  /// Makes a change that a key asks for.
  ///
  /// - Throws: `SourceError.articleGone` where all articles are gone that it names; nothing is changed then.
  func applyByKey(_ intent: Intent) async throws -> IntentOutcome {
    if let named = intent.namedByKey, !named.isEmpty, try await !isAnyThere(named) {
      throw SourceError.articleGone
    }
    return try await apply(intent)
  }
}

extension Intent {
  /// The articles that the user has named; nil where a list is meant, and where nobody has asked for it.
  fileprivate var namedByKey: [ArticleID]? {
    switch self {
    case .mark(let articles, _, isUndoable: true),
      .setTag(let articles, _, _), .changeTags(let articles, _, _), .delete(let articles),
      .saveForLater(let articles):
      articles
    case .mark, .markAllRead, .undo, .undoAsking, .undoLast, .redo: nil
    }
  }
}

extension Article {
  /// The title that the user knows it by.
  var shownTitle: String { entry.title ?? feedTitle }

  /// The address of its page.
  var address: String {
    get throws {
      guard let url = entry.url else { throw SourceError.missing("this article has no address") }
      return url
    }
  }

  /// Its files, of which there is one at least.
  func existingFiles() throws -> [Enclosure] {
    guard !entry.enclosures.isEmpty else {
      throw SourceError.missing("this article has no file")
    }
    return entry.enclosures
  }
}
