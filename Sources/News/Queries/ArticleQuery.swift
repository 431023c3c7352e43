/// A condition on articles as the user writes it, such as `unread tag:swift after:1w -feed:HN`.
///
/// `QueryParser` reads it, and the store makes SQL of it. Equal texts are equal queries.
package struct ArticleQuery: Hashable, Sendable {
  /// As it was typed, without spaces around it.
  package let text: String
  package let condition: QueryCondition
  /// How the articles are to be sorted; nil where the query does not say.
  package let order: ListOrder?
  /// The text without what it says about the order.
  package let conditionText: String

  /// Reads a query.
  ///
  /// - Throws: `QueryError`, which names the place.
  package init(_ text: String) throws {
    var parser = QueryParser(text)
    condition = try parser.parse()
    order = parser.order
    conditionText = parser.conditionText
    self.text = parser.trimmedText
  }

  /// The names that a value follows; those that are compared end with `<`.
  package static var fields: [String] { QueryParser.fields }

  /// Seconds of a time as queries have it, such as `2w`; nil for no time.
  package static func seconds(of text: String) -> Int64? { QueryParser.seconds(of: text) }

  /// Whether it says nothing.
  package var isEmpty: Bool { picksAll && order == nil }

  /// Whether the condition holds for all articles there are.
  package var picksAll: Bool { condition == .all([]) }

  /// Whether no article that is read can match. Reading one in a list of them would take it out.
  package var isAboutUnread: Bool { condition.parts.contains(.state(.unread)) }

  package static func == (a: ArticleQuery, b: ArticleQuery) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What a query asks of an article.
package indirect enum QueryCondition: Hashable, Sendable {
  /// All of them; always true where there are none.
  case all([QueryCondition])
  /// At least one of them.
  case any([QueryCondition])
  case not(QueryCondition)
  case state(QueryState)
  /// Words that stand together in the title or the text, as the search index splits them.
  case words(QueryWords)
  /// A part of a field, without regard to case and accents.
  case contains(QueryField, String)
  /// A regular expression of ICU, without regard to case.
  case matches(QueryField, String)
  /// A tag of this name; case does not count.
  case tag(String)
  case has(QueryFeature)
  case date(QueryDateField, QueryComparison, QueryDate)
  /// The number of articles of the feed.
  case count(QueryCount, QueryComparison, Int)
  /// What rules have raised the article by.
  case score(QueryComparison, Int)
  /// Arrived with the last refresh.
  case sinceLastRefresh

  /// The conditions that all have to hold.
  package var parts: [QueryCondition] {
    if case .all(let parts) = self { parts } else { [self] }
  }
}

package enum QueryState: String, Hashable, Sendable, CaseIterable {
  case unread, read, starred, tagged, heard, duplicate
  /// Its feed has changed it since the user opened it last.
  case changed
  /// The last fetch of its feed has failed.
  case failing
}

/// Words for the search index.
package struct QueryWords: Hashable, Sendable {
  package enum Column: String, Hashable, Sendable {
    case title, text
  }

  /// Nil for both, and the names of authors.
  package var column: Column?
  package var phrase: String
  /// Whether the last word may be the beginning of one.
  package var isPrefix: Bool

  package init(_ phrase: String, in column: Column? = nil, isPrefix: Bool = false) {
    self.column = column
    self.phrase = phrase
    self.isPrefix = isPrefix
  }
}

/// A field that a query looks into as a whole. `title` and `text` are searched by words unless a regular
/// expression is given.
package enum QueryField: String, Hashable, Sendable, CaseIterable {
  case title, text, author, url, category
  /// The name of the feed, or its address.
  case feed
  /// The path of a folder: the whole of it, or its beginning up to a slash.
  case folder
  /// The address of the feed's page.
  case site
  /// The name of the account, or its address.
  case account
}

package enum QueryFeature: String, Hashable, Sendable, CaseIterable {
  /// Any file.
  case enclosure
  case audio, video, image, comments, author, link
}

package enum QueryDateField: Hashable, Sendable {
  /// When the article was written, as lists are sorted.
  case written
  /// When it was stored here.
  case arrived
  /// When the user opened it; true only of what was opened.
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

/// A moment that a query names.
package enum QueryDate: Hashable, Sendable {
  /// So many seconds before the query is asked.
  case ago(Int64)
  /// The beginning of a day, a month or a year of the machine's calendar, and that of the next one, both as
  /// `YYYY-MM-DD`.
  case day(String, next: String)
  /// The beginning of today, less so many days.
  case today(daysAgo: Int)
}

/// A mistake in a query.
package struct QueryError: Error, Hashable, Sendable {
  package var message: String
  /// In characters of the text, from 0: what is wrong, or empty where something is missing. Of what is not closed
  /// up to the end.
  package var place: Range<Int>

  package init(_ message: String, at place: Range<Int>) {
    self.message = message
    self.place = place
  }

  /// One line: the message, and what stands at the place in the query.
  package func line(in text: String) -> String {
    let rest = text.dropFirst(place.lowerBound).prefix(20)
    return rest.isEmpty ? "\(message), at the end" : "\(message), at “\(rest)”"
  }
}
