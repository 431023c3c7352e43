enum AccountsStrings {
  static func progress(_ articles: Int, of total: Int?) -> String {
    total.map { "\(articles) of \(quantity($0, "article"))" } ?? quantity(articles, "article")
  }
}
