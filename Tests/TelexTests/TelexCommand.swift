// The tests of the built program, from outside: `TelexCommand` runs it as a command, `Sandbox`
// gives it a home of its own and opens the reader in a pseudo-terminal, `newspaper` makes what it
// reads.

import Foundation
import PseudoTerminal
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
  /// Its output goes to files: it may be of any length, and waits for nobody to read it.
  ///
  /// - Throws: `Overdue` after the deadline.
  static func run(
    _ arguments: [String], executable: String = BuiltProduct.path(of: "telex"),
    stdin: String = "", environment: [String: String?], in folder: String,
    deadline: Duration = .seconds(60)
  ) async throws -> Outcome {
    let files = try ["in", "out", "err"].map { name in
      let path = "\(folder)/\(UUID().uuidString).\(name)"
      try Data((name == "in" ? stdin : "").utf8).write(to: URL(filePath: path))
      return path
    }
    defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.environment = inherited.merging(environment) { $1 }.compactMapValues { $0 }
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle(forReadingAtPath: files[0])
    process.standardOutput = FileHandle(forWritingAtPath: files[1])
    process.standardError = FileHandle(forWritingAtPath: files[2])
    try process.run()
    let end = ContinuousClock.now + deadline
    while process.isRunning {
      if ContinuousClock.now >= end || Task.isCancelled {
        kill(process.processIdentifier, SIGKILL)
        throw Overdue(arguments: arguments, output: text(files[1]), errors: text(files[2]))
      }
      try? await Task.sleep(for: .milliseconds(3))
    }
    let code = process.terminationStatus
    return Outcome(
      status: process.terminationReason == .uncaughtSignal ? 128 + code : code,
      output: text(files[1]), errors: text(files[2]))
  }

  /// What a program needs to be found, to be linked and to be measured.
  private static let inherited: [String: String?] = {
    let names: Set = [
      "PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH",
      "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]
    return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
      .merging(["LANG": "C.UTF-8", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }()

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
