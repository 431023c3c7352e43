enum AccountsStrings {
  /// The progress of a first sync, as in `120 of 300 articles`.
  static func progress(_ articles: Int, of total: Int?) -> String {
    total.map { "\(articles) of \(quantity($0, "article"))" } ?? quantity(articles, "article")
  }
}
