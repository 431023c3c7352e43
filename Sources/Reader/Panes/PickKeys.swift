internal import News
internal import Screen

extension Command {
  static let pick = Command("pick")
  static let pickRange = Command("pick-range")
}

extension KeyBinding {
  static let pick = KeyBinding(
    .pick, [.character("v")], "pick this one for what is done next, or let it go", .read)
  static let pickRange = KeyBinding(
    .pickRange, [.character("V")], "pick all from the last picked one to this one", .read)
}

/// Messages of all selections.
extension ReaderState {
  mutating func notifyNothingSelected() -> [Effect] { notify("nothing is picked any more") }

  mutating func notifyTooFarToSelect() -> [Effect] {
    notify("the one that was picked last is too far away; pick one nearer")
  }
}
