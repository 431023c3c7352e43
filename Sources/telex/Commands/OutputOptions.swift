internal import ArgumentParser
internal import Foundation
internal import News

extension ArgumentHelp {
  static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
    ArgumentHelp(abstract, valueName: name)
  }
}

struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON; lists have one object on each line.")
  var json = false

  func print(_ value: @autoclosure () -> JSONOutput, text: @autoclosure () -> String) {
    if json { Output.line(value()) } else { Output.line(text()) }
  }

  /// Prints a row of a table, or JSON.
  func print(_ value: @autoclosure () -> JSONOutput, in table: inout Table, _ cells: [String]) {
    if json { Output.line(value()) } else { table.add(cells) }
  }

  /// Prints the rest of a table, or a word on standard error where it has no rows.
  func finish(_ table: inout Table, empty: String) {
    table.finish()
    if table.isEmpty { note(empty) }
  }

  /// Says why there is no output, at a terminal.
  func note(_ text: String) { if !json { Output.note(text) } }

  /// Prints an error, unless JSON was asked for, which contains it.
  func complain(_ error: SourceError?) {
    if let error, !json { Output.complain(error) }
  }

  func complain(_ text: String) { if !json { Output.complain(text) } }

  func warn(_ texts: [String]) { for text in texts { complain("warning: \(text)") } }

  /// Reports that a server has not received a change yet, and why.
  func complain(undelivered change: WaitingChange, to server: String) {
    complain("\(server) does not have the change yet; telex outbox lists it")
    complain(change.error)
  }

  /// Whether the user can be asked: at a terminal, in the foreground, and without `--json`.
  var canAsk: Bool { !json && Self.isInteractive }

  static var isInteractive: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }
}

extension ParsableArguments {
  /// - Throws: `ValidationError` for a combination of arguments that makes no sense.
  func refuse(_ isWrong: Bool, _ message: @autoclosure () -> String) throws {
    if isWrong { throw ValidationError(message()) }
  }
}

/// Options of all commands that work on the store.
struct SharedOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
}

/// A command that reports errors as JSON where JSON was asked for, with the same exit status.
protocol ReportingCommand: AsyncParsableCommand {
  var form: OutputOptions { get }

  func perform() async throws
}

extension ReportingCommand {
  func run() async throws {
    do {
      try await perform()
    } catch let error as SourceError where form.json {
      Output.line(["error": .error(error)])
      throw ExitCode(error.stage == .arguments ? 2 : 1)
    }
  }
}

protocol StoreCommand: ReportingCommand {
  var shared: SharedOptions { get }
}

extension StoreCommand {
  var common: CommonOptions { shared.common }
  var form: OutputOptions { shared.form }
}

/// Option of commands that ask before they delete.
struct ConfirmationOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  /// Asks at a terminal, unless `--yes` is given.
  ///
  /// - Parameter refusal: printed where the answer is no.
  /// - Throws: `ExitCode` 1 where the answer is no.
  func confirm(_ question: String, _ form: OutputOptions, refusal: String) throws {
    guard !yes, form.canAsk, try !TerminalPrompt.isYes(question) else { return }
    Output.line(refusal)
    throw ExitCode(1)
  }
}

extension SourceError {
  static func arguments(_ subject: String, _ message: String, next: String? = nil) -> SourceError {
    SourceError(.address, stage: .arguments, subject: subject, message: message, next: next)
  }
}

/// Option of commands that cron or a timer runs.
struct QuietOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only failures.")
  var quiet = false

  func check(_ form: OutputOptions) throws {
    try refuse(form.json && quiet, "Give --json or --quiet, not both.")
  }
}

struct LineOptions: ParsableArguments {
  @Option(
    help: .value(
      "TEXT",
      "Print this text for each line: '{id}\\t{title}'."))
  var format: String?

  func check(_ form: OutputOptions) throws {
    try refuse(form.json && format != nil, "Give --json or --format, not both.")
  }
}

struct TimeLimitOptions: ParsableArguments {
  @Option(help: .value("S", "Stop after this many seconds, including waits."))
  var timeout: Double?

  func validate() throws {
    // Not `<= 0`, which is false for NaN.
    if let timeout, !(timeout > 0) { throw ValidationError("--timeout must be above 0.") }
  }

  /// The deadline, counted from now; nil for no limit.
  func deadline() -> ContinuousClock.Instant? {
    // Capped at 11 days, which a `Duration` can represent.
    timeout.map { ContinuousClock.now + .seconds(min($0, 1_000_000)) }
  }
}
