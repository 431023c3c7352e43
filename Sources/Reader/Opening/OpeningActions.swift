package import News

extension Action {
  package enum Opening: Hashable, Sendable {
    case linkOpened(String)
    /// The browser has the page of an article that is to be read there.
    case openedToRead(ArticleID)
    /// So many pages were opened beside the reader.
    case linksOpened(Int)
    /// The files of an article, two or more, of which one is wanted.
    case filesFound(ArticleID, title: String, [Enclosure], for: FileUse = .download)
    case fileOpened(String)
    /// An address was given to the terminal to be copied.
    case copied(String, by: CopyWay = .terminal)
  }
}

extension Effect {
  /// Handing pages, files and addresses to other programs.
  package enum Opening: Hashable, Sendable {
    case openLink(String)
    /// Open the page of an article in the browser, or a link of it, and report `openedToRead` unless the browser fails at
    /// once.
    case openToRead(ArticleID, link: String?)
    /// Open the page of an article in the browser; its address is read from the store.
    case openArticleLink(ArticleID, inBackground: Bool = false)
    /// Open the page with the comments on an article in the browser; its address is read from the store.
    case openComments(ArticleID)
    /// Open addresses in the browser beside the reader, which keeps the terminal.
    case openInBackground([String])
    /// Play or open a file of an article, by its place from 0; with nil the only one, or report those there are.
    case openFile(ArticleID, file: Int?)
    /// Show addresses on the ordinary screen, each on one line of the terminal's own, until a key is pressed.
    case showAddresses([ShownAddress])
    /// Copy a text, which is an address.
    case copy(String)
    /// Copy the address of an article, which is read from the store.
    case copyArticleLink(ArticleID)
  }
}

extension Action.Opening {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .linkOpened(let url): state.notify(OpeningStrings.opened(url))
    case .openedToRead(let id): Marking.setRead(id, true, isUndoable: true, in: &state)
    case .linksOpened(let count): state.notify(OpeningStrings.openedLinks(count))
    case .filesFound(let article, let title, let files, let use):
      state.offer(files, of: article, title: title, for: use)
    case .fileOpened(let name): state.notify(OpeningStrings.opened(name))
    case .copied(let url, let way): state.notify(OpeningStrings.copied(url, by: way))
    }
  }
}
