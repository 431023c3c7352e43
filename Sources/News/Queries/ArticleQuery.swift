/// Condition on articles as the user writes it, such as `unread tag:swift after:1w -feed:HN`. Equal
/// texts are equal queries.
package struct ArticleQuery: Hashable, Sendable {
  /// As typed, without spaces around it.
  package let text: String
  package let condition: QueryCondition
  /// Nil where the query has no `sort:`.
  package let order: ListOrder?
  /// The text without `sort:`.
  package let conditionText: String

  /// - Throws: `QueryError`, which names the place.
  package init(_ text: String) throws {
    var parser = QueryParser(text)
    condition = try parser.parse()
    order = parser.order
    conditionText = parser.conditionText
    self.text = parser.trimmedText
  }

  package init(_ state: QueryState) {
    (text, conditionText) = ("is:\(state.rawValue)", "is:\(state.rawValue)")
    (condition, order) = (.state(state), nil)
  }

  /// The names that a value follows; those that are compared end with `<`.
  package static var fields: [String] { QueryParser.fields }

  /// Seconds of a time such as `2w`; nil for no time.
  package static func seconds(of text: String) -> Int64? { QueryParser.seconds(of: text) }

  package var isEmpty: Bool { picksAll && order == nil }

  /// Whether the condition holds for all articles.
  package var picksAll: Bool { condition == .all([]) }

  /// Whether only unread articles can match, so that reading one removes it from the list.
  package var isAboutUnread: Bool { condition.parts.contains(.state(.unread)) }

  package static func == (a: ArticleQuery, b: ArticleQuery) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

package indirect enum QueryCondition: Hashable, Sendable {
  /// Always true where there are none.
  case all([QueryCondition])
  case any([QueryCondition])
  case not(QueryCondition)
  case state(QueryState)
  /// Words that stand together in the title or the text, as the search index splits them.
  case words(QueryWords)
  /// Part of a field, without regard to case and accents.
  case contains(QueryField, String)
  /// Regular expression of ICU, without regard to case.
  case matches(QueryField, String)
  /// By name; case does not count.
  case tag(String)
  case has(QueryFeature)
  case date(QueryDateField, QueryComparison, QueryDate)
  /// The number of articles of the feed.
  case count(QueryCount, QueryComparison, Int)
  case score(QueryComparison, Int)
  case sinceLastRefresh

  /// The conditions that all have to hold.
  package var parts: [QueryCondition] {
    if case .all(let parts) = self { parts } else { [self] }
  }
}

package enum QueryState: String, Hashable, Sendable, CaseIterable {
  case unread, read, starred, tagged, heard, duplicate
  /// Changed by its feed since the user opened it.
  case changed
  /// The last fetch of its feed failed.
  case failing
  /// In Later, and not waiting for a time.
  case later
  /// In Later, and its time has come.
  case due
}

/// Words for the search index.
package struct QueryWords: Hashable, Sendable {
  package enum Column: String, Hashable, Sendable {
    case title, text
  }

  /// Nil for both, and the names of authors.
  package var column: Column?
  package var phrase: String
  /// Whether the last word may be a prefix.
  package var isPrefix: Bool

  package init(_ phrase: String, in column: Column? = nil, isPrefix: Bool = false) {
    self.column = column
    self.phrase = phrase
    self.isPrefix = isPrefix
  }
}

/// Field that is searched as a whole. `title` and `text` are searched by words, unless by a regular
/// expression.
package enum QueryField: String, Hashable, Sendable, CaseIterable {
  case title, text, author, url, category
  /// Its name or address.
  case feed
  /// Its path, or the beginning of it up to a slash.
  case folder
  /// The address of the feed's page.
  case site
  /// Its name or address.
  case account
}

package enum QueryFeature: String, Hashable, Sendable, CaseIterable {
  case enclosure
  case audio, video, image, comments, author, link
}

package enum QueryDateField: Hashable, Sendable {
  /// The date that lists are sorted by.
  case written
  /// When it was stored here.
  case arrived
  /// When the user opened it; never true of others.
  case opened
}

package enum QueryCount: String, Hashable, Sendable, CaseIterable {
  case unread, total
}

package enum QueryComparison: String, Hashable, Sendable, CaseIterable {
  case less = "<"
  case atMost = "<="
  case equal = "="
  case atLeast = ">="
  case more = ">"
}

/// Point in time of a query.
package enum QueryDate: Hashable, Sendable {
  /// Seconds before now.
  case ago(Int64)
  /// The beginning of a day, month or year of the device's calendar, and of the next, as
  /// `YYYY-MM-DD`.
  case day(String, next: String)
  /// The beginning of today, less so many days.
  case today(daysAgo: Int)
}

package struct QueryError: Error, Hashable, Sendable {
  package var message: String
  /// The mistaken characters, from 0; empty where something is missing. An unclosed part ends with
  /// the text.
  package var place: Range<Int>

  package init(_ message: String, at place: Range<Int>) {
    self.message = message
    self.place = place
  }

  /// The message with the text at the place.
  package func line(in text: String) -> String {
    let rest = text.dropFirst(place.lowerBound).prefix(20)
    return rest.isEmpty ? "\(message), at the end" : "\(message), at “\(rest)”"
  }
}
