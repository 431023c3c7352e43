internal import News
internal import Screen

/// The screen of the articles packed for a trip. Packing goes on when the screen is left.
struct TripState: Hashable {
  /// The time of reading that is packed.
  var hours = 3
  var takesFiles = false

  static let choices = [1, 3, 6, 12, 24, 72]

  var bounds: PackingBounds {
    var bounds = PackingBounds(seconds: hours * 3_600, bytes: PackingBounds.usualBytes)
    bounds.takesFullTexts = true
    bounds.takesFiles = takesFiles
    return bounds
  }
}

extension TripState: ReaderScreen {
  static let name = "trip"
  static let layer = ScreenLayer.page
  static let commands: [Command] = [.open, .more, .less, .download, .back, .leave]
  static let help: [Command: String] = [
    .open: "Pack the next articles", .more: "Pack for a longer time",
    .less: "Pack for a shorter time", .download: "With episodes and videos, or without",
    .back: "Stop packing, or go back",
  ]
  static let opening: Command? = .trip

  static func open(in state: inout ReaderState) -> [Effect] {
    let trip = state.stack[Self.self] ?? TripState()
    state.stack.push(trip)
    return Packing.begin(trip.bounds, in: &state)
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    switch command {
    case .back where state.packing.isRunning: return .done(Packing.stop(in: &state))
    case .trip, .back, .leave:
      state.notice = nil
      return .closed([])
    case .open:
      if state.packing.isRunning { return .done(state.notify(TripStrings.alreadyPacking)) }
      return .done(
        Packing.isPossible(in: state)
          ? Packing.begin(bounds, in: &state) : state.notify(advice(in: state)))
    case .download:
      takesFiles.toggle()
      return .done([])
    case .more, .less:
      let longer = Self.choices.first { $0 > hours }
      let shorter = Self.choices.last { $0 < hours }
      guard let next = command == .more ? longer : shorter else {
        return .done(state.notify(CoreStrings.lastTime(isLongest: command == .more)))
      }
      hours = next
      return .done([])
    default: return .ignored
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    let own =
      state.packing.isRunning
      ? [KeyHint(.back, "stop")]
      : [KeyHint(.open, "pack"), KeyHint(.more, .less, "time")]
    let files = takesFiles ? TripStrings.withoutFiles : TripStrings.withFiles
    return [KeyHint.keys] + own + [KeyHint.back]
      + (state.packing.isRunning ? [] : [KeyHint(.download, files)])
  }
}
