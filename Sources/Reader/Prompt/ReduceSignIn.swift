internal import News

/// A password on its way from the keys to the one who signs in; prints as dots.
package struct TypedSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ReaderState {
  /// Asks for the name, and then for the password, at the server of a feed.
  mutating func askToSignIn(at address: String) -> [Effect] {
    prompt = .signInName(address: address, LineEditor())
    return []
  }

  /// The feed that is picked, where its server wants a sign-in.
  mutating func askToSignIn() -> [Effect] {
    let picked: FeedID? =
      switch (focus, sidebar.selected, list.query.timeline) {
      case (.sidebar, .feed(let id), _), (_, _, .feed(let id)): id
      default: nil
      }
    let feeds = sidebar.snapshot.feeds
    let feed =
      feeds.first { $0.id == picked } ?? feeds.first { $0.state.error?.wantsSignIn == true }
    guard let feed else { return tell("no server here wants a sign-in") }
    return askToSignIn(at: feed.url)
  }

  mutating func finishName(_ address: String, _ name: String) -> [Effect] {
    guard name.contains(where: { !$0.isWhitespace }) else {
      moveAfterSignIn = nil
      return []
    }
    prompt = .signInPassword(address: address, name: name, LineEditor())
    return []
  }

  mutating func finishPassword(_ address: String, _ name: String, _ password: String) -> [Effect] {
    guard !password.isEmpty else {
      moveAfterSignIn = nil
      return []
    }
    return [.signIn(address, name: name, TypedSecret(password))]
      + tell("signing in at \(WebAddress.host(of: address) ?? address) …")
  }

  /// What the reader wanted before the server asked who he is.
  mutating func signedIn(at address: String) -> [Effect] {
    let told = tell("signed in at \(WebAddress.host(of: address) ?? address)")
    if let move = moveAfterSignIn, move.address == address {
      moveAfterSignIn = nil
      moveInSearch = move
      return [.moveFeed(move.feed, to: address, isTyped: true)] + told
    }
    if lastAddress == address {
      lastAddress = nil
      look(of: address)
      return [.addFeed(address)] + told
    }
    let host = WebAddress.host(of: address)
    let feeds = sidebar.snapshot.feeds.filter {
      $0.state.error?.wantsSignIn == true && WebAddress.host(of: $0.url) == host
    }
    return (feeds.isEmpty ? [] : [.refresh(.askedFeeds(feeds.map(\.id)))]) + told
  }
}

extension SourceError {
  /// Whether the server answered that it wants to know who is asking.
  var wantsSignIn: Bool { status == 401 }
}
