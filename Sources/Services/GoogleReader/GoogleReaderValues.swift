package import News

package import struct Foundation.Date

/// Who is signed in, as the server says.
package struct GoogleReaderUser: Hashable, Sendable {
  package var id: String
  package var name: String
}

/// A list as a server sent it, as far as it could be read.
package struct GoogleReaderList<Value: Hashable & Sendable>: Hashable, Sendable {
  package var values: [Value]
  /// Entries that could not be read. What is absent from a list with such entries is not known to be
  /// absent from the server.
  package var badEntries: Int

  package var isWhole: Bool { badEntries == 0 }
}

/// A subscription as the server keeps it.
package struct GoogleReaderSubscription: Hashable, Sendable {
  /// As it came, as in `feed/12`: what every call names the feed by.
  package var id: String
  /// The address of the feed; nil where the server names none.
  package var url: String?
  package var title: String?
  /// The page of the site.
  package var page: String?
  /// Names of folders, as the server writes them: they name the folder in every call.
  package var folders: [String]
}

/// An entry of the list of folders and labels.
package struct GoogleReaderTag: Hashable, Sendable {
  package var name: String
  /// Nil where the server does not tell folders from labels.
  package var isFolder: Bool?

  package init(name: String, isFolder: Bool?) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// How many unread items the server counts in a stream.
package struct GoogleReaderUnreadCount: Hashable, Sendable {
  /// The id of a feed as it came, or a stream.
  package var id: String
  package var stream: GoogleReaderStream?
  package var count: Int
}

/// An item with its states.
package struct GoogleReaderItem: Hashable, Sendable {
  package var id: GoogleReaderItemID
  /// The id of its subscription; nil where the server names none.
  package var feed: String?
  /// Its id is the short spelling of `id`.
  package var entry: Entry
  package var isRead: Bool
  package var isStarred: Bool
  /// Labels of the item and folders of its feed, which most servers do not tell apart here.
  package var labels: [String]
  /// When the server took it in.
  package var crawled: Date?
}

/// Items that were asked for, as far as they could be read.
package struct GoogleReaderContents: Hashable, Sendable {
  package var items: [GoogleReaderItem] = []
  /// Ids without an item in the answer: gone from the server, or not readable.
  package var missing: [GoogleReaderItemID] = []
  /// Entries that could not be read, that came twice, or that nobody had asked for.
  package var badEntries = 0
}

/// Which ids to ask for.
package struct GoogleReaderIDQuery: Hashable, Sendable {
  package var stream: GoogleReaderStream
  /// Leaves out what is read.
  package var isUnreadOnly: Bool
  /// Only what the server took in, or what was published (`GoogleReaderProduct.time`), at or after this
  /// moment of the server's clock. Left out where the server has no such thing.
  package var since: Date?

  package init(_ stream: GoogleReaderStream, isUnreadOnly: Bool = false, since: Date? = nil) {
    self.stream = stream
    self.isUnreadOnly = isUnreadOnly
    self.since = since
  }

  package static let all = GoogleReaderIDQuery(.readingList)
  package static let unread = GoogleReaderIDQuery(.readingList, isUnreadOnly: true)
  package static let starred = GoogleReaderIDQuery(.starred)
}

/// One answer with ids.
package struct GoogleReaderIDPage: Hashable, Sendable {
  package var ids: [GoogleReaderItemID]
  /// Entries that are no ids.
  package var badEntries = 0
  /// Whether there was a list at all: an answer without one is not known to mean that there is nothing.
  package var hasList = true
  package var continuation: String?
  /// The server's clock.
  package var serverDate: Date?
}

/// The calls that a server allows and has counted (Inoreader).
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
  /// Adds a feed by its address. FreshRSS answers 400 for one that is there: read the list then.
  case subscribe(url: String)
  /// FreshRSS answers 400 for one that is not there, and deletes its items, starred ones too.
  case unsubscribe(id: String)
  case rename(id: String, title: String)
  /// Where a feed lies in one folder only, adding puts it there and removing puts it outside all.
  case move(id: String, to: String?, from: String?)
}

/// The key of an application, which Inoreader asks for on every call.
package struct GoogleReaderApplication: Hashable, Sendable {
  package var id: String
  package var key: String

  package init(id: String, key: String) {
    self.id = id
    self.key = key
  }
}

extension GoogleReaderApplication: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package var description: String { "application \(id)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
