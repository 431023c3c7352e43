/// Product with the Google Reader API, and its dialect. Raw values are stored and never change
/// their meaning.
package enum GoogleReaderProduct: String, Hashable, Sendable, CaseIterable {
  case freshRSS
  case miniflux
  case theOldReader
  case bazQux
  case commaFeed
  case inoreader
  /// An unknown one: the least is asked of it.
  case other

  package var name: String {
    switch self {
    case .freshRSS: "FreshRSS"
    case .miniflux: "Miniflux"
    case .theOldReader: "The Old Reader"
    case .bazQux: "BazQux"
    case .commaFeed: "CommaFeed"
    case .inoreader: "Inoreader"
    case .other: SyncProtocol.googleReader.rawValue
    }
  }

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
    /// Ignored, or not to be sent.
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

  /// Ids in one answer.
  package var idsPerPage: Int {
    switch self {
    case .freshRSS, .miniflux, .theOldReader: 10_000
    case .bazQux: 50_000
    case .commaFeed, .inoreader, .other: 1_000
    }
  }

  /// Items in one answer.
  package var contentsPerCall: Int { 150 }

  /// Items that one call may mark at most (`GoogleReaderBatchSize`).
  package var marksPerCall: Int { 1_000 }

  /// Whether items have labels of their own. Not tested at The Old Reader.
  package var keepsItemLabels: Bool {
    switch self {
    case .freshRSS, .bazQux, .inoreader: true
    case .miniflux, .theOldReader, .commaFeed, .other: false
    }
  }

  /// Labels in one sync. Inoreader has a daily quota of calls.
  package var labelsPerSync: Int { self == .inoreader ? 2 : 10 }

  package var hasUnreadCounts: Bool { self != .miniflux }

  /// Whether a feed lies in one folder only, so that a new one replaces it. A removal then means
  /// the root, and is not sent together with an addition.
  package var keepsOneFolder: Bool {
    switch self {
    case .freshRSS, .miniflux, .theOldReader, .commaFeed: true
    case .bazQux, .inoreader, .other: false
    }
  }
}
