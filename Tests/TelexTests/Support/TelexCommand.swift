// The tests of the built program, from outside: `TelexCommand` runs it as a command, `Sandbox`
// gives it a home of its own and opens the reader in a pseudo-terminal, `newspaper` makes what it
// reads.

import ChildProcess
import Foundation
import Testing

/// `telex` run as a command.
enum TelexCommand {
  /// What a run came to.
  struct Outcome: CustomTestStringConvertible {
    /// The exit status; 128 and the number where a signal ended it, as a shell would say.
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    var testDescription: String { "status \(status)\n\(output)\n\(errors)" }

    /// Standard output as one JSON object.
    func json() throws -> [String: Any] {
      let objects = try jsonLines()
      try #require(objects.count == 1, "one line of JSON: \(output) \(errors)")
      return objects[0]
    }

    /// Each line of standard output as a JSON object.
    func jsonLines() throws -> [[String: Any]] {
      try lines.map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any], "an object: \(line)")
      }
    }
  }

  /// A run that has not ended in time; it has been killed.
  struct Overdue: Error {
    let arguments: [String]
    let output: String
    let errors: String
  }

  /// Runs a program to its end.
  ///
  /// - Throws: `Overdue` after the deadline.
  static func run(
    _ arguments: [String], executable: String = BuiltProduct.path(of: "telex"),
    stdin: String = "", environment: [String: String?], in folder: String,
    deadline: Duration = .seconds(60)
  ) async throws -> Outcome {
    await gate.enter()
    let process: ChildProcess
    do {
      process = try ChildProcess(
        executable, arguments, input: .text(stdin),
        environment: inherited.merging(environment) { $1 }.compactMapValues { $0 }, in: folder)
    } catch {
      await gate.leave()
      throw error
    }
    let ending = await process.end(within: deadline)
    await gate.leave()
    let (output, errors) = (process.output, process.errors)
    return switch ending {
    case .exited(let status): Outcome(status: status, output: output, errors: errors)
    case .signaled(let signal): Outcome(status: 128 + signal, output: output, errors: errors)
    case nil: throw Overdue(arguments: arguments, output: output, errors: errors)
    }
  }

  /// A few at once: every test begins at the same moment, and a hundred programs would only be in
  /// each other's way.
  private static let gate = Gate(places: 4)

  /// What a program needs to be found, to be linked and to be measured.
  private static let inherited: [String: String?] = {
    let names: Set = [
      "PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH",
      "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]
    return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
      .merging(["LANG": "C.UTF-8", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }()
}

/// Lets a few in at once; the others wait in the order in which they came.
private actor Gate {
  private var places: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) { self.places = places }

  func enter() async {
    guard places == 0 else {
      places -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
  }
}
