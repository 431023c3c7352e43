internal import Foundation
internal import News
internal import Reader

/// Program that opens web pages, started without a shell.
struct Browser: Sendable {
  /// The program and its arguments. `%u` stands for the address, which is the last argument without it.
  var command: [String]
  /// Whether it uses this terminal, so that the reader has to suspend its screen.
  var usesTerminal: Bool
  /// Whether the settings say so; else the name of the program does.
  private let isTold: Bool
  /// What opens pages beside the reader; nil where the other one does.
  var background: [String]?

  /// From the configuration, else `$BROWSER`, else the system's opener.
  ///
  /// - Parameter usesTerminal: nil where the name of the program tells.
  init(command: String?, usesTerminal: Bool?, environment: [String: String]) {
    let named = command ?? environment["BROWSER"].map { String($0.prefix { $0 != ":" }) }
    #if os(macOS)
      let opener = "open"
    #else
      let opener = "xdg-open"
    #endif
    // Split before the address is filled in, so that an address stays one argument.
    let words = (named ?? "").split(separator: " ").map(String.init)
    self.command = words.isEmpty ? [opener] : words
    isTold = usesTerminal != nil
    self.usesTerminal = usesTerminal ?? TerminalPrograms.contains(self.command[0])
  }

  /// Another command, which uses the terminal where the settings say that the browser does, or its name does.
  func running(_ command: String) -> Browser {
    var other = self
    other.command = command.split(separator: " ").map(String.init)
    guard let program = other.command.first else { return self }
    if !isTold { other.usesTerminal = TerminalPrograms.contains(program) }
    return other
  }

  /// The browser that leaves the terminal to the reader; nil where there is none.
  var beside: Browser? {
    var beside = self
    if let background {
      beside.command = background
      beside.usesTerminal = false
    }
    return beside.usesTerminal ? nil : beside
  }

  /// The arguments for an address. Only web addresses are opened.
  func arguments(for url: String) throws -> [String] {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), !url.hasPrefix("-"),
      !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else {
      throw SourceError(
        .address, stage: .address, subject: String(url.prefix(60)),
        message: "only http and https addresses are opened")
    }
    guard command.contains(where: { $0.contains("%u") }) else { return command + [url] }
    return command.map { $0.replacingOccurrences(of: "%u", with: url) }
  }

  /// Starts the browser, and waits for its end where it uses the terminal.
  ///
  /// - Parameter stop: stops this program together with the browser.
  func open(_ url: String, stop: () -> Void = {}) throws {
    let arguments = try arguments(for: url)
    let end: ProgramEnd?
    do {
      end = try Spawn.run(arguments, detached: !usesTerminal, stop: stop)
    } catch let error as Spawn.Failure {
      throw SourceError(
        .address, stage: .address, subject: arguments[0],
        message: error.isMissing
          ? "there is no program \(arguments[0]) to open the page with"
          : "the browser \(arguments[0]) \(error.message)",
        next: "name a browser with browser.command in the configuration")
    }
    let way: String
    switch end {
    // The user has ended it by Ctrl-C.
    case nil, .exited(0), .killed(SIGINT): return
    case .exited(let status): way = "has ended with status \(status)"
    case .killed(let signal): way = "was ended by signal \(signal)"
    case .failed(let reason): way = reason
    }
    throw SourceError(
      .address, stage: .address, subject: arguments[0], message: "the browser \(way)",
      next: "open the address with it by hand to see why")
  }
}
