import ChildProcess
import Foundation
import PseudoTerminal
import Testing

/// A home folder for the program under test, with nothing in it; gone with the value.
final class Sandbox: Sendable {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "telex-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file and returns its path.
  @discardableResult
  func file(_ name: String, _ text: String, permissions: Int = 0o644) throws -> String {
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    return path
  }

  /// What is in a file; nil where there is none yet.
  func contents(of name: String) -> String? {
    FileManager.default.contents(atPath: folder + "/" + name)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Runs `telex` as a command in this home.
  func telex(
    _ arguments: String..., stdin: String = "", environment: [String: String?] = [:],
    deadline: Duration = .seconds(60)
  ) async throws -> TelexCommand.Outcome {
    try await telex(arguments, stdin: stdin, environment: environment, deadline: deadline)
  }

  func telex(
    _ arguments: [String], stdin: String = "", environment: [String: String?] = [:],
    deadline: Duration = .seconds(60)
  ) async throws -> TelexCommand.Outcome {
    try await TelexCommand.run(
      arguments, stdin: stdin, environment: home.merging(environment) { $1 }, in: folder,
      deadline: deadline)
  }

  /// Runs `telex` as a command, which must work.
  func succeed(_ arguments: String...) async throws {
    let outcome = try await telex(arguments)
    try #require(outcome.status == 0, "\(outcome.testDescription)")
  }

  /// Runs a line of shell in which `telex` is the program.
  func shell(
    _ line: String, environment: [String: String?] = [:]
  ) async throws -> TelexCommand.Outcome {
    let function = "telex() { '\(BuiltProduct.path(of: "telex"))' \"$@\"; }\n"
    return try await TelexCommand.run(
      ["-c", function + line], executable: "/bin/sh",
      environment: home.merging(environment) { $1 }, in: folder)
  }

  /// Runs a line of shell in which `telex` is the program in a pseudo-terminal.
  func shellAtTerminal(_ line: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      executable: "/bin/sh",
      arguments: [
        "-c", "cd \"$HOME\"; telex() { '\(BuiltProduct.path(of: "telex"))' \"$@\"; }; \(line)",
      ],
      environment: home, size: (80, 24))
  }

  /// Subscribes to a feed, which must work.
  func add(_ address: String) async throws {
    let outcome = try await telex("add", address)
    try #require(outcome.status == 0, "\(outcome.testDescription)")
  }

  /// The articles as `telex articles --json` prints them.
  func articles(_ arguments: String...) async throws -> [[String: Any]] {
    try await telex(["articles", "--json"] + arguments).jsonLines()
  }

  /// Opens the reader.
  func reader(
    _ arguments: String..., environment: [String: String?] = [:],
    size: (width: Int, height: Int) = (80, 24), cell: (width: Int, height: Int)? = nil,
    answers: [(question: String, answer: String)]? = nil
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      executable: BuiltProduct.path(of: "telex"), arguments: arguments,
      environment: home.merging(environment) { $1 }, size: size, cell: cell, answers: answers)
  }

  var home: [String: String?] {
    ["HOME": folder, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "BROWSER": nil]
  }
}
