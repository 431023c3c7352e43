internal import News
internal import Screen

package enum FileUse: Hashable, Sendable {
  case download
  case queue
  /// Play or open it: the downloaded one, where it is there.
  case open
}

/// Opening what belongs to an article: its files, all of its links, and links beside the reader.
enum LinkOpening {
  static func openFile(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    return [.opening(.openFile(id, file: nil))]
  }

  /// Opens the page of the article or the selected link in the background.
  static func openInBackground(in state: inout ReaderState) -> [Effect] {
    if state.focus == .article, let article = state.article {
      if let link = article.link {
        guard link > 0 else {
          return state.notify(OpeningStrings.linkWithinArticle(open: state.key(.open)))
        }
        return article.page?.link(link).map { [.opening(.openInBackground([$0]))] } ?? []
      }
      if let url = article.page?.article.entry.url { return [.opening(.openInBackground([url]))] }
    }
    return state.list.selectedArticle.map {
      [.opening(.openArticleLink($0.id, inBackground: true))]
    }
      ?? []
  }

  /// So many are opened without a question.
  private static let fewLinks = 5

  static func openAllLinks(in state: inout ReaderState) -> [Effect] {
    let urls = state.article?.page?.webLinks ?? []
    guard !urls.isEmpty else { return state.notify(CoreStrings.noLinks) }
    let effect = Effect.opening(.openInBackground(urls))
    if urls.count > Self.fewLinks {
      state.ask(.question(OpeningStrings.openLinks(urls.count), [effect]))
      return []
    }
    return [effect]
  }

  static func showAddresses(in state: inout ReaderState) -> [Effect] {
    guard let page = state.article?.page else { return state.notify(ReadingStrings.noArticleOpen) }
    let addresses = page.addresses
    return addresses.isEmpty
      ? state.notify(OpeningStrings.noAddress) : [.opening(.showAddresses(addresses))]
  }

  /// Opens the link of the article whose number was typed.
  static func finishLinkNumber(_ text: String, in state: inout ReaderState) -> [Effect] {
    if let screen = state.stack.topPage as? any LinkedScreen {
      let url = Int(text).flatMap { screen.link(numbered: $0, on: state.size) }
      return url.map { [.opening(.openLink($0))] }
        ?? state.notify(OpeningStrings.noLinkOnPage(text), .error)
    }
    guard let article = state.article, article.linkCount > 0 else {
      return state.notify(CoreStrings.noLinks)
    }
    guard let number = Int(text), number > 0, number <= article.linkCount
    else { return state.notify(OpeningStrings.noLink(text), .error) }
    return article.open(number)
  }

  static func openInBrowser(in state: inout ReaderState) -> [Effect] {
    if state.focus == .article, let article = state.article {
      if let link = article.link { return follow(link, in: &state) }
      if let page = article.page {
        guard page.article.entry.url != nil else { return state.notify(OpeningStrings.noAddress) }
        return [.opening(.openArticleLink(article.id))]
      }
    }
    return state.list.selectedArticle.map { [.opening(.openArticleLink($0.id))] } ?? []
  }

  /// Opens it, and marks it as read, also from the list; not where the browser fails.
  static func openAndMarkRead(in state: inout ReaderState) -> [Effect] {
    let opened = openInBrowser(in: &state)
    guard let (id, status) = state.current, !status.isRead else { return opened }
    switch opened.first {
    case .opening(.openArticleLink): return [.opening(.openToRead(id, link: nil))]
    case .opening(.openLink(let url)): return [.opening(.openToRead(id, link: url))]
    default: return opened + Marking.setRead(id, true, isUndoable: true, in: &state)
    }
  }

  static func downloadCurrent(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    return [.transfers(.download(id, file: nil))]
  }

  static func queueFile(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    return [.queue(.toggle(id, file: nil))]
  }
}

/// An address with its label, shown in one line.
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

/// The receiver of a copied text.
package enum CopyWay: Hashable, Sendable {
  /// The terminal itself, or a program that the settings name.
  case terminal
  /// tmux, which keeps it and hands it to its terminal.
  case tmux
  /// The terminal behind a tmux that hands it on only where it is set to.
  case terminalBehindTmux
}

/// A link that shows, or a part of one, on a line of the screen.
struct LinkPlace: Hashable, Sendable {
  /// As the article numbers its links, from 1.
  let number: Int
  let url: String
  /// The columns and the row on the screen.
  let x: Int
  let width: Int
  let y: Int
}

/// A screen above the panes whose links have numbers.
protocol LinkedScreen: ReaderScreen {
  /// The address of a link; nil where there is none of the number.
  func link(numbered number: Int, on size: Size) -> String?
}
