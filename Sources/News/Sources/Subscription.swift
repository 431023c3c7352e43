package struct Subscription: Hashable, Sendable {
  /// The address of the feed, or its identifier within the account.
  package var url: String
  /// The id at the server, else the address.
  package var id: String
  package var title: String?
  /// The page that the feed belongs to.
  package var link: String?
  package var folders: [String]

  package init(
    url: String, id: String? = nil, title: String? = nil, link: String? = nil,
    folders: [String] = []
  ) {
    self.url = url
    self.id = id ?? url
    self.title = title
    self.link = link
    self.folders = folders
  }
}

/// Change of an account's subscriptions, to be made at its server.
///
/// Each kind describes the wanted state: a repetition changes nothing, and the list of
/// subscriptions shows whether the change was made (`isMade`).
package struct SubscriptionChange: Hashable, Sendable, Codable {
  package enum Kind: Hashable, Sendable, Codable {
    case add
    case remove
    case rename(String)
    case file([String])
  }

  package var kind: Kind
  /// The address of the feed.
  package var url: String
  /// The id at the server; nil until the server has listed it.
  package var id: String?

  package init(_ kind: Kind, url: String, id: String? = nil) {
    self.kind = kind
    self.url = url
    self.id = id
  }

  package func subject(in list: [Subscription]) -> Subscription? {
    list.first { $0.id == id } ?? list.first { $0.url == url }
  }

  /// Whether a list of the server shows the wanted state.
  package func isMade(in list: [Subscription]) -> Bool {
    let subject = subject(in: list)
    return switch kind {
    case .add: subject != nil
    case .remove: subject == nil
    case .rename(let title): subject?.title == title
    case .file(let folders): subject.map { Set($0.folders) == Set(folders) } == true
    }
  }
}

/// Changes of subscriptions that a server can make.
package struct SubscriptionEdits: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let add = SubscriptionEdits(rawValue: 1 << 0)
  package static let remove = SubscriptionEdits(rawValue: 1 << 1)
  package static let rename = SubscriptionEdits(rawValue: 1 << 2)
  /// A feed can be moved to another folder.
  package static let file = SubscriptionEdits(rawValue: 1 << 3)
  /// A feed can lie in several folders.
  package static let manyFolders = SubscriptionEdits(rawValue: 1 << 4)

  package static let all: SubscriptionEdits = [.add, .remove, .rename, .file, .manyFolders]
}
