internal import News
internal import Screen

extension Command {
  static let trip = Command("trip")
  static let pack = Command("pack")
  static let stopPacking = Command("stop-packing")
  static let longerTrip = Command("longer-trip")
  static let shorterTrip = Command("shorter-trip")
  static let packFiles = Command("pack-files")
}

extension KeyTopic {
  static let trip = KeyTopic("Trip")
}

/// The screen of what is packed for a trip, and of the packing. That goes on when the screen is left.
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
  static let bindings: [KeyBinding] = [
    .back, .leave,
    KeyBinding(.pack, [.enter, .character("p")], "pack what is read next", .trip),
    KeyBinding(.stopPacking, [.character("x")], "stop; what is packed stays", .trip),
    KeyBinding(.longerTrip, [.character("+")], "pack for a longer time", .trip),
    KeyBinding(.shorterTrip, [.character("-")], "pack for a shorter time", .trip),
    KeyBinding(.packFiles, [.character("f")], "with sounds and films, or not", .trip),
  ]
  static let opening: KeyBinding? = KeyBinding(
    .trip, [.control("t")], "pack what is read next for a trip", .feeds)

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
    case .trip, .back, .leave:
      state.notice = nil
      return .closed([])
    case .pack:
      if state.packing.isRunning { return .done(state.notify("it is being packed")) }
      return .done(Packing.begin(bounds, in: &state))
    case .stopPacking: return .done(Packing.stop(in: &state))
    case .packFiles:
      takesFiles.toggle()
      return .done([])
    case .longerTrip, .shorterTrip:
      let longer = Self.choices.first { $0 > hours }
      let shorter = Self.choices.last { $0 < hours }
      guard let next = command == .longerTrip ? longer : shorter else {
        return .done(state.notify("no \(command == .longerTrip ? "longer" : "shorter") time"))
      }
      hours = next
      return .done([])
    default: return .ignored
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    let own =
      state.packing.isRunning
      ? [KeyHint("x", "stop")]
      : [KeyHint("Enter", "pack"), KeyHint("+ -", "time")]
    return [KeyHint("?", "keys")] + own + [KeyHint("q", "back")]
      + (state.packing.isRunning ? [] : [KeyHint("f", takesFiles ? "no files" : "files too")])
  }
}
