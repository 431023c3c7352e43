package import struct Foundation.Date

/// The readable part of a server's list.
package struct GoogleReaderList<Value: Hashable & Sendable>: Hashable, Sendable {
  package var values: [Value]
  /// Unreadable entries: items that are missing from a list with such entries may be at the server.
  package var badEntries: Int

  package var isWhole: Bool { badEntries == 0 }
}

/// Entry of the list of folders and labels.
package struct GoogleReaderTag: Hashable, Sendable {
  package var name: String
  /// Nil where the server does not distinguish folders from labels.
  package var isFolder: Bool?

  package init(name: String, isFolder: Bool?) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// Query for ids.
package struct GoogleReaderIDQuery: Hashable, Sendable {
  package var stream: GoogleReaderStream
  package var isUnreadOnly: Bool
  /// The least time of arrival or publication (`GoogleReaderProduct.time`) by the server's clock.
  /// Omitted where the server has no such thing.
  package var since: Date?

  package init(_ stream: GoogleReaderStream, isUnreadOnly: Bool = false, since: Date? = nil) {
    self.stream = stream
    self.isUnreadOnly = isUnreadOnly
    self.since = since
  }

  package static let unread = GoogleReaderIDQuery(.readingList, isUnreadOnly: true)
  package static let starred = GoogleReaderIDQuery(.starred)
}

/// Page of ids.
package struct GoogleReaderIDPage: Hashable, Sendable {
  package var ids: [GoogleReaderItemID]
  /// Entries that are no ids.
  package var badEntries = 0
  /// Whether there was a list: an answer without one may not mean an empty set.
  package var hasList = true
  package var continuation: String?
}

/// Calls that a server allows and has counted (Inoreader).
package struct GoogleReaderQuota: Hashable, Sendable {
  package struct Zone: Hashable, Sendable {
    package var used: Int
    package var limit: Int
  }

  package var reads: Zone?
  package var writes: Zone?
  /// Until both begin again.
  package var resetsAfter: Duration?
}

package enum GoogleReaderSubscriptionChange: Hashable, Sendable {
  /// FreshRSS answers 400 for a feed that is there: read the list then.
  case subscribe(url: String)
  /// FreshRSS answers 400 for a missing feed, and deletes its items, starred ones too.
  case unsubscribe(id: String)
  case rename(id: String, title: String)
  /// Where a feed lies in one folder only, adding moves it there and removing moves it out of all.
  case move(id: String, to: String?, from: String?)
}
