internal import CursesTerminal
internal import Foundation
internal import TelexKit

extension Finding {
  static var terminal: Finding {
    let environment = ProcessInfo.processInfo.environment
    let type = environment["TERM"] ?? ""
    guard (0...2).contains(where: { isatty($0) == 1 }) else {
      return .skipped("terminal", "Terminal", "this does not run in one")
    }
    if type.isEmpty || type == "dumb" {
      return .attention(
        "terminal", "Terminal",
        type.isEmpty ? "TERM is not set" : "TERM is dumb: the reader cannot draw there",
        next: "run Telex in another terminal, or set TERM")
    }
    let colors =
      environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      ? "no colours, by NO_COLOR"
      : ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
        ? "all colours" : type.contains("256") ? "256 colours" : "some colours"
    guard isUTF8(environment) else {
      return .attention(
        "terminal", "Terminal", "\(type), \(colors), but its language is not one of UTF-8",
        next: "set LANG to one that ends in .UTF-8, as in C.UTF-8")
    }
    return .ok("terminal", "Terminal", "\(type), \(colors), UTF-8")
  }

  /// POSIX: the first of these that is set and not empty counts.
  private static func isUTF8(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let value = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return value.lowercased().replacing("-", with: "").contains("utf8")
  }

  static var textDirection: Finding {
    let isInstalled = CursesTerminal.canOrderText
    return .ok(
      "direction", "Direction",
      isInstalled ? "right-to-left text by FriBidi" : "right-to-left text as the terminal has it",
      isInstalled ? [] : ["install libfribidi0 (Homebrew: fribidi)"])
  }
}
