internal import Foundation
internal import GRDB

extension DatabaseFunction {
  /// `articleText(content, summary)`: the searchable text of a stored body.
  static let articleText = DatabaseFunction("articleText", argumentCount: 2, pure: true) { values in
    let content = BodyCodec.decode(Data.fromDatabaseValue(values[0]))
    let summary = BodyCodec.decode(Data.fromDatabaseValue(values[1]))
    return ArticleText.make(content: content, summary: summary)
  }

  /// `wholeText(content, summary, page)`: the same with that of the article's page, where there is one.
  static let wholeText = DatabaseFunction("wholeText", argumentCount: 3, pure: true) { values in
    func text(_ index: Int) -> String? {
      BodyCodec.decode(Data.fromDatabaseValue(values[index]))
    }
    return ArticleText.make(content: text(0), summary: text(1), page: text(2))
  }

  /// `indexedText(text)`: a text as the search index takes it. Empty for null.
  static let indexedText = DatabaseFunction("indexedText", argumentCount: 1, pure: true) { values in
    SearchText.indexed(String.fromDatabaseValue(values[0]) ?? "")
  }
}
