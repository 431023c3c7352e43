internal import ChildProcess
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import Secrets

@Suite struct PasswordCommandTests {
  // MARK: The template

  @Test(
    arguments: [
      ("pass show mail", ["pass", "show", "mail"]),
      ("  pass\tshow \n mail ", ["pass", "show", "mail"]),
      ("pass 'a b' \"c d\" e\\ f", ["pass", "a b", "c d", "e f"]),
      (#"x 'it'\''s' "say \"hi\"" "\n" '\n'"#, ["x", "it's", "say \"hi\"", "\\n", "\\n"]),
      ("x '' \"\"", ["x", "", ""]), ("x a'b'\"c\"d", ["x", "abcd"]),
      // Nothing is expanded: there is no shell.
      (
        "x $HOME ~ * | y > z `w` $(v) ;",
        ["x", "$HOME", "~", "*", "|", "y", ">", "z", "`w`", "$(v)", ";"]
      ),
      ("x -u{user} --at={user}@{host}", ["x", "-uJane Doe", "--at=Jane Doe@example.org"]),
      ("x {user} '{host}' {other} {", ["x", "Jane Doe", "example.org", "{other}", "{"]),
      ("awk '{print $1}' {{user}}", ["awk", "{print $1}", "{Jane Doe}"]),
    ] as [(String, [String])])
  func `A template is split first and filled in after`(text: String, expected: [String]) throws {
    let arguments = try CommandTemplate(text).arguments(user: "Jane Doe", host: "example.org")
    #expect(arguments == expected)
  }

  @Test(arguments: ["", "  ", "''", "pass 'a", "pass \"a", "pass \\", "{user} x", "-x", "a\0b"])
  func `A template that cannot be used is refused`(text: String) {
    let error = #expect(throws: SecretError.self) { try PasswordCommand(text) }
    #expect(error?.kind == .template)
    #expect(error?.subject == "password_command")
  }

  @Test(arguments: ["-rf", "--help", "-", "a\nb", "a\0b"])
  func `A value that could be an option is refused`(value: String) throws {
    let template = try CommandTemplate("pass {user} {host}")
    for (user, host) in [(value, "example.org"), ("me", value)] {
      let error = #expect(throws: SecretError.self) {
        try template.arguments(user: user, host: host)
      }
      #expect(error?.kind == .value)
    }
    // What is not filled in does no harm.
    #expect(try CommandTemplate("pass x").arguments(user: value, host: value) == ["pass", "x"])
  }

  @Test func `A value is not filled in again, and stays one argument`() throws {
    let template = try CommandTemplate("pass {user} {host}")
    let arguments = try template.arguments(user: "{host} 'x", host: "{user}")
    #expect(arguments == ["pass", "{host} 'x", "{user}"])
  }

  // MARK: The run

  @Test(
    arguments: [
      ("echo hunter2", "hunter2"), ("printf hunter2", "hunter2"),
      ("printf '%s\\r\\nsecond line\\n' hunter2", "hunter2"), ("printf ' spaces '", " spaces "),
      ("printf '%s %s' {user} {host}", "me example.org"), ("printf 'pässwörd 🔑'", "pässwörd 🔑"),
      // More lines than a pipe holds: nobody has to read them.
      ("sh -c 'echo first; seq 1 9000; sleep 0.01; echo last'", "first"),
    ])
  func `The first line is the secret`(template: String, expected: String) async throws {
    let command = try PasswordCommand(template)
    let secret = try await command.secret(user: "me", host: "example.org")
    #expect(secret.text == expected)
    #expect(!"\(secret)".contains(expected))
  }

  @Test(
    arguments: [
      ("sh -c 'echo hunter2; exit 3'", "exit status 3", "sh"),
      ("sh -c 'echo hunter2; kill -9 $$'", "signal 9", "sh"),
      ("no-such-program-anywhere hunter2", "cannot be started", "no-such-program-anywhere"),
      ("true hunter2", "first line is empty", "true"),
      ("printf '\\nhunter2'", "first line is empty", "printf"),
      ("printf '\\377\\376hunter2'", "not text", "printf"),
      ("sh -c 'yes hunter2 | head -c 200000'", "more than a secret", "sh"),
    ])
  func `A failure names the program and never what it printed`(
    template: String, message: String, program: String
  ) async throws {
    let command = try PasswordCommand(template)
    let error = try #require(
      await #expect(throws: SecretError.self) {
        try await command.secret(user: "me", host: "example.org")
      })
    #expect(error.kind == .command)
    #expect(error.subject == program)
    #expect(error.message.contains("password_command") && error.message.contains(message))
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test(arguments: ["exit 3", "exit 0", "sleep 1000"])
  func `The last line of its standard error is told with a failure`(end: String) async throws {
    var command = try PasswordCommand("sh -c 'seq 1 20000 >&2; echo the agent is away >&2; \(end)'")
    if end.hasPrefix("sleep") { command.limit = .seconds(4) }
    let error = try #require(
      await #expect(throws: SecretError.self) {
        try await command.secret(user: "me", host: "example.org")
      })
    #expect(error.printed == "the agent is away")
  }

  @Test func `It inherits no descriptor of ours`() async throws {
    let folder = try TestFolder()
    // Without a mark to be closed.
    let leaked = open(folder.path, O_RDONLY)
    defer { close(leaked) }
    let command = try PasswordCommand(
      "sh -c 'test -e /dev/fd/$1 && echo leaked || echo closed' sh \(leaked)")
    #expect(try await command.secret(user: "me", host: "example.org").text == "closed")
  }

  @Test func `It finds nothing to read, and its errors go to no terminal`() async throws {
    let folder = try TestFolder()
    let asking = try keeper(
      folder.store, "ask", "sh -c 'cat; echo to the user >&2; echo $1' sh {user}@{host}", "me",
      "example.org", input: .held)
    let ending = await asking.end()
    #expect(ending == .exited(0))
    #expect(asking.output == "me@example.org\n")
    #expect(asking.errors == "")
  }

  @Test(arguments: [false, true])
  func `What takes too long, or is not wanted any more, is ended with all it started`(
    isCancelled: Bool
  ) async throws {
    let folder = try TestFolder()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    // Open as long as one of the processes lives.
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    var command = try PasswordCommand(
      "sh -c 'exec 3>$1; echo x >&3; sleep 1000 & sleep 1000; echo hunter2' sh \(pipe)")
    command.limit = isCancelled ? .seconds(1_000) : .milliseconds(200)
    let task = Task { [command] in try await command.secret(user: "me", host: "example.org") }
    if isCancelled {
      // Until it runs: a read finds what it wrote.
      var byte: UInt8 = 0
      #expect(await eventually { read(reader, &byte, 1) == 1 })
      task.cancel()
    }
    let result = await task.result
    let error = #expect(throws: (any Error).self) { try result.get() }
    if isCancelled {
      #expect(error is CancellationError)
    } else {
      #expect((error as? SecretError)?.kind == .timeout)
    }
    var block = [UInt8](repeating: 0, count: 16)
    #expect(await eventually { read(reader, &block, block.count) == 0 })
  }

  @Test func `A daemon that it leaves behind keeps nobody waiting`() async throws {
    let folder = try TestFolder()
    let note = folder.path + "/daemon"
    var command = try PasswordCommand(
      "sh -c 'sleep 1000 & echo $! > $1; echo hunter2' sh \(note)")
    command.limit = .seconds(1_000)
    #expect(try await command.secret(user: "me", host: "example.org").text == "hunter2")
    let daemon = try String(contentsOfFile: note, encoding: .utf8)
    kill(try #require(Int32(daemon.trimmingCharacters(in: .whitespacesAndNewlines))), SIGKILL)
  }

  @Test func `Many can run at once`() async throws {
    let command = try PasswordCommand("echo {user}")
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<20 {
        group.addTask { try await command.secret(user: "u\(number)", host: "h").text }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(texts.count == 20)
  }
}
