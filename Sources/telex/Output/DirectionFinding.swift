internal import TelexKit

/// The finding of the doctor about text that is read from right to left.
enum DirectionFinding {
  static func finding(isInstalled: Bool) -> Finding {
    .ok(
      "direction", "Direction",
      isInstalled ? "right-to-left text by FriBidi" : "right-to-left text as the terminal has it",
      isInstalled ? [] : ["install libfribidi0 (Homebrew: fribidi)"])
  }
}
