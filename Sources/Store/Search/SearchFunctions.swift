internal import Foundation
internal import GRDB

extension DatabaseFunction {
  /// `articleText(content, summary)`: the searchable text of a stored body.
  static let articleText = DatabaseFunction("articleText", argumentCount: 2, pure: true) { values in
    let content = Data.fromDatabaseValue(values[0]).flatMap(BodyCodec.decode)
    let summary = Data.fromDatabaseValue(values[1]).flatMap(BodyCodec.decode)
    return ArticleText.make(content: content, summary: summary)
  }
}
