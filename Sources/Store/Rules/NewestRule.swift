package import News

extension RulesView {
  /// Those of some articles that the newest rule would hide if they came now; none where it hides nothing.
  package func hiddenByNewestRule(_ ids: [ArticleID]) throws -> [ArticleID] {
    guard let rule = try all().max(by: { $0.id.rawValue < $1.id.rawValue }),
      let condition = rule.condition
    else { return [] }
    switch rule.action {
    case .hide, .keepOnly:
      return try view.queries.articles(ids.map(\.rawValue), matching: condition).map {
        ArticleID($0)
      }
    case .read, .star, .tag, .replaceTitle, .replaceAddress, .score: return []
    }
  }
}
