internal import News
internal import TelexKit

extension Output {
  static func tell(_ notice: Notice) {
    switch notice {
    case .incompleteIndex(let progress):
      complain("telex: store: \(progress.text); a refresh or the reader makes the rest")
    case .storeRepair(let message):
      complain("telex: store: \(message)")
    case .storeWait(let holder):
      complain("telex: store: waiting for \(holder), which is opening the store")
    case .signInWait(let holder):
      endProgress()
      complain("telex: config: waiting for \(holder)")
    case .incompleteErasure(let error):
      complain(
        "telex: store: what was removed is still in the files, until the next refresh: \(error.line)"
      )
    case .damagedStoreKept(let path):
      complain(
        "telex: store: \(path): This damaged database may still hold what was removed; delete it once "
          + "nothing is missed")
    case .failure(let error):
      complain(error)
    case .secretFile(let place):
      complain("telex: there is no keyring; secrets are kept in \(place)")
    }
  }
}
