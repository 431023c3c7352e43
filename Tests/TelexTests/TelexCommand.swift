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
    let variables = inherited.merging(environment) { $1 }.compactMapValues { $0 }
    await gate.enter()
    let status: Int32?
    do {
      let process = try start(executable, arguments, variables, in: folder, files)
      status = await end(of: process, by: ContinuousClock.now + deadline)
    } catch {
      await gate.leave()
      throw error
    }
    await gate.leave()
    guard let status else {
      throw Overdue(arguments: arguments, output: text(files[1]), errors: text(files[2]))
    }
    // As a shell says it: the low seven bits are the signal that ended it.
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: text(files[1]),
      errors: text(files[2]))
  }

  /// A few at once: every test begins at the same moment, and a hundred programs would only be in
  /// each other's way.
  private static let gate = Gate(places: 4)

  /// Starts a program whose input and output are files. Foundation's `Process` has crashed with as
  /// many open files as a parallel test run has.
  private static func start(
    _ executable: String, _ arguments: [String], _ variables: [String: String],
    in folder: String, _ files: [String]
  ) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, file) in files.enumerated() {
      posix_spawn_file_actions_addopen(
        &actions, Int32(descriptor), file, descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
      texts.map { strdup($0) } + [nil]
    }
    // The shell only changes the folder: not every C library can do so for a child.
    let change = "cd \"$1\" && shift && exec \"$@\""
    let words = pointers(["sh", "-c", change, "sh", folder, executable] + arguments)
    let settings = pointers(variables.map { "\($0)=\($1)" })
    defer { for pointer in words + settings { free(pointer) } }
    var process = pid_t()
    let result = posix_spawn(&process, "/bin/sh", &actions, nil, words, settings)
    try #require(result == 0, "\(executable) starts: \(String(cString: strerror(result)))")
    return process
  }

  /// The wait status of a program; nil where it had to be killed.
  private static func end(of process: pid_t, by deadline: ContinuousClock.Instant) async -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if ContinuousClock.now >= deadline || Task.isCancelled {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return nil
      }
      try? await Task.sleep(for: .milliseconds(3))
    }
    return status
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
