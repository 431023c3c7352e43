internal import Foundation
internal import News
internal import Screen

extension Command {
  static let nextNewComment = Command("next-new-comment")
  static let previousNewComment = Command("previous-new-comment")
  static let nextBranch = Command("next-branch")
  static let previousBranch = Command("previous-branch")
  static let parentComment = Command("parent-comment")
  static let foldBranch = Command("fold-branch")
  static let foldAllBranches = Command("fold-all-branches")
  static let answer = Command("answer")
  static let newComment = Command("new-comment")
  static let changeComment = Command("change-comment")
  static let dropComment = Command("drop-comment")
  static let fetchComments = Command("fetch-comments")
  static let nextCommentLink = Command("next-comment-link")
  static let previousCommentLink = Command("previous-comment-link")
  static let commentLink = Command("comment-link")
  static let labelCommentLinks = Command("label-comment-links")
}

extension KeyTopic {
  static let conversation = KeyTopic("Comments")
}

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
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      .back, .leave,
      KeyBinding(.nextNewComment, [.character("n")], "the next comment that is new", .conversation),
      KeyBinding(.previousNewComment, [.character("N")], "the new comment before", .conversation),
      KeyBinding(
        .nextBranch, [.character("J"), .character("]")], "past the answers to this comment",
        .conversation),
      KeyBinding(
        .previousBranch, [.character("K"), .character("[")], "back over a branch", .conversation),
      KeyBinding(.parentComment, [.character("p")], "to what this comment answers", .conversation),
      KeyBinding(
        .foldBranch, [.enter, .character("z")], "fold the branch, or open it", .conversation),
      KeyBinding(
        .foldAllBranches, [.character("Z")], "fold all branches or open them", .conversation),
      KeyBinding(.answer, [.character("a")], "answer this comment, in $EDITOR", .conversation),
      KeyBinding(.newComment, [.character("A")], "write a comment on the article", .conversation),
      KeyBinding(.changeComment, [.character("e")], "change a comment of your own", .conversation),
      KeyBinding(
        .dropComment, [.character("d")], "drop a comment that waits to be sent", .conversation),
      KeyBinding(
        .fetchComments, [.character("r"), .function(5)], "fetch the comments again",
        .conversation),
      KeyBinding(.openInBrowser, [.character("o")], "open the page of the comment", .conversation),
      KeyBinding(.nextCommentLink, [.tab], "pick its next link; Enter opens it", .conversation),
      KeyBinding(.previousCommentLink, [.backTab], "pick its link before", .conversation),
      KeyBinding(
        .commentLink, (1...9).map { .character(Character("\($0)")) },
        "its link by the number, and Enter", .conversation, range: "1 … 9"),
      KeyBinding(
        .labelCommentLinks, [.character("f")], "open a link by letters on it", .conversation),
    ]

  // MARK: Keys

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
    case .nextNewComment:
      return .done(goToNew(1, size) ? [] : state.notify("no new comment below"))
    case .previousNewComment:
      return .done(goToNew(-1, size) ? [] : state.notify("no new comment above"))
    case .nextBranch: return .done(goToBranch(1, size) ? [] : state.notify("no branch below"))
    case .previousBranch: return .done(goToBranch(-1, size) ? [] : state.notify("no branch above"))
    case .parentComment:
      return .done(
        goToParent(size)
          ? [] : state.notify(shown.isEmpty ? "there are no comments" : "it answers the article"))
    case .foldBranch:
      if let number = link, let url = link(numbered: number, on: size) {
        return .done([.opening(.openLink(url))])
      }
      toggleFold(size)
    case .nextCommentLink, .previousCommentLink:
      let isFound = pickLink(command == .nextCommentLink ? 1 : -1, size)
      return .done(isFound ? [] : state.notify("this comment has no links"))
    case .commentLink:
      guard case .character(let digit)? = press.key else { return .ignored }
      state.ask(.link, LineEditor(String(digit)))
    case .labelCommentLinks:
      var seen: Set<String> = []
      let places = visibleLinks(size).filter { seen.insert("\($0.number) \($0.url)").inserted }
      return .done(
        places.isEmpty
          ? state.notify("no link shows here") : state.label(places, isOfArticle: false))
    case .foldAllBranches: toggleAllFolds(size)
    case .answer: return .done(answer(current, in: &state))
    case .newComment: return .done(answer(nil, in: &state))
    case .changeComment: return .done(change(in: &state))
    case .dropComment: return .done(drop(in: &state))
    case .fetchComments: return .done(fetch())
    case .openInBrowser:
      guard let url = current?.comment.url ?? conversation.page else {
        return .done(state.notify("these comments have no page"))
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
      return state.notify(
        "a feed of comments takes none; \(state.key(.openInBrowser, on: Self.self)) opens its page")
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
      return (nil, state.notify("this comment does not wait to be sent"))
    }
    return (waiting, [])
  }

  private func change(in state: inout ReaderState) -> [Effect] {
    guard let comment = current?.comment else { return state.notify("there are no comments") }
    let waiting = conversation.waiting[comment.id]
    guard waiting != nil || conversation.canChange(comment) else {
      return state.notify("only comments that were sent from here can be changed")
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
    state.ask(.question("Drop this comment unsent", [.outbox(.drop(waiting.id))]))
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

  func hints(in state: ReaderState) -> [KeyHint] {
    let isServer = conversation.source == .server
    guard !shown.isEmpty else {
      return [KeyHint("?", "keys")]
        + (isServer ? [KeyHint("A", "write")] : [KeyHint("o", "browser")])
        + [KeyHint("r", "fetch"), KeyHint("q", "back")]
    }
    let isWaiting = current.map { conversation.waiting[$0.comment.id] != nil } ?? false
    let canChange = current.map { conversation.canChange($0.comment) } ?? false
    return [KeyHint("?", "keys")]
      + (newCount > 0 ? [KeyHint("n", "next new")] : [])
      + (isWaiting
        ? [KeyHint("e", "change"), KeyHint("d", "drop")]
        : isServer
          ? [KeyHint("a", "answer")] + (canChange ? [KeyHint("e", "change")] : [])
          : [KeyHint("o", "browser")])
      + [
        KeyHint("Enter", link == nil ? "fold" : "open"), KeyHint("J", "next branch"),
        KeyHint("Z", "fold all"),
        KeyHint("q", "back"),
      ]
  }

  func trouble(in state: ReaderState) -> StatusTrouble? {
    guard let error = conversation.record.error, !isLoading, !shown.isEmpty else { return nil }
    return StatusTrouble(line: error.line)
  }
}
