/// A run of this program by itself, on bytes that others wrote: what goes wrong with them ends that process alone.
package enum ConfinedRun {
  /// - Parameters:
  ///   - arguments: the path of the program, and its arguments.
  ///   - input: what it reads.
  ///   - time: how long it may take.
  ///   - mostBytes: of its output.
  /// - Returns: its standard output.
  /// - Throws: `SourceError` where it does not end with status 0 in time; `CancellationError`.
  package static func output(
    of arguments: [String], input: [UInt8], time: Duration, mostBytes: Int
  ) async throws -> [UInt8] {
    try await ProgramRun(arguments, input: input, time: time, mostBytes: mostBytes).output()
  }

  /// Starts the program while its input is still on its way; the time begins when the input is
  /// there.
  ///
  /// - Parameter input: what it reads; where that cannot be had, the program is ended.
  /// - Throws: `SourceError` where it does not end with status 0 in time; what `input` throws; `CancellationError`.
  package static func output(
    of arguments: [String], time: Duration, mostBytes: Int,
    input: @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8] {
    let run = ProgramRun(arguments, input: nil, time: time, mostBytes: mostBytes)
    // Where this ends by an error, the run is cancelled.
    async let output = run.output()
    run.supply(try await input())
    return try await output
  }
}
