internal import News
internal import Screen

extension Command {
  static let openFile = Command("open-file")
  static let openAllLinks = Command("open-all-links")
  static let openInBackground = Command("open-in-background")
  static let showAddresses = Command("show-addresses")
}

extension KeyBinding {
  // Some sets have another use for the letter.
  static let openFile = KeyBinding(
    .openFile, [.character("p"), .function(9)], "play or open its file", .read)
  static let openInBackground = KeyBinding(
    .openInBackground, [.character("w")], "open it in the background", .read)
  static let openAllLinks = KeyBinding(
    .openAllLinks, [.control("o")], "open all its links in the background", .read)
  static let showAddresses = KeyBinding(
    .showAddresses, [.control("a")], "its addresses, whole, for the terminal to open", .read)
}

/// What a file of an article is asked for.
package enum FileUse: Hashable, Sendable {
  case download
  /// Wait to be played.
  case queue
  /// Play or open it: the downloaded one, where it is there.
  case open
}

/// Opening what belongs to an article: its files, all of its links, and links beside the reader.
extension ReaderState {
  mutating func openFile() -> [Effect] {
    guard let (id, _) = current else { return notify("no article is selected") }
    return [.opening(.openFile(id, file: nil))]
  }

  /// Opens the page of the article, or the link that is picked, and stays here.
  mutating func openInBackground() -> [Effect] {
    if focus == .article, let article {
      if let link = article.link {
        guard link > 0 else {
          return notify("it leads to a place here; \(key(.openLink)) goes there")
        }
        return article.page?.link(link).map { [.opening(.openInBackground([$0]))] } ?? []
      }
      if let url = article.page?.article.entry.url { return [.opening(.openInBackground([url]))] }
    }
    return list.selectedArticle.map { [.opening(.openArticleLink($0.id, inBackground: true))] }
      ?? []
  }

  /// So many are opened without a question.
  private static let fewLinks = 5

  mutating func openAllLinks() -> [Effect] {
    let urls = article?.page?.webLinks ?? []
    guard !urls.isEmpty else { return notify("this article has no links") }
    let effect = Effect.opening(.openInBackground(urls))
    if urls.count > Self.fewLinks {
      ask(.question("Open \(urls.count) links", [effect]))
      return []
    }
    return [effect]
  }

  mutating func showAddresses() -> [Effect] {
    guard let page = article?.page else { return notify("no article is open") }
    let addresses = page.addresses
    return addresses.isEmpty
      ? notify("this article has no address") : [.opening(.showAddresses(addresses))]
  }
}

/// An address with what it is, as it is shown whole.
package struct ShownAddress: Hashable, Sendable {
  /// As in `[3] The title`.
  package let label: String
  package let url: String
}

extension ArticlePage {
  /// The addresses of its links, each once, that a browser opens.
  var webLinks: [String] {
    (0..<linkCount).compactMap { file(ofLink: $0 + 1) == nil ? link($0 + 1) : nil }
      .filter { $0.hasPrefix("http") }
  }

  /// Its own address and those of its links and files.
  var addresses: [ShownAddress] {
    let own = article.entry.url.map { ShownAddress(label: article.entry.title ?? "", url: $0) }
    let links = (0..<linkCount).compactMap { index in
      link(index + 1).map { ShownAddress(label: "[\(index + 1)] \(linkText(index + 1))", url: $0) }
    }
    return [own].compactMap { $0 } + links
  }
}
