internal import News

enum ConflictStrings {
  static let changedOnServer = "Changed here and on the server"
  static let deletedOnServer = "Changed here, deleted on the server"
  static let removedArticle = "Removed article"
  static let theirsDeleted = "deleted on the server"
  static let sentAsNew = "send as a new comment"
  static let decidedElsewhere =
    "Your choice was not applied: the comment has changed again, or the conflict is already resolved."
  static let mineKept = "Your text will be sent."
  static let theirsKept = "The server’s text is kept."
  static let bothKept = "Both texts are kept. Yours will be sent as a separate comment."
  static func postponed(outbox: String, open: String) -> String {
    "The conflict waits in the outbox. Press \(outbox), then \(open) to decide."
  }
}

extension ConflictState {
  func words(of row: Row) -> (name: String, what: String) {
    let isDeleted = change.conflict == .deleted
    return switch row {
    case .answer(.mine):
      ("Keep mine", isDeleted ? ConflictStrings.sentAsNew : "replace the server’s text")
    case .answer(.theirs): ("Keep theirs", "discard my text")
    case .answer(.both):
      ("Keep both", isDeleted ? ConflictStrings.sentAsNew : "send mine as a separate comment")
    case .later: ("Decide later", "leave in the outbox")
    }
  }
}
