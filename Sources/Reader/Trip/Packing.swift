internal import News
internal import Screen

/// The state of the packing that was started here.
enum PackingPhase: Hashable, Sendable {
  case none
  case running(PackingReport)
  case stopped(PackingReport)
  case ended(PackingReport)
  case failed(SourceError)

  var isRunning: Bool { if case .running = self { true } else { false } }
}

enum Packing {
  static func isPossible(in state: ReaderState) -> Bool {
    !state.savesData && state.subscriptions.offlineSince == nil
      && !state.subscriptions.isOfflineByChoice
  }

  /// Starts packing, unless that runs already, the reader is offline, or it saves data.
  static func begin(_ bounds: PackingBounds, in state: inout ReaderState) -> [Effect] {
    guard !state.packing.isRunning, isPossible(in: state) else { return [] }
    var report = PackingReport()
    report.wantedSeconds = bounds.seconds
    state.packing = .running(report)
    return [.trip(.pack(bounds))]
  }

  static func stop(in state: inout ReaderState) -> [Effect] {
    guard case .running(let report) = state.packing else {
      return state.notify(CoreStrings.notPacking)
    }
    state.packing = .stopped(report)
    return [.cancel(.trip)] + state.notify(CoreStrings.packingStopped)
  }

  static func progress(_ report: PackingReport, in state: inout ReaderState) -> [Effect] {
    // One that was stopped has ended for the user.
    if state.packing.isRunning { state.packing = .running(report) }
    return []
  }

  /// - Parameter isShown: whether its page is open, which says more.
  static func end(_ report: PackingReport, isShown: Bool, in state: inout ReaderState) -> [Effect] {
    guard state.packing.isRunning else { return [] }
    state.packing = .ended(report)
    return isShown || report.wasMetered ? [] : state.notify(report.sentence)
  }

  static func fail(_ error: SourceError, in state: inout ReaderState) -> [Effect] {
    guard state.packing.isRunning else { return [] }
    state.packing = .failed(error)
    return state.notify(error)
  }
}
