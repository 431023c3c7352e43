internal import News

extension SidebarSnapshot {
  /// A query for a timeline; nil for all articles.
  func queryText(of timeline: Timeline) -> String? {
    switch timeline {
    case .all: nil
    case .unread: "unread"
    case .starred: "starred"
    case .folder(let folder) where folder.isAccount: "account:#\(folder.account.rawValue)"
    case .folder(let folder):
      // Folders of two accounts are two, whatever they are called.
      "folder:\(ArticleQuery.quoted(folder.path))"
        + (accounts.isEmpty ? "" : " account:#\(folder.account.rawValue)")
    case .feed(let id): "feed:#\(id.rawValue)"
    case .search(let words): ArticleQuery.text(ofSearch: words)
    case .matching(let query, let whole):
      if let around = queryText(of: whole) {
        query.picksAll ? around : "\(around) (\(query.conditionText))"
      } else {
        query.conditionText
      }
    }
  }
}

extension [FeedID] {
  /// The query for the articles of any of these feeds.
  var queryText: String { map { "feed:#\($0.rawValue)" }.joined(separator: " OR ") }
}

extension ArticleQuery {
  /// Whether it has nothing but words that all have to be there, as a search has.
  var isOfWords: Bool {
    order == nil
      && condition.parts.allSatisfy {
        if case .words(let words) = $0 { words.column == nil } else { false }
      }
  }

  /// The mistake in a query; nil for a valid one.
  static func mistake(in text: String) -> QueryError? {
    do {
      _ = try ArticleQuery(text)
      return nil
    } catch let mistake as QueryError {
      return mistake
    } catch {
      return QueryError(FindingStrings.notAQuery, at: 0..<0)
    }
  }

  /// Words of a search: those in quotes stand together, and the last one may be a beginning.
  static func text(ofSearch typed: String) -> String? {
    var terms: [String] = []
    for (index, part) in typed.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      terms +=
        index % 2 == 1
        ? [String(part)] : part.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    // The search, too, leaves out terms without a word of the index.
    terms.removeAll { (try? ArticleQuery(quoted($0))) == nil }
    guard let last = terms.indices.last else { return nil }
    let isWhole = typed.drop { $0 != "\"" }.isEmpty ? false : typed.hasSuffix("\"")
    return terms.indices.map { quoted(terms[$0]) + ($0 == last && !isWhole ? "*" : "") }
      .joined(separator: " ")
  }

  fileprivate static func quoted(_ text: String) -> String {
    "\"\(text.filter { $0 != "\"" })\""
  }
}
