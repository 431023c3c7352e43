internal import ArgumentParser
internal import Foundation
internal import TelexKit

/// Option of `add` and `set` for the proxy of a feed.
struct ProxyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fetch through this proxy; direct: without one.",
      discussion: """
        For example socks5h://localhost:9050 or http://ada@proxy.example:3128; Telex asks for the \
        password. default: the proxy of the settings.
        """, valueName: "PROXY"))
  var proxy: String?
  @Flag(help: "Read the password of the proxy from standard input.")
  var proxyPasswordStdin = false

  func validate() throws {
    try refuse(proxyPasswordStdin && proxy == nil, "--proxy-password-stdin goes with --proxy.")
  }

  /// Asks the user for a missing password. Nil without the option.
  func change() throws -> ProxyChange? {
    guard let proxy else { return nil }
    var change = try ProxyChange(proxy, subject: "--proxy")
    guard let origin = change.originWithUser else { return change }
    if proxyPasswordStdin {
      change.password = readLine(strippingNewline: true) ?? ""
    } else if change.password == nil, isatty(STDIN_FILENO) == 1 {
      change.password = try TerminalPrompt.secret("Password for the proxy \(origin): ")
    }
    return change
  }
}
