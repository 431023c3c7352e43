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
}
