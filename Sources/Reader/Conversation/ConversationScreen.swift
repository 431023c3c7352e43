internal import Foundation
internal import News
internal import Screen

extension ReaderState {
  /// Opens the comments that were asked for, or the page that has them where they cannot be read here.
  mutating func open(_ conversation: Conversation) -> [Effect] {
    guard conversationWanted == conversation.article else { return [] }
    conversationWanted = nil
    guard conversation.source != .none else {
      return [.cancel(.conversation(.thread)), .opening(.openComments(conversation.article))]
    }
    var screen = ConversationState(conversation)
    let effects = screen.visit() + screen.fetchIfOld(at: clock.now)
    screen.settle(size)
    stack.push(screen)
    return effects
  }
}

extension ConversationState: ReaderScreen {
  static let name = "conversation"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [
      .open, .next, .previous, .nextArticle, .previousArticle, .parent, .fold, .foldAll, .add,
      .addComment, .change, .remove, .refresh, .openInBrowser, .linkHints, .nextFocus,
      .previousFocus, .number, .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .open: "Fold or unfold the branch, or open the selected link",
    .next: "Next new comment", .previous: "Previous new comment",
    .nextArticle: "Next branch", .previousArticle: "Previous branch",
    .parent: "Go to the parent comment", .fold: "Fold or unfold the branch",
    .foldAll: "Fold or unfold all branches", .add: "Answer this comment, in $EDITOR",
    .change: "Change your comment", .remove: "Remove a comment that is waiting to be sent",
    .refresh: "Fetch the comments again", .openInBrowser: "Open the comment’s page",
    .number: "Open a link by its number", .nextFocus: "Next link", .previousFocus: "Previous link",
  ]

  // MARK: Keys

  mutating func stop(in state: inout ReaderState) -> [Effect]? {
    guard isLoading else { return nil }
    stopFetch()
    return [.cancel(.conversation(.fetch))]
      + state.notify(ConversationStrings.fetchStopped(state.key(.refresh)))
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    let size = state.size
    if let motion = command.motion {
      perform(motion, count: press.count, size)
      return .done([])
    }
    switch command {
    case .back where link != nil, .leave where link != nil: link = nil
    case .back, .leave:
      state.notice = nil
      return .closed([.cancel(.conversation(.thread)), .cancel(.conversation(.fetch))])
    case .next:
      return .done(goToNew(1, size) ? [] : state.notify(ConversationStrings.noNewBelow))
    case .previous:
      return .done(goToNew(-1, size) ? [] : state.notify(ConversationStrings.noNewAbove))
    case .nextArticle:
      return .done(goToBranch(1, size) ? [] : state.notify(ConversationStrings.noBranchBelow))
    case .previousArticle:
      return .done(goToBranch(-1, size) ? [] : state.notify(ConversationStrings.noBranchAbove))
    case .parent:
      return .done(
        goToParent(size)
          ? []
          : state.notify(
            shown.isEmpty
              ? ConversationStrings.noCommentsHere : ConversationStrings.answersArticle))
    case .fold: toggleFold(size)
    case .open:
      if let number = link, let url = link(numbered: number, on: size) {
        return .done([.opening(.openLink(url))])
      }
      toggleFold(size)
    case .nextFocus, .previousFocus:
      let isFound = pickLink(command == .nextFocus ? 1 : -1, size)
      return .done(isFound ? [] : state.notify(ConversationStrings.noLinks))
    case .number:
      guard case .character(let digit)? = press.key else { return .ignored }
      state.ask(.link, LineEditor(String(digit)))
    case .linkHints:
      var seen: Set<String> = []
      let places = visibleLinks(size).filter { seen.insert("\($0.number) \($0.url)").inserted }
      return .done(
        places.isEmpty
          ? state.notify(CoreStrings.noVisibleLink)
          : state.label(places, isOfArticle: false))
    case .foldAll: toggleAllFolds(size)
    case .add: return .done(answer(current, in: &state))
    case .addComment: return .done(answer(nil, in: &state))
    case .change: return .done(change(in: &state))
    case .remove: return .done(drop(in: &state))
    case .refresh: return .done(fetch())
    case .openInBrowser:
      guard let url = current?.comment.url ?? conversation.page else {
        return .done(state.notify(ConversationStrings.noPage))
      }
      return .done([.opening(.openLink(url))])
    default: return .ignored
    }
    return .done([])
  }

  private mutating func fetch() -> [Effect] {
    beginFetch()
    return [.conversation(.fetch(article))]
  }

  /// Fetches the comments, unless that was done within half a minute.
  fileprivate mutating func fetchIfOld(at now: Int64) -> [Effect] {
    let fetched = conversation.record.fetched.map { Int64($0.timeIntervalSince1970) }
    if let fetched, (0..<30).contains(now - fetched) { return [] }
    return fetch()
  }

  fileprivate func visit() -> [Effect] {
    guard conversation.record.fetched != nil else { return [] }
    return [.conversation(.noteVisit(article, upTo: conversation.record.arrival))]
  }

  // MARK: Writing

  private func answer(_ row: CommentThread.Row?, in state: inout ReaderState) -> [Effect] {
    guard conversation.source == .server else {
      return state.notify(ConversationStrings.readOnly(state.key(.openInBrowser)))
    }
    guard let comment = row?.comment else {
      return [
        .conversation(.write(CommentDraft(article: article, subject: conversation.title)))
      ]
    }
    guard conversation.waiting[comment.id] == nil else { return change(in: &state) }
    let quoted = CommentText(comment, width: 72).lines.map(\.text).joined(separator: "\n")
    return [
      .conversation(
        .write(
          CommentDraft(
            article: article, parent: comment.id, subject: comment.author ?? "somebody",
            quoted: quoted)))
    ]
  }

  /// The comment of the user's that is selected and waits; nil with a message for any other.
  private func waitingText(in state: inout ReaderState) -> (WaitingText?, [Effect]) {
    guard let waiting = current.flatMap({ conversation.waiting[$0.comment.id] }) else {
      return (nil, state.notify(ConversationStrings.notWaiting))
    }
    return (waiting, [])
  }

  private func change(in state: inout ReaderState) -> [Effect] {
    guard let comment = current?.comment else {
      return state.notify(ConversationStrings.noCommentsHere)
    }
    let waiting = conversation.waiting[comment.id]
    guard waiting != nil || conversation.canChange(comment) else {
      return state.notify(ConversationStrings.notYours)
    }
    return [
      .conversation(
        .write(
          CommentDraft(
            article: article, parent: comment.parent, waiting: waiting,
            changed: waiting == nil ? comment : nil, subject: conversation.title)))
    ]
  }

  private func drop(in state: inout ReaderState) -> [Effect] {
    let (found, told) = waitingText(in: &state)
    guard let waiting = found else { return told }
    state.ask(.question(ConversationStrings.removeQuestion, [.outbox(.drop([waiting.id]))]))
    return []
  }

  // MARK: Mouse, the store and time

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let room = Self.room(state.size)
    switch mouse.kind {
    case .wheelDown: scroll(by: 3, state.size)
    case .wheelUp: scroll(by: -3, state.size)
    case .click, .doubleClick:
      guard room.contains(x: mouse.x, y: mouse.y) else { return .done([]) }
      let hit = visibleLinks(state.size).first {
        $0.y == mouse.y && ($0.x..<$0.x + $0.width).contains(mouse.x)
      }
      select(atLine: mouse.y - room.y, state.size)
      if let hit, mouse.kind == .click {
        link = hit.number
        return .done([.opening(.openLink(hit.url))])
      }
      if mouse.kind == .doubleClick { toggleFold(state.size) }
    }
    return .done([])
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    switch action {
    case .conversation(.arrived(let conversation)):
      guard conversation.article == article else { return .ignored }
      receive(conversation, state.size)
      return .done(visit())
    case .conversation(.fetched(let id, let error)):
      guard id == article else { return .ignored }
      endFetch(error)
      return .done([])
    default: return .ignored
    }
  }

  mutating func settle(in state: ReaderState) { settle(state.size) }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    ConversationDrawing(screen: self, state: state).draw(&frame)
  }

  // MARK: The line at the bottom

  func trouble(in state: ReaderState) -> StatusTrouble? {
    guard let error = conversation.record.error, !isLoading, !shown.isEmpty else { return nil }
    return StatusTrouble(line: error.line)
  }
}
