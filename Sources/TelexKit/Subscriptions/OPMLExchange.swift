internal import Foundation
internal import HTTP
package import News
internal import Services
internal import Store
internal import Syndication
internal import Text

extension OPMLDocument {
  /// Reads a list of feeds.
  ///
  /// - Parameters:
  ///   - file: its path; `-` is standard input.
  ///   - takesFiles: whether addresses of files count.
  package init(file: String, takesFiles: Bool = false) throws {
    let bytes = try InputDocument.bytes(of: file)
    do {
      self = try OPML.parse(bytes, takesFiles: takesFiles)
    } catch {
      var error = error
      if file != "-" { error.subject = file }
      throw error
    }
  }

  package var opml: String { OPML.write(self) }
}

extension Subscriptions {
  /// The subscriptions as a list for other readers, without outputs of programs, names and
  /// passwords.
  package func outline() throws -> OPMLDocument {
    let (feeds, outlines, folders) = try composition.store.viewNow {
      (
        try $0.feeds.all().filter { !$0.isCommand && !$0.isSaved }, try $0.outlines.ofFeeds(),
        try $0.outlines.ofFolders()
      )
    }
    let origins = try composition.allSignIns().map(\.origin)
    return OPMLDocument(
      title: "Telex",
      feeds: feeds.map { feed in
        let attributes = outlines[feed.id]?.attributes ?? []
        return OPMLDocument.Feed(
          url: WebAddress.withoutUser(feed.url), title: feed.displayTitle,
          hasCustomTitle: outlines[feed.id]?.hasOwnTitle == true,
          needsSignIn: feed.signIn != nil || WebAddress.user(in: feed.url) != nil
            || origins.contains { WebAddress.isAt(feed.url, origin: $0) }
            || attributes.contains(.signInMark),
          htmlUrl: feed.link,
          categories: feed.folders.map(FolderPath.names),
          attributes: attributes.filter { $0 != .signInMark })
      },
      folders: folders.map { folder in
        OPMLDocument.Folder(
          path: FolderPath.names(folder.path), attributes: folder.attributes,
          isKept: folder.isKept)
      })
  }

  /// Subscribes to the feeds of a list. Existing subscriptions get its folders and attributes.
  /// Passwords in addresses are stored with the secrets first, and deleted on failure.
  ///
  /// - Parameter isTrusted: whether its addresses may lead to this machine and its files; else to
  ///   public hosts only.
  /// - Returns: the numbers of new and of existing feeds.
  package func take(
    _ document: OPMLDocument, isTrusted: Bool
  ) async throws -> (added: Int, known: Int) {
    let now = Date()
    let feeds = try document.feeds.map { feed in
      let isFile = isTrusted && feed.url.hasPrefix("file:///")
      return try ImportedFeed(feed, at: isFile ? feed.url : WebAddress.entered(feed.url))
    }
    var kept: [Int: FeedSignIn] = [:]
    do {
      try await keepPasswords(of: feeds, in: &kept)
      let (added, used) = try await store(feeds, kept, of: document, isTrusted: isTrusted, now: now)
      await forget(kept.values.filter { !used.contains($0) })
      return (added, feeds.count - added)
    } catch {
      await forget(Array(kept.values))
      throw error
    }
  }

  private func forget(_ signIns: [FeedSignIn]) async {
    for signIn in signIns { try? await composition.sources.forget(signIn) }
  }

  /// - Parameter signIns: by the index of their feed.
  /// - Returns: the number of new feeds, and the used sign-ins.
  private func store(
    _ feeds: [ImportedFeed], _ signIns: [Int: FeedSignIn], of document: OPMLDocument,
    isTrusted: Bool, now: Date
  ) async throws -> (added: Int, used: Set<FeedSignIn>) {
    let users = feeds.compactMap(\.user)
    return try await composition.store.edit { edit in
      // A host that the user has entered before is trusted.
      let typed = Set(
        try edit.view.feeds.all().filter(\.isUserEntered).compactMap { WebAddress.host(of: $0.url) }
      )
      // A list that was made before a feed moved brings it no second time.
      let present = try edit.view.feeds.presentURLs()
      var added: [FeedID] = []
      var used: Set<FeedSignIn> = []
      for (index, imported) in feeds.enumerated() {
        let (url, feed) = (present[imported.url] ?? imported.url, imported.feed)
        let isUserEntered = isTrusted || WebAddress.host(of: url).map(typed.contains) == true
        // A password that works is not replaced by one that was not tried.
        let isKnown = try edit.view.feeds.feed(url: url)?.signIn != nil
        let signIn = isKnown ? nil : signIns[index]
        if let signIn { used.insert(signIn) }
        let (id, isNew) = try edit.feeds.subscribe(
          url: url, title: feed.hasCustomTitle ? feed.title : nil, foundTitle: feed.title,
          link: feed.htmlUrl.flatMap { WebAddress.resolve($0, against: url) },
          folders: feed.categories.map(FolderPath.joined), isUserEntered: isUserEntered,
          signIn: signIn, now: now)
        try edit.outlines.keep(
          feed.attributes + (feed.needsSignIn ? [.signInMark] : []), of: id)
        if isNew { added.append(id) }
      }
      try edit.actions.noteAdded(added, now: now)
      for folder in document.folders {
        try edit.outlines.keep(
          folder.attributes.map { $0.without(users) }, ofFolder: FolderPath.joined(folder.path),
          isKept: folder.isKept)
      }
      return (added.count, used)
    }
  }

  /// The number of feeds in a list that are never fetched: addresses by others that name this
  /// machine or its network.
  package func shutOut(of document: OPMLDocument) async throws -> Int {
    let urls = Set(document.feeds.compactMap { try? WebAddress.entered($0.url) })
      .filter { url in
        WebAddress.host(of: url).map { !HostName.isPublic($0, isLookedUpByProxy: true) } ?? false
      }
    return try await composition.store.view { view in
      try urls.count {
        try view.feeds.feed(url: WebAddress.withoutUser($0))?.isUserEntered == false
      }
    }
  }

  /// - Parameter kept: gets the sign-ins by the index of their feed, also where it throws.
  private func keepPasswords(
    of feeds: [ImportedFeed], in kept: inout [Int: FeedSignIn]
  ) async throws {
    var urls: Set<String> = []
    let present = try await composition.store.view { try $0.feeds.presentURLs() }
    for (index, feed) in feeds.enumerated() {
      let url = present[feed.url] ?? feed.url
      guard let user = feed.user, urls.insert(url).inserted,
        try await composition.store.view({ try $0.feeds.feed(url: url)?.signIn }) == nil
      else { continue }
      kept[index] = try await composition.sources.keep(user)
    }
  }
}

/// A feed of a list, with its name and password apart from everything that it is stored with.
private struct ImportedFeed: Sendable {
  let url: String
  let user: AddressUser?
  let feed: OPMLDocument.Feed

  init(_ feed: OPMLDocument.Feed, at url: String) {
    user = WebAddress.user(in: url)
    self.url = user == nil ? url : WebAddress.withoutUser(url)
    var feed = feed
    if let user {
      feed.title = feed.title.map(user.removed(from:))
      feed.htmlUrl = feed.htmlUrl.map(user.removed(from:))
      feed.attributes = feed.attributes.map { $0.without([user]) }
    }
    self.feed = feed
  }
}

extension OutlineAttribute {
  /// Attribute of a listed feed that needs a sign-in: nobody may have signed in here when the list
  /// is exported again.
  fileprivate static let signInMark = OutlineAttribute(
    "telex:needsSignIn", namespace: OPML.namespace, value: "true")

  fileprivate func without(_ users: [AddressUser]) -> OutlineAttribute {
    var attribute = self
    for user in users { attribute.value = user.removed(from: attribute.value) }
    return attribute
  }
}
