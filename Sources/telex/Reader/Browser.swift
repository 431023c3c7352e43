internal import Foundation
internal import News
internal import Reader
internal import TelexKit
internal import Text

/// A program that opens web pages, started without a shell.
struct Browser: Sendable {
  /// The program and its arguments. `%u`, or `%s` by the convention of `$BROWSER`, stands for the
  /// address, which is otherwise appended.
  private(set) var command: [String]
  /// Whether it uses the terminal, so that the reader suspends its screen.
  var usesTerminal: Bool
  /// Whether the settings say so, not the name of the program.
  private let isTold: Bool
  /// The command that opens pages in the background; nil to use `command`.
  var background: [String]?
  /// The command for `mailto:` links; nil for none.
  var mail: [String]?
  private var schemes = ["http", "https"]
  /// The setting of the command.
  private var setting = "browser.command"
  /// Why the command cannot be run; nil for a valid one.
  private var mistake: SourceError?
  private let home: String?

  /// The command of the settings, else `$BROWSER`, else the opener of the system.
  ///
  /// - Parameter usesTerminal: nil to decide by the name of the program.
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

  /// The programs of the settings and the environment.
  init(_ settings: ScreenSettings) {
    self.init(
      command: settings.browser, usesTerminal: settings.browserUsesTerminal,
      environment: ProcessInfo.processInfo.environment)
    background = settings.backgroundBrowser
    mail = settings.mailProgram
  }

  /// The command as it is typed.
  var text: String { command.joined(separator: " ") }

  /// Splits the command before the address is inserted, so that an address stays one argument.
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

  /// This browser with another command, in the terminal if the settings or the name of the program
  /// say so.
  func running(_ command: String) -> Browser {
    var other = self
    other.take(command, from: "the browser of this feed")
    return other
  }

  /// The program for an address: that for mail if there is one and it is `mailto:`, else this.
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

  /// The browser for the background; nil where it would use the terminal.
  var beside: Browser? {
    var beside = self
    if let background {
      beside.command = background
      beside.mistake = nil
      beside.usesTerminal = false
    }
    return beside.usesTerminal ? nil : beside
  }

  /// The arguments for a web address, or a mail address of a program for mail.
  func arguments(for url: String) throws -> [String] {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard schemes.contains(scheme), !url.hasPrefix("-"),
      !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else {
      throw SourceError(
        .address, stage: .address, subject: String(url.prefix(60)),
        message: "only http and https addresses are opened",
        next: scheme == "mailto"
          ? "name a program that writes mail with browser.mail in the settings" : nil)
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

  /// The first command of a list separated by colons whose program exists; else the first, for the
  /// error.
  private static func first(of list: String, path: String) -> String? {
    let commands = list.split(separator: ":").map(String.init)
    let folders = path.split(separator: ":")
    return commands.first { command in
      let program = command.split(separator: " ").first.map(String.init) ?? ""
      let files = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
      return files.contains { FileManager.default.isExecutableFile(atPath: $0) }
    } ?? commands.first
  }

  /// Starts the browser, and waits for its end if it uses the terminal.
  ///
  /// - Parameters:
  ///   - onEnd: called at the end of a browser in the background.
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
        next: "name a browser with \(setting) in the settings")
    }
    if let failure = end.flatMap(failure) { throw failure }
  }

  /// The error of an end; nil for a success.
  func failure(_ end: ProgramEnd) -> SourceError? {
    end.failure.map { failure in
      SourceError(
        .address, stage: .address, subject: command[0], message: "the browser \(failure)",
        next: "open the address with it by hand to see why")
    }
  }
}

/// Programs that show pages, or write mail, on the terminal that they are started in.
private enum TerminalPrograms {
  private static let names: Set<String> = [
    "w3m", "lynx", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha", "less",
    "vim",
    "nvim", "vi", "nano", "tmux", "ssh", "mutt", "neomutt", "aerc", "alpine", "meli", "mailx",
  ]

  /// Whether a program, by its name or path, needs the terminal for itself.
  static func contains(_ program: String) -> Bool {
    let name = program.split(separator: "/", omittingEmptySubsequences: false).last
    return name.map { names.contains(String($0)) } ?? false
  }
}
