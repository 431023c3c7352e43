/// How this machine's clock compares with the clocks of servers.
enum ClockFinding {
  /// More than that and signatures, certificates and the order of the articles go wrong.
  private static let largestSkew: Duration = .seconds(300)

  /// How this machine's clock compares with a server's.
  static func finding(_ found: (host: String, skew: Duration)?) -> Finding {
    guard let found else { return .skipped("clock", "Clock", "no server told the time") }
    let seconds = Int64(found.skew / .seconds(1))
    guard abs(seconds) > Int64(largestSkew / .seconds(1)) else {
      return .ok(
        "clock", "Clock",
        abs(seconds) < 2
          ? "agrees with \(found.host)"
          : "within \(Measures.long(seconds: seconds)) of \(found.host)")
    }
    #if os(Linux)
      let command = "set this machine's clock: timedatectl set-ntp true"
    #else
      let command = "let this machine set its clock by itself, in its settings"
    #endif
    return .attention(
      "clock", "Clock",
      "this machine is \(Measures.long(seconds: seconds)) \(seconds > 0 ? "ahead of" : "behind") "
        + found.host, next: command)
  }
}
