internal import News
internal import Screen
internal import Text

/// A question or a line of input at the bottom of the screen.
struct Prompt: Hashable, Sendable {
  private(set) var purpose: Purpose
  /// The line that is being typed; nil for a question.
  private(set) var line: LineEditor?

  enum Purpose: Hashable, Sendable {
    /// In an account whose server keeps the subscriptions; nil where the feed is to be fetched from here.
    case addFeed(in: Account?)
    /// Of a server, or `file:` and the path of a folder.
    case signInAddress
    case signInName(address: String)
    /// Shows dots for what is typed.
    case signInPassword(address: String, name: String)
    case search(SearchPrompt)
    /// A query that limits the list, or that of a smart feed.
    case limit(of: SmartFeedID?)
    /// The name for a query that is kept.
    case newSmartName(ArticleQuery)
    case smartName(SmartFeedID)
    /// Words in the open article, and what showed when they were begun.
    case find(from: BegunFind)
    /// Digits before Enter, or before a motion in the article.
    case link
    /// Digits before a motion in a list.
    case count
    case feedAddress(FeedID)
    case feedTitle(FeedID)
    /// Paths, with semicolons between them, in the account that the feed is to be in; nil where it is to be
    /// fetched from here.
    case feedFolders(FeedID, in: Account?)
    /// Paths for several feeds, which stay in their accounts.
    case foldersOfSeveral([FeedID])
    case folderPath(FolderID)
    case newFolder
    /// In the words of `FeedSetting`, for one feed or several.
    case feedSetting([FeedID], FeedSetting)
    /// The value of a setting of the program; an empty one is its default.
    case setting(SettingDeclaration)
    /// Letters that the shown settings have.
    case settingFilter
    /// Names with semicolons between them, and those that the article has.
    case tags(ArticleID, had: [String])
    /// Names with semicolons between them that several articles are to have; with a minus before, not to have.
    case tagsOfSeveral([ArticleID])
    /// A program and its arguments, which reads the text of an article.
    case pipe(ArticleID)
    case copyLink
    /// The path of a file for the text of an article.
    case save(ArticleID)
    /// Asks for yes or no; the effects are what yes does.
    case question(String, [Effect])
    /// With what was unread when the question was asked.
    case markAllRead(SeenUnread)
  }

  init(_ purpose: Purpose, _ line: LineEditor = LineEditor()) {
    self.purpose = purpose
    switch purpose {
    case .question, .markAllRead: self.line = nil
    default: self.line = line
    }
  }
}

extension ReaderState {
  var isAsking: Bool { stack.contains(ScreenLayer.prompt) }

  /// Asks something, in place of what was being asked.
  mutating func ask(_ purpose: Prompt.Purpose, _ line: LineEditor = LineEditor()) {
    stack.push(Prompt(purpose, line))
  }
}

extension Prompt: ReaderScreen {
  static let name = "prompt"
  static let layer = ScreenLayer.prompt

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
      if case .limit = purpose, let mistake = ArticleQuery.mistake(in: line.text) {
        line.moveCursor(to: mistake.place.upperBound)
        self.line = line
        return .done(state.notify(PromptStrings.queryMistake(mistake.message), .error))
      }
      if case .feedSetting(let ids, let setting) = purpose {
        return FeedEditing.finishSetting(ids, setting, line.text, in: &state)
      }
      if case .setting(let declaration) = purpose, !line.isEmpty,
        let mistake = declaration.mistake(in: line.text)
      {
        return .done(state.notify(PromptStrings.mistake(in: declaration.name, mistake), .error))
      }
      return .closed(finish(line.text, in: &state))
    case .tab:
      switch purpose {
      case .addFeed(let account):
        purpose = .addFeed(in: state.subscriptions.account(after: account))
      case .feedFolders(let id, let account):
        purpose = .feedFolders(id, in: state.subscriptions.account(after: account))
      case .search(var search):
        guard search.changeScope(in: state) else {
          return .done(state.notify(PromptStrings.searchesAll, .error))
        }
        purpose = .search(search)
        return .done(hasChanged(to: line.text, in: &state))
      case .save: self.line = LineEditor(ArticleExport.path(line.text, step: 1))
      case .limit:
        // The choices replace the message above the line.
        state.forgetError()
        line.complete(query: 1, state.subscriptions.queryNames)
        self.line = line
      default: break
      }
      return .done([])
    case .backTab:
      if purpose.isFile { self.line = LineEditor(ArticleExport.path(line.text, step: -1)) }
      guard case .limit = purpose else { return .done([]) }
      line.complete(query: -1, state.subscriptions.queryNames)
      self.line = line
      return .done([])
    case .up, .down, .control("p"), .control("n"):
      guard case .search(var search) = purpose else { return .done([]) }
      let step = key == .up || key == .control("p") ? -1 : 1
      guard let words = search.recall(step, line.text, in: state) else { return .done([]) }
      (self.line, purpose) = (LineEditor(words), .search(search))
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
  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    .done([])
  }

  /// Shows what is found, unless the user has typed on meanwhile.
  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    guard case .list(.searchSettled(let words)) = action, case .search(let search) = purpose,
      line?.text == words
    else { return .ignored }
    guard let timeline = search.timeline(of: words, in: state) else {
      return .done(state.leaveSearch())
    }
    return .done(state.show(timeline, isLimited: timeline.isMatching))
  }

  /// Whether digits are typed, which a motion takes as a count.
  private var isNumber: Bool { purpose == .link || purpose == .count }

  /// Ends a number with any other key: a motion is repeated, and another key works as usual.
  private func handle(
    _ press: KeyPress, number: String, in state: inout ReaderState
  ) -> ScreenResponse? {
    switch press.key {
    case .backspace, .delete, .enter, .escape, .control("c"), .control("g"): return nil
    case .character(let digit) where digit.isASCII && digit.isNumber: return nil
    default: break
    }
    if let effects = Counting.perform(press, times: number, in: &state) { return .closed(effects) }
    return press.key.map { .closed(state.reduce(.key($0), at: press.milliseconds)) }
  }

  // MARK: What becomes of it

  /// Words are searched for while they are typed.
  private func hasChanged(to text: String, in state: inout ReaderState) -> [Effect] {
    switch purpose {
    case .search: return [.list(.settleSearch(text))]
    case .find(let begun): Finding.find(whileTyping: text, from: begun, in: &state)
    case .settingFilter: return state.offer(.settings(.filtered(text))) ?? []
    default: break
    }
    return []
  }

  private func agree(in state: inout ReaderState) -> [Effect] {
    switch purpose {
    case .question(_, let effects): effects
    case .markAllRead(let unread): Marking.markRead(unread, in: &state)
    default: []
    }
  }

  private func cancel(in state: inout ReaderState) -> [Effect] {
    switch purpose {
    case .search:
      state.forgetError()
      return [.cancel(.list(.search))] + state.leaveSearch()
    case .find(let begun): Finding.cancelFind(from: begun, in: &state)
    case .settingFilter: return state.offer(.settings(.filtered(""))) ?? []
    // Nothing waits for a sign-in that does not come.
    case .signInName, .signInPassword: state.addresses.moveAfterSignIn = nil
    default: break
    }
    state.forgetError()
    return []
  }

  private func finish(_ text: String, in state: inout ReaderState) -> [Effect] {
    let isBlank = text.allSatisfy(\.isWhitespace)
    if case .search(let search) = purpose {
      state.forgetError()
      state.focus = .list
      guard let timeline = search.timeline(of: text, in: state) else { return [] }
      state.searchHistory.add(text)
      let mistake = timeline.isMatching ? nil : ArticleQuery.mistake(in: text)
      return [.cancel(.list(.search)), .preferences(.keepSearch(text))]
        + state.show(timeline, isLimited: timeline.isMatching)
        + (mistake.map { state.notify(PromptStrings.foundAsWords($0.message)) } ?? [])
    }
    state.forgetError()
    switch purpose {
    case .addFeed(let account): return AddressSearches.add(text, account: account, in: &state)
    case .link: return LinkOpening.finishLinkNumber(text, in: &state)
    case .feedAddress(let id): return state.finishFeedAddress(id, text)
    case .feedTitle(let id): return FeedEditing.rename(id, to: text, in: state)
    case .feedFolders(let id, let account):
      return FeedEditing.file(id, into: text, account: account, in: state)
    case .foldersOfSeveral(let ids): return FeedEditing.file(ids, into: text, in: &state)
    case .folderPath(let folder): return FeedEditing.move(folder, to: text)
    case .newFolder: return isBlank ? [] : [.subscriptions(.addFolder(text))]
    case .tags(let id, let former): return Marking.tag(id, text, insteadOf: former, in: &state)
    case .tagsOfSeveral(let ids): return isBlank ? [] : Marking.tagSeveral(ids, text, in: &state)
    case .pipe(let id): return isBlank ? [] : ArticleExport.pipe(id, into: text, in: &state)
    case .save(let id): return isBlank ? [] : [.article(.save(id, path: text))]
    case .limit(let smart): return Limiting.finishLimit(text, of: smart, in: &state)
    case .newSmartName(let query):
      return isBlank ? [] : Limiting.keep(query, asNew: text, in: &state)
    case .smartName(let id):
      return isBlank ? [] : [.subscriptions(.renameSmartFeed(id, to: text))]
    case .find(let begun): return Finding.finishFind(text, from: begun, in: &state)
    case .copyLink: return isBlank ? [] : LinkOpening.finishCopy(ofLink: text, in: &state)
    case .signInAddress:
      return isBlank ? cancel(in: &state) : AddressSearches.signIn(at: text, in: &state)
    case .signInName(let address):
      if isBlank { return cancel(in: &state) }
      state.ask(.signInPassword(address: address, name: text))
      return []
    case .signInPassword(let address, let name):
      if text.isEmpty { return cancel(in: &state) }
      state.addresses.lastUser = SignInAttempt(address: address, name: name)
      // The status line says so until it ends.
      state.addresses.signingIn = SigningIn(address: address, isReached: true)
      return [.accounts(.signIn(address, name: name, TypedSecret(text)))]
    case .setting(let declaration):
      return [.settings(.set(name: declaration.name, to: text.isEmpty ? nil : text))]
    case .search, .count, .feedSetting, .settingFilter, .question, .markAllRead: return []
    }
  }
}

extension Prompt.Purpose {
  fileprivate var isFile: Bool { if case .save = self { true } else { false } }
}
