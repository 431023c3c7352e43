package import News

extension Action {
  package enum Transfers: Hashable, Sendable {
    case arrived(TransferSnapshot)
    /// A download is in the list, or goes on.
    case asked(Transfer)
    /// Downloads have ended, and the user was not notified yet.
    case ended([Transfer])
  }
}

extension Effect {
  package enum Transfers: Hashable, Sendable {
    /// Download a file of an article, by its place from 0; with nil the only one, or report those there are.
    case download(ArticleID, file: Int?)
    case change([Transfer.ID], Transfer.Change)
    /// Take the downloads that are done off the list.
    case clear
  }
}

extension Action.Transfers {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived(let snapshot):
      state.transfers = snapshot
      state.settleScreens()
      return []
    case .asked(let transfer):
      return state.notify(TransfersStrings.downloading(transfer.name, show: state.key(.transfers)))
    case .ended(let ended): return state.notifyEnded(ended)
    }
  }
}
