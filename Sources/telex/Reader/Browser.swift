internal import Foundation
internal import News
internal import Reader
internal import Text

/// Program that opens web pages, started without a shell.
struct Browser: Sendable {
  /// The program and its arguments. `%u` stands for the address, as `%s` does by the convention of `$BROWSER`; without
  /// one of them it is the last argument.
  private(set) var command: [String]
  /// Whether it uses this terminal, so that the reader has to suspend its screen.
  var usesTerminal: Bool
  /// Whether the settings say so; else the name of the program does.
  private let isTold: Bool
  /// What opens pages beside the reader; nil where the other one does.
  var background: [String]?
  /// What writes mail to the addresses of `mailto:` links; nil to open none.
  var mail: [String]?
  /// The schemes of the addresses that it opens.
  private var schemes = ["http", "https"]
  /// Where its command is set.
  private var setting = "browser.command"
  /// Why the command cannot be run.
  private var mistake: SourceError?
  private let home: String?

  /// From the configuration, else `$BROWSER`, else the system's opener.
  ///
  /// - Parameter usesTerminal: nil where the name of the program tells.
  init(command: String?, usesTerminal: Bool?, environment: [String: String]) {
    let path = environment["PATH"] ?? ""
    let named = command ?? environment["BROWSER"].flatMap { Self.first(of: $0, path: path) }
    #if os(macOS)
      let opener = "open"
    #else
      let opener = "xdg-open"
    #endif
    home = environment["HOME"]
    self.command = [opener]
    isTold = usesTerminal != nil
    self.usesTerminal = usesTerminal ?? false
    take(named ?? "", from: command == nil ? "BROWSER" : "browser.command")
  }

  /// Splits a command before the address is filled in, so that an address stays one argument.
  private mutating func take(_ line: String, from place: String) {
    do throws(CommandWords.Mistake) {
      guard let words = try CommandWords.opening(line, home: home) else { return }
      command = words
      mistake = nil
      if !isTold { usesTerminal = TerminalPrograms.contains(words[0]) }
    } catch {
      mistake = SourceError(
        .address, stage: .config, subject: place, message: error.message,
        next: "name the browser with its arguments, or a script of your own")
    }
  }

  /// Another command, which uses the terminal where the settings say that the browser does, or its name does.
  func running(_ command: String) -> Browser {
    var other = self
    other.take(command, from: "the browser of this feed")
    return other
  }

  /// The program that opens an address: that for mail where there is one and it is `mailto:`, else this.
  func opening(_ url: String) -> Browser {
    guard let mail, WebAddress.scheme(of: url) == "mailto" else { return self }
    var program = self
    program.command = mail
    program.mistake = nil
    program.background = nil
    program.usesTerminal = TerminalPrograms.contains(mail[0])
    program.schemes = ["mailto"]
    program.setting = "browser.mail"
    return program
  }

  /// The browser that leaves the terminal to the reader; nil where there is none.
  var beside: Browser? {
    var beside = self
    if let background {
      beside.command = background
      beside.mistake = nil
      beside.usesTerminal = false
    }
    return beside.usesTerminal ? nil : beside
  }

  /// The arguments for an address. Only web addresses are opened, and those for mail by a program for them.
  func arguments(for url: String) throws -> [String] {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard schemes.contains(scheme), !url.hasPrefix("-"),
      !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else {
      throw SourceError(
        .address, stage: .address, subject: String(url.prefix(60)),
        message: "only http and https addresses are opened",
        next: scheme == "mailto"
          ? "name a program that writes mail with browser.mail in the configuration" : nil)
    }
    if let mistake { throw mistake }
    guard !ShellScript.holds(["%u", "%s"], in: command) else {
      throw SourceError(
        .address, stage: .config, subject: command[0],
        message: "the address stands in the script of a shell, where it could be a command",
        next: "name the browser with its arguments, or a script of your own")
    }
    let places = /%[us]/
    guard command.contains(where: { $0.contains(places) }) else { return command + [url] }
    return command.map { $0.replacing(places, with: url) }
  }

  /// The first of some commands with colons between them whose program is there; the first of all where none is, so that
  /// it can be named.
  private static func first(of list: String, path: String) -> String? {
    let commands = list.split(separator: ":").map(String.init)
    let folders = path.split(separator: ":")
    return commands.first { command in
      let program = command.split(separator: " ").first.map(String.init) ?? ""
      let files = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
      return files.contains { FileManager.default.isExecutableFile(atPath: $0) }
    } ?? commands.first
  }

  /// Starts the browser, and waits for its end where it uses the terminal.
  ///
  /// - Parameters:
  ///   - onEnd: gets the end of one that is not waited for.
  ///   - stop: stops this program together with the browser.
  func open(
    _ url: String, onEnd: @escaping @Sendable (ProgramEnd) -> Void = { _ in },
    stop: () -> Void = {}
  ) throws {
    let arguments = try arguments(for: url)
    let end: ProgramEnd?
    do {
      end = try Spawn.run(arguments, detached: !usesTerminal, stop: stop, onEnd: onEnd)
    } catch let error as Spawn.Failure {
      throw SourceError(
        .address, stage: .address, subject: arguments[0],
        message: error.isMissing
          ? "there is no program \(arguments[0]) to open the page with"
          : "the browser \(arguments[0]) \(error.message)",
        next: "name a browser with \(setting) in the configuration")
    }
    if let failure = end.flatMap(failure) { throw failure }
  }

  /// The error of an end; nil for one without a failure.
  func failure(_ end: ProgramEnd) -> SourceError? {
    end.failure.map { failure in
      SourceError(
        .address, stage: .address, subject: command[0], message: "the browser \(failure)",
        next: "open the address with it by hand to see why")
    }
  }
}
