internal import News
internal import Screen

enum ConversationStrings {
  static func asOf(_ age: String) -> String { "as of \(age)" }
  static func fetchStopped(_ refresh: String) -> String {
    "Stopped fetching comments. Comments that came are kept; \(refresh) fetches again."
  }
  static let waiting = "waiting to be sent"
  static let answersArticle = "This comment answers the article, not another comment."
  static let emptyComment = "The comment is empty and was not sent."
  static let noBranchAbove = "No branch above."
  static let noBranchBelow = "No branch below."
  static let noCommentsHere = "No comments."
  static let noLinks = "This comment has no links."
  static let noNewAbove = "No new comment above."
  static let noNewBelow = "No new comment below."
  static let noPage = "These comments have no page."
  static let notWaiting = "Only comments that are waiting to be sent can be removed."
  static let notYours = "Only comments that you sent from Telex can be changed."
  static let removeQuestion = "Remove this comment without sending it"
  static let sent = "The comment was sent."
  static let waits = "The comment is in the outbox, waiting to be sent."
  static func readOnly(_ browser: String) -> String {
    "These comments come from a feed, so you cannot write one here. Press \(browser) to open their page."
  }
}

extension ConversationState {
  func hints(in state: ReaderState) -> [KeyHint] {
    let isServer = conversation.source == .server
    guard !shown.isEmpty else {
      return [
        KeyHint.keys, isServer ? KeyHint(.add, "write") : KeyHint(.openInBrowser, "browser"),
        KeyHint(.refresh, "fetch"), KeyHint.back,
      ]
    }
    let isWaiting = current.map { conversation.waiting[$0.comment.id] != nil } ?? false
    let canChange = current.map { conversation.canChange($0.comment) } ?? false
    let change = KeyHint(.change, "change")
    return [KeyHint.keys]
      + (newCount > 0 ? [KeyHint(.next, "next new")] : [])
      + (isWaiting
        ? [change, KeyHint(.remove, "remove")]
        : isServer
          ? [KeyHint(.add, "answer")] + (canChange ? [change] : [])
          : [KeyHint(.openInBrowser, "browser")])
      + [
        KeyHint(.open, link == nil ? "fold" : "open"), KeyHint(.nextArticle, "next branch"),
        KeyHint(.foldAll, "fold all"), KeyHint.back,
      ]
  }
}

extension ConversationDrawing {
  var empty: [(String, Style)] {
    let key = state.key
    // Fetched comments that the store has not sent yet.
    let isComing = record.fetched == nil && record.error == nil
    let retry = "Press \(key(.refresh)) to try again, \(key(.leave)) to go back."
    if screen.isLoading {
      return [(CoreStrings.loading, theme.dim), (CoreStrings.stops, theme.dim)]
    }
    if isComing {
      return screen.isStopped
        ? [("The comments were not fetched.", theme.text), (retry, theme.dim)]
        : [(CoreStrings.loading, theme.dim), (ReadingStrings.back(key(.leave)), theme.dim)]
    }
    if let error = record.error {
      let isNone = screen.conversation.announced == 0
      let head =
        isNone
        ? "There were no comments when the article arrived." : "The comments could not be fetched."
      return [
        (head, theme.text),
        (error.line, isNone ? theme.warning : theme.style(of: error, quiet: theme.warning)),
        ("Press \(key(.refresh)) to try again, \(key(.leave)) to go back.", theme.dim),
      ]
    }
    let advice =
      screen.conversation.source == .server
      ? "Press \(key(.add)) to write the first comment."
      : "Press \(key(.openInBrowser)) to open their page."
    return [("No comments yet.", theme.text), (advice, theme.dim)]
  }
}
