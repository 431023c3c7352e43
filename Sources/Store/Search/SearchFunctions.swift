internal import Foundation
internal import GRDB

extension DatabaseFunction {
  /// `articleText(content, summary)`: the searchable text of a stored body.
  static let articleText = DatabaseFunction("articleText", argumentCount: 2, pure: true) { values in
    let content = Data.fromDatabaseValue(values[0]).flatMap(BodyCodec.decode)
    let summary = Data.fromDatabaseValue(values[1]).flatMap(BodyCodec.decode)
    return ArticleText.make(content: content, summary: summary)
  }

  /// `indexedText(text)`: a text as the search index takes it. Empty for null.
  static let indexedText = DatabaseFunction("indexedText", argumentCount: 1, pure: true) { values in
    SearchText.indexed(String.fromDatabaseValue(values[0]) ?? "")
  }
}
