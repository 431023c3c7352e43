/// A product that speaks the Google Reader API, with what is known of its dialect.
///
/// Raw values are stored and never change their meaning.
package enum GoogleReaderProduct: String, Hashable, Sendable, CaseIterable {
  case freshRSS
  case miniflux
  case theOldReader
  case bazQux
  case commaFeed
  case inoreader
  /// One that this version does not know: the least is asked of it.
  case other

  package enum Continuation: Hashable, Sendable {
    /// The id of an item, in the order of the stream.
    case id
    /// A number of items, which shifts when their states change.
    case offset
    /// The id of an item, in another order than the stream's: pages lose items.
    case unordered
    case unknown
  }

  /// The time that `ot` and `nt` compare.
  package enum Time: Hashable, Sendable {
    case crawled
    case published
    /// They are ignored, or not to be sent.
    case none
  }

  package var continuation: Continuation {
    switch self {
    case .freshRSS, .theOldReader, .bazQux, .inoreader: .id
    case .miniflux: .offset
    case .commaFeed: .unordered
    case .other: .unknown
    }
  }

  package var time: Time {
    switch self {
    case .freshRSS, .theOldReader, .inoreader: .crawled
    case .miniflux: .published
    case .bazQux, .commaFeed, .other: .none
    }
  }

  /// Ids of items in one answer.
  package var idsPerPage: Int {
    switch self {
    case .freshRSS, .miniflux, .theOldReader: 10_000
    case .bazQux: 50_000
    case .commaFeed, .inoreader, .other: 1_000
    }
  }

  /// Items in one answer, of what is asked for by id.
  package var contentsPerCall: Int { 150 }

  /// Items that one call may mark at most. How many it does mark is up to `GoogleReaderBatchSize`.
  package var marksPerCall: Int { 1_000 }

  /// Whether items have labels of their own, which the user sets. At The Old Reader nobody has tried.
  package var keepsItemLabels: Bool {
    switch self {
    case .freshRSS, .bazQux, .inoreader: true
    case .miniflux, .theOldReader, .commaFeed, .other: false
    }
  }

  /// How many labels one sync asks for. Inoreader counts the calls of a day.
  package var labelsPerSync: Int { self == .inoreader ? 2 : 10 }

  package var hasUnreadCounts: Bool { self != .miniflux }

  /// Whether a feed lies in one folder only, so that a new one takes the place of the other. A removal
  /// then means the root, and is not sent together with an addition.
  package var keepsOneFolder: Bool {
    switch self {
    case .freshRSS, .miniflux, .theOldReader, .commaFeed: true
    case .bazQux, .inoreader, .other: false
    }
  }
}
