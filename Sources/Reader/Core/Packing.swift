internal import News
internal import Screen

/// What has become of the packing for a trip that was asked for here.
enum PackingPhase: Hashable, Sendable {
  case none
  case running(PackingReport)
  /// The user has stopped it.
  case stopped(PackingReport)
  case ended(PackingReport)
  case failed(SourceError)

  var isRunning: Bool { if case .running = self { true } else { false } }
}

extension ReaderState {
  /// Begins to pack, unless that is under way, nothing can be fetched, or each byte costs.
  mutating func begin(_ bounds: PackingBounds) -> [Effect] {
    guard !packing.isRunning, !savesData, subscriptions.offlineSince == nil else { return [] }
    var report = PackingReport()
    report.wantedSeconds = bounds.seconds
    packing = .running(report)
    return [.trip(.pack(bounds))]
  }

  mutating func stop() -> [Effect] {
    guard case .running(let report) = packing else { return notify("nothing is being packed") }
    packing = .stopped(report)
    return [.cancel(.trip)] + notify("stopped; what is packed stays")
  }

  mutating func progress(_ report: PackingReport) -> [Effect] {
    // One that was stopped has ended for the user.
    if packing.isRunning { packing = .running(report) }
    return []
  }

  /// - Parameter isShown: whether the page about it is open, which tells more.
  mutating func end(_ report: PackingReport, isShown: Bool) -> [Effect] {
    guard packing.isRunning else { return [] }
    packing = .ended(report)
    return isShown || report.wasMetered ? [] : notify(report.sentence)
  }

  mutating func fail(_ error: SourceError) -> [Effect] {
    guard packing.isRunning else { return [] }
    packing = .failed(error)
    return notify(error)
  }
}
