internal import News
internal import Screen
internal import Text

/// A question or a line of input at the bottom of the screen.
enum Prompt: Hashable, Sendable {
  /// In an account whose server keeps the subscriptions; nil where the feed is to be fetched from here.
  case addFeed(LineEditor, in: Account?)
  /// Of a server, or `file:` and the path of a folder.
  case signInAddress(LineEditor)
  case signInName(address: String, LineEditor)
  /// Shows dots for what is typed.
  case signInPassword(address: String, name: String, LineEditor)
  case search(LineEditor, SearchPrompt)
  /// A query that limits the list, or that of a smart feed.
  case limit(LineEditor, of: SmartFeedID?)
  /// The name for a query that is kept.
  case newSmartName(ArticleQuery, LineEditor)
  case smartName(SmartFeedID, LineEditor)
  /// Words in the open article, and what showed when they were begun.
  case find(LineEditor, from: BegunFind)
  /// Digits before Enter, or before a motion in the article.
  case link(LineEditor)
  /// Digits before a motion in a list.
  case count(LineEditor)
  case feedAddress(FeedID, LineEditor)
  case feedTitle(FeedID, LineEditor)
  /// Paths, with semicolons between them, in the account that the feed is to be in; nil where it is to be fetched
  /// from here.
  case feedFolders(FeedID, LineEditor, in: Account?)
  /// The same for several feeds, which stay in their accounts.
  case foldersOfSeveral([FeedID], LineEditor)
  case folderPath(FolderID, LineEditor)
  /// The path of a folder to be made.
  case newFolder(LineEditor)
  /// In the words of `FeedSetting`, for one feed or several.
  case feedSetting([FeedID], FeedSetting, LineEditor)
  /// Names with semicolons between them, and those that the article has.
  case tags(ArticleID, LineEditor, had: [String])
  /// Names with semicolons between them that several articles are to have; with a minus before, not to have.
  case tagsOfSeveral([ArticleID], LineEditor)
  /// A program and its arguments, which reads the text of an article.
  case pipe(ArticleID, LineEditor)
  /// The number of a link.
  case copyLink(LineEditor)
  /// The path of a file for the text of an article.
  case save(ArticleID, LineEditor)
  /// Asks for yes or no; the effects are what yes does.
  case question(String, [Effect])
  /// With what was unread when the question was asked.
  case markAllRead(SeenUnread)
}

extension ReaderState {
  var isAsking: Bool { stack.contains(ScreenLayer.prompt) }

  /// Asks something, in place of what was being asked.
  mutating func ask(_ prompt: Prompt) { stack.push(prompt) }
}

extension Prompt: ReaderScreen {
  static let name = "prompt"
  static let layer = ScreenLayer.prompt
  static let bindings: [KeyBinding] = []

  /// The line that is being typed; nil for a question.
  var line: LineEditor? {
    get {
      switch self {
      case .addFeed(let line, _), .signInAddress(let line), .signInName(_, let line),
        .signInPassword(_, _, let line),
        .search(let line, _), .limit(let line, _), .newSmartName(_, let line),
        .smartName(_, let line), .find(let line, _), .link(let line), .count(let line),
        .feedAddress(_, let line),
        .feedTitle(_, let line), .feedFolders(_, let line, _), .feedSetting(_, _, let line),
        .folderPath(_, let line), .tags(_, let line, _), .tagsOfSeveral(_, let line),
        .foldersOfSeveral(_, let line), .newFolder(let line),
        .pipe(_, let line), .save(_, let line), .copyLink(let line):
        line
      case .question, .markAllRead: nil
      }
    }
    set {
      guard let line = newValue else { return }
      switch self {
      case .addFeed(_, let account): self = .addFeed(line, in: account)
      case .signInAddress: self = .signInAddress(line)
      case .signInName(let address, _): self = .signInName(address: address, line)
      case .signInPassword(let address, let name, _):
        self = .signInPassword(address: address, name: name, line)
      case .search(_, let search): self = .search(line, search)
      case .limit(_, let smart): self = .limit(line, of: smart)
      case .newSmartName(let query, _): self = .newSmartName(query, line)
      case .smartName(let id, _): self = .smartName(id, line)
      case .find(_, let begun): self = .find(line, from: begun)
      case .link: self = .link(line)
      case .count: self = .count(line)
      case .feedAddress(let id, _): self = .feedAddress(id, line)
      case .feedTitle(let id, _): self = .feedTitle(id, line)
      case .feedFolders(let id, _, let account): self = .feedFolders(id, line, in: account)
      case .foldersOfSeveral(let ids, _): self = .foldersOfSeveral(ids, line)
      case .folderPath(let folder, _): self = .folderPath(folder, line)
      case .newFolder: self = .newFolder(line)
      case .feedSetting(let ids, let setting, _): self = .feedSetting(ids, setting, line)
      case .tags(let id, _, let former): self = .tags(id, line, had: former)
      case .tagsOfSeveral(let ids, _): self = .tagsOfSeveral(ids, line)
      case .pipe(let id, _): self = .pipe(id, line)
      case .save(let id, _): self = .save(id, line)
      case .copyLink: self = .copyLink(line)
      case .question, .markAllRead: break
      }
    }
  }

  // MARK: Keys

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    guard let key = press.key else { return .ignored }
    if key == .control("z") { return .done([.suspend]) }
    guard var line else {
      let isYes = key == .character("y") || key == .character("Y")
      return .closed(isYes ? agree(in: &state) : [])
    }
    if isNumber, let response = handle(press, number: line.text, in: &state) { return response }
    switch key {
    case .escape, .control("c"), .control("g"): return .closed(cancel(in: &state))
    case .backspace where line.isEmpty: return .closed(cancel(in: &state))
    case .enter:
      if case .limit = self, let mistake = ArticleQuery.mistake(in: line.text) {
        line.moveCursor(to: mistake.place.upperBound)
        self.line = line
        return .done(state.notify(mistake.message, .error))
      }
      if case .feedSetting(let ids, let setting, _) = self {
        return state.finishSetting(ids, setting, line.text)
      }
      return .closed(finish(line.text, in: &state))
    case .tab:
      switch self {
      case .addFeed(_, let account):
        self = .addFeed(line, in: state.subscriptions.account(after: account))
      case .feedFolders(let id, _, let account):
        self = .feedFolders(id, line, in: state.subscriptions.account(after: account))
      case .search(_, var search):
        guard search.changeScope(in: state) else {
          return .done(state.notify("everything is searched already", .error))
        }
        self = .search(line, search)
        return .done(hasChanged(to: line.text, in: &state))
      case .save(let id, _):
        self = .save(id, LineEditor(ReaderState.path(line.text, step: 1)))
      case .limit:
        // What stood above the line has been read, and the choices go there.
        state.forgetError()
        line.complete(query: 1, state.subscriptions.queryNames)
        self.line = line
      default: break
      }
      return .done([])
    case .backTab:
      if case .save(let id, _) = self {
        self = .save(id, LineEditor(ReaderState.path(line.text, step: -1)))
      }
      guard case .limit = self else { return .done([]) }
      line.complete(query: -1, state.subscriptions.queryNames)
      self.line = line
      return .done([])
    case .up, .down, .control("p"), .control("n"):
      guard case .search(_, var search) = self else { return .done([]) }
      let step = key == .up || key == .control("p") ? -1 : 1
      guard let words = search.recall(step, line.text, in: state) else { return .done([]) }
      self = .search(LineEditor(words), search)
      return .done(hasChanged(to: words, in: &state))
    default:
      let old = line.text
      guard line.handle(key) else { return .done([]) }
      self.line = line
      return .done(line.text == old ? [] : hasChanged(to: line.text, in: &state))
    }
  }

  mutating func handle(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    // A link is a number.
    if isNumber { return .done([]) }
    guard var line else { return .done([]) }
    line.insert(text)
    self.line = line
    return .done(hasChanged(to: line.text, in: &state))
  }

  /// Ignores the mouse until there is an answer.
  mutating func handle(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse { .done([]) }

  /// Shows what is found, unless the user has typed on meanwhile.
  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    guard case .list(.searchSettled(let words)) = action, case .search(let line, let search) = self,
      line.text == words
    else { return .ignored }
    guard let timeline = search.timeline(of: words, in: state) else {
      return .done(state.leaveSearch())
    }
    return .done(state.show(timeline, isLimited: search.scope != nil))
  }

  /// Whether digits are typed, which a motion takes as a count.
  private var isNumber: Bool {
    switch self {
    case .link, .count: true
    default: false
    }
  }

  /// What is no part of a number ends it: a motion is done as often, another key does what it does by itself.
  ///
  /// - Returns: nil for what is.
  private func handle(
    _ press: KeyPress, number: String, in state: inout ReaderState
  ) -> ScreenResponse? {
    switch press.key {
    case .backspace, .delete, .enter, .escape, .control("c"), .control("g"): return nil
    case .character(let digit) where digit.isASCII && digit.isNumber: return nil
    default: break
    }
    if let effects = state.perform(press, times: number) { return .closed(effects) }
    return press.key.map { .closed(state.reduce(.key($0), at: press.milliseconds)) }
  }

  // MARK: What becomes of it

  /// Words are searched for while they are typed.
  private func hasChanged(to text: String, in state: inout ReaderState) -> [Effect] {
    switch self {
    case .search: return [.list(.settleSearch(text))]
    case .find(_, let begun): state.find(whileTyping: text, from: begun)
    default: break
    }
    return []
  }

  private func agree(in state: inout ReaderState) -> [Effect] {
    switch self {
    case .question(_, let effects): effects
    case .markAllRead(let unread): state.markRead(unread)
    case .addFeed, .signInAddress, .signInName, .signInPassword, .search, .limit, .newSmartName,
      .smartName, .find, .link, .count, .feedAddress, .feedTitle, .feedFolders, .feedSetting,
      .foldersOfSeveral, .newFolder, .folderPath, .tags, .tagsOfSeveral, .pipe, .save, .copyLink:
      []
    }
  }

  private func cancel(in state: inout ReaderState) -> [Effect] {
    switch self {
    case .search:
      state.forgetError()
      return [.cancel(.list(.search))] + state.leaveSearch()
    case .find(_, let begun): state.cancelFind(from: begun)
    // Nothing waits for a sign-in that does not come.
    case .signInName, .signInPassword: state.addresses.moveAfterSignIn = nil
    default: break
    }
    // What stood above the line has been read.
    state.forgetError()
    return []
  }

  private func finish(_ text: String, in state: inout ReaderState) -> [Effect] {
    let isBlank = text.allSatisfy(\.isWhitespace)
    if case .search(_, let search) = self {
      state.forgetError()
      state.focus = .list
      guard let timeline = search.timeline(of: text, in: state) else { return [] }
      state.searchHistory.add(text)
      return [.cancel(.list(.search)), .preferences(.keepSearch(text))]
        + state.show(timeline, isLimited: search.scope != nil)
    }
    state.forgetError()
    switch self {
    case .addFeed(_, let account): return state.add(text, account: account)
    case .link: return state.finishLinkNumber(text)
    case .feedAddress(let id, _): return state.finishFeedAddress(id, text)
    case .feedTitle(let id, _): return state.rename(id, to: text)
    case .feedFolders(let id, _, let account): return state.file(id, into: text, account: account)
    case .foldersOfSeveral(let ids, _): return state.file(ids, into: text)
    case .folderPath(let folder, _): return state.move(folder, to: text)
    case .newFolder: return isBlank ? [] : [.subscriptions(.addFolder(text))]
    case .tags(let id, _, let former): return state.tag(id, text, insteadOf: former)
    case .tagsOfSeveral(let ids, _): return isBlank ? [] : state.tagSeveral(ids, text)
    case .pipe(let id, _): return isBlank ? [] : state.pipe(id, into: text)
    case .save(let id, _): return isBlank ? [] : [.article(.save(id, path: text))]
    case .limit(_, let smart): return state.finishLimit(text, of: smart)
    case .newSmartName(let query, _):
      return isBlank ? [] : state.keep(query, asNew: text)
    case .smartName(let id, _):
      return isBlank ? [] : [.subscriptions(.renameSmartFeed(id, to: text))]
    case .find(_, let begun): return state.finishFind(text, from: begun)
    case .copyLink: return isBlank ? [] : state.finishCopy(ofLink: text)
    case .signInAddress: return isBlank ? cancel(in: &state) : state.signIn(at: text)
    case .signInName(let address, _):
      if isBlank { return cancel(in: &state) }
      state.ask(.signInPassword(address: address, name: text, LineEditor()))
      return []
    case .signInPassword(let address, let name, _):
      if text.isEmpty { return cancel(in: &state) }
      state.addresses.lastUser = SignInAttempt(address: address, name: name)
      // The status line says so until it ends.
      state.addresses.signingIn = SigningIn(address: address, isReached: true)
      return [.accounts(.signIn(address, name: name, TypedSecret(text)))]
    case .search, .count, .feedSetting, .question, .markAllRead: return []
    }
  }
}
