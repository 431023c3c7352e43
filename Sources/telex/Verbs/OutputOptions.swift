internal import ArgumentParser
internal import Foundation
internal import News

/// How a verb says what it has to say.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON: absent values are null, long lists have one object on each line.")
  var json = false

  func print(_ value: @autoclosure () -> JSONValue, text: @autoclosure () -> String) {
    if json { Output.line(value()) } else { Output.line(text()) }
  }

  /// Whether somebody is there who can be asked: at a terminal, in the foreground, and not a script
  /// that wants JSON.
  var canAsk: Bool {
    !json && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// Runs a verb. An error is printed as JSON where JSON was asked for; the exit status is the same
  /// either way.
  func reporting(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let error as SourceError where json {
      Output.line(.object([("error", .error(error))]))
      throw ExitCode(error.stage == .arguments ? 2 : 1)
    }
  }
}

/// How long a verb may take.
struct TimeLimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Stop after this many seconds, waits included.", valueName: "S"))
  var timeout: Double?

  func validate() throws {
    // Not `<= 0`, which is false for what is no number.
    if let timeout, !(timeout > 0) { throw ValidationError("--timeout must be above 0.") }
  }

  /// When the time that begins now is over; nil for no limit.
  func deadline() -> ContinuousClock.Instant? {
    // Weeks are as good as for ever, and a duration can hold them.
    timeout.map { ContinuousClock.now + .seconds(min($0, 1_000_000)) }
  }
}
