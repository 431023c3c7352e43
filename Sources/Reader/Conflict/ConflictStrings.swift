enum ConflictStrings {
  static let changedOnServer = "Changed here and on the server"
  static let deletedOnServer = "Changed here, deleted on the server"
  static let removedArticle = "Article that was removed"
  static let theirsDeleted = "deleted on the server"
  static let keepMine = "Keep mine"
  static let replacesTheirs = "replace the server’s text"
  static let sentAsNew = "send as a new comment"
  static let keepTheirs = "Keep theirs"
  static let dropsMine = "discard my text"
  static let keepBoth = "Keep both"
  static let sendsMineToo = "send mine as a separate comment"
  static let decideLater = "Decide later"
  static let staysInOutbox = "leave in the outbox"
  static let decidedElsewhere =
    "Your choice was not applied: the comment has changed again, or the conflict is resolved."
  static let mineKept = "Your text will be sent."
  static let theirsKept = "The server’s text is kept."
  static let bothKept = "Both texts are kept. Yours will be sent as a separate comment."
  static func postponed(outbox: String, open: String) -> String {
    "The conflict waits in the outbox. Press \(outbox), then \(open) to decide."
  }
}
