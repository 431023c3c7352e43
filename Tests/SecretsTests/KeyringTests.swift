internal import ChildProcess
internal import Foundation
internal import Requirements
internal import TestSupport
internal import Testing

@testable internal import Secrets

/// The system's keyring in a process of its own, whose session bus belongs to the test.
@Suite struct KeyringTests {
  // MARK: Without one

  @Test func `Without a session bus the file is used, which is said once`() async throws {
    let folder = try TestFolder()
    let (output, errors) = try await run(
      folder, ["put", "https://example.org", "me", "hunter2"],
      ["get", "https://example.org", "me"],
      ["backend"], environment: [:])
    let lines = output.split(separator: "\n")
    #expect(lines.first == "hunter2")
    #expect(lines.last?.hasPrefix(folder.file) == true)
    #expect(folder.fileText()?.contains("hunter2") == true)
    #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    #expect(errors.hasPrefix("fallback: \(folder.file), because"))
    #expect(!errors.contains("hunter2"))
  }

  @Test(.needs(.libsecret))
  func `No bus is started where none runs`() async throws {
    let folder = try TestFolder()
    for environment in [
      [:], ["DBUS_SESSION_BUS_ADDRESS": ""], ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"],
      ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere;autolaunch:"],
      ["XDG_RUNTIME_DIR": folder.path], ["DISPLAY": ":99"],
    ] {
      let (output, _) = try await run(folder, ["backend"], environment: environment)
      #expect(output.contains("no session bus"), "\(environment)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(.needs(.libsecret))
  func `A bus that never answers is given up, and the file used`() async throws {
    let folder = try TestFolder()
    let socket = try SilentSocket(folder.path + "/bus")
    defer { withExtendedLifetime(socket) {} }
    let (output, errors) = try await run(
      folder, ["put", "https://example.org", "me", "hunter2"],
      ["get", "https://example.org", "me"],
      environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(output == "hunter2\n")
    #expect(errors.contains("does not answer"))
    #expect(folder.fileText()?.contains("hunter2") == true)
  }

  @Test(.needs(.libsecret), arguments: [true, false])
  func `What a keyring out of reach may have is not said to be gone`(isSilent: Bool) async throws {
    let folder = try TestFolder()
    let socket = isSilent ? try SilentSocket(folder.path + "/bus") : nil
    defer { withExtendedLifetime(socket) {} }
    let (output, _) = try await run(
      folder, ["get", "https://example.org", "me"], ["put", "https://example.org", "me", "new"],
      ["get", "https://example.org", "me"], environment: ["XDG_RUNTIME_DIR": folder.path])
    let lines = output.split(separator: "\n")
    let reason = isSilent ? "does not answer" : "no session bus"
    #expect(lines.first?.hasPrefix("away: https://example.org") == true, "\(output)")
    #expect(lines.first?.contains(reason) == true, "\(output)")
    #expect(lines.dropFirst() == ["new"])
  }

  @Test func `Without a keyring that is used, what is not in the file is not there`() async throws {
    let folder = try TestFolder()
    #expect(try await folder.makeStore().secret(for: name()) == nil)
  }

  @Test(.needs(.libsecret))
  func `A bus that is gone is a reason too`() async throws {
    let folder = try TestFolder()
    let (output, _) = try await run(
      folder, ["backend"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none"])
    #expect(output.contains("because the keyring cannot be used"), "\(output)")
  }

  #if os(Linux)
    @Test(arguments: [
      ("libnothing-of-the-kind.so.0", "libnothing-of-the-kind.so.0"), ("libc.so.6", "g_error_free"),
    ])
    func `A library that is missing, or is another, is a reason`(file: String, what: String) {
      let error = #expect(throws: KeyringAbsence.self) { try LibSecret.open(file).get() }
      #expect(error == .noLibrary(what: what))
      #expect(error?.reason.contains(what) == true)
    }
  #endif

  // MARK: With one

  @Test(.needs(.keyring))
  func `A secret goes into the keyring and not into a file`() async throws {
    let folder = try TestFolder()
    let session = try await KeyringSession(folder.path, password: "ring")
    let pair = #"{"access":"tökèn 🔑","refresh":"b"}"#
    let (output, errors) = try await run(
      folder, ["backend"], ["get", "https://example.org", "me"],
      ["put", "https://example.org", "me", "old"], ["put", "https://example.org", "me", pair],
      ["put", "https://example.org", "you", "yours"], ["put", "http://example.org", "me", "plain"],
      ["get", "https://example.org:443", "me"], ["get", "https://example.org", "you"],
      ["remove", "https://example.org", "me"], ["get", "https://example.org", "me"],
      ["get", "https://example.org", "you"], ["remove", "https://example.org", "you"],
      ["get", "https://example.org", "you"], ["get", "http://example.org", "me"],
      environment: session.environment)
    #expect(errors == "")
    #expect(
      output.split(separator: "\n") == [
        "the system's keyring", "none", pair[...], "yours", "none", "yours", "none", "plain",
      ])
    #expect(folder.fileText() == nil)
    // Another process finds what is left.
    let (later, _) = try await run(
      folder, ["get", "http://example.org", "me"], environment: session.environment)
    #expect(later == "plain\n")
  }

  @Test(.needs(.keyring))
  func `What was kept in the file moves into the keyring, over what is older there`() async throws {
    let folder = try TestFolder()
    let session = try await KeyringSession(folder.path, password: "ring")
    _ = try await run(
      folder, ["put", "https://example.org", "me", "old"], environment: session.environment)
    _ = try await run(
      folder, ["put", "https://example.org", "me", "new"],
      ["put", "https://example.org", "you", "yours"], environment: [:])
    #expect(folder.fileText()?.contains("new") == true)
    let (output, _) = try await run(
      folder, ["get", "https://example.org", "me"], ["get", "https://example.org", "you"],
      environment: session.environment)
    #expect(output == "new\nyours\n")
    #expect(folder.fileText() == nil)
  }

  @Test(.needs(.keyring))
  func `A locked keyring opens no window; what was removed meanwhile goes when it is open`()
    async throws
  {
    let folder = try TestFolder()
    do {
      let session = try await KeyringSession(folder.path, password: "ring")
      _ = try await run(
        folder, ["put", "https://example.org", "me", "ours"],
        ["put", "https://example.org", "you", "yours"], environment: session.environment)
    }
    do {
      let locked = try await KeyringSession(folder.path, password: nil)
      let (output, errors) = try await run(
        folder, ["backend"], ["get", "https://example.org", "me"],
        ["remove", "https://example.org", "me"], ["put", "https://example.org", "new", "newest"],
        ["get", "https://example.org", "me"], ["get", "https://example.org", "new"],
        environment: locked.environment)
      #expect(output.contains("because the keyring is locked"), "\(output)\(errors)")
      let lines = output.split(separator: "\n")
      #expect(lines.dropFirst().first?.contains("the keyring is locked; unlock") == true)
      #expect(lines.suffix(2) == ["none", "newest"])
      // What it was asked to remember holds no secret but the new one.
      #expect(folder.fileText()?.contains("newest") == true)
      #expect(folder.fileText()?.contains("ours") == false)
    }
    let session = try await KeyringSession(folder.path, password: "ring")
    let (output, errors) = try await run(
      folder, ["get", "https://example.org", "me"], ["get", "https://example.org", "you"],
      ["get", "https://example.org", "new"], environment: session.environment)
    #expect(output == "none\nyours\nnewest\n", "\(errors)")
    #expect(folder.fileText() == nil)
  }

  @Test(.needs(.keyring))
  func `A keyring that did not answer in time is asked again after a rest`() async throws {
    let folder = try TestFolder()
    let session = try await KeyringSession(folder.path, password: "ring")
    _ = try await run(
      folder, ["put", "https://example.org", "me", "hunter2"], environment: session.environment)
    let limits = ["KEYRING_LIMIT": "5", "KEYRING_REST": "0"]
    session.signal(SIGSTOP)
    let child = try keeper(
      folder.store, "get", "https://example.org", "me", ",", "wait", ",", "get",
      "https://example.org", "me", input: .held,
      environment: session.environment.merging(limits) { $1 })
    #expect(await eventually { child.output.contains("waiting") || !child.isRunning })
    #expect(child.output.contains("does not answer"), "\(child.output)")
    session.signal(SIGCONT)
    child.closeInput()
    #expect(await child.end() == .exited(0), "\(child.errors)")
    #expect(child.output.hasSuffix("hunter2\n"), "\(child.output)")
  }

  @Test(.needs(.keyring))
  func `The end of the bus is not the end of the program`() async throws {
    let folder = try TestFolder()
    let session = try await KeyringSession(folder.path, password: "ring")
    let child = try keeper(
      folder.store, "put", "https://example.org", "me", "hunter2", ",", "wait", ",", "put",
      "https://example.org", "me", "later", ",", "get", "https://example.org", "me", input: .held,
      environment: session.environment)
    #expect(await eventually { child.output.contains("waiting") || !child.isRunning })
    session.end()
    child.closeInput()
    let ending = await child.end()
    #expect(ending == .exited(0), "\(child.errors)")
    #expect(child.output.hasSuffix("later\n"))
    #expect(folder.fileText()?.contains("later") == true)
  }

  @Test(.needs(.keyring))
  func `Processes that replace one secret leave a whole one`() async throws {
    let folder = try TestFolder()
    let session = try await KeyringSession(folder.path, password: "ring")
    let writers = try (0..<3).map {
      try keeper(folder.store, "write", "w\($0)-", "5", environment: session.environment)
    }
    for writer in writers {
      let ending = await writer.end()
      #expect(ending == .exited(0), "\(writer.output)")
      #expect(writer.errors == "")
    }
    #expect(folder.fileText() == nil)
  }

  /// Runs commands in one process; what it printed.
  private func run(
    _ folder: borrowing TestFolder, _ commands: [String]..., environment: [String: String]
  ) async throws -> (output: String, errors: String) {
    let words = Array(commands.joined(separator: [","]))
    let child = try ChildProcess(
      BuiltProduct.path(of: "secret-keeper"), [folder.store] + words, environment: environment)
    let ending = await child.end()
    #expect(ending == .exited(0), "\(child.output) \(child.errors)")
    return (child.output, child.errors)
  }
}

/// A session bus with a keyring on it, whose files lie in a folder of the test's.
final class KeyringSession {
  let environment: [String: String]
  private let bus: ChildProcess
  private let keyring: ChildProcess

  /// - Parameter password: opens the ring, which is made where there is none; nil leaves it locked.
  init(_ folder: String, password: String?) async throws {
    var variables = [
      "HOME": folder, "XDG_DATA_HOME": folder + "/data", "XDG_RUNTIME_DIR": folder + "/run",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      // Long enough for a machine with much to do.
      "KEYRING_LIMIT": "60",
    ]
    try FileManager.default.createDirectory(
      atPath: folder + "/run", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // A bus that starts no programs: a question that comes too early would start a second keyring.
    let settings = folder + "/bus.conf"
    try Data(
      """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(folder)/session-bus</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*"/> <allow receive_sender="*"/> <allow own="*"/>
        </policy>
      </busconfig>
      """.utf8
    ).write(to: URL(filePath: settings))
    let bus = try ChildProcess(
      try #require(Program.path(of: "dbus-daemon")),
      ["--config-file=\(settings)", "--nofork", "--print-address=1"], environment: variables)
    #expect(await eventually { bus.output.contains("\n") || !bus.isRunning })
    let address = try #require(bus.output.split(separator: "\n").first, "\(bus.errors)")
    variables["DBUS_SESSION_BUS_ADDRESS"] = String(address)
    let keyring = try ChildProcess(
      try #require(Program.path(of: "gnome-keyring-daemon")),
      ["--foreground", "--components=secrets"] + (password == nil ? [] : ["--unlock"]),
      input: .text(password ?? ""), environment: variables)
    environment = variables
    self.bus = bus
    self.keyring = keyring
    // Until it answers as it is meant to.
    let expected = password == nil ? "locked" : "the system's keyring"
    let isReady = try await eventually {
      let asking = try keeper(folder + "/nothing", "backend", environment: variables)
      return await asking.end() == .exited(0) && asking.output.contains(expected)
    }
    try #require(isReady, "\(keyring.errors) \(keyring.output)")
  }

  deinit { end() }

  /// Stops the keyring, or lets it go on.
  func signal(_ number: Int32) { keyring.signal(number) }

  func end() {
    keyring.kill()
    bus.kill()
    try? FileManager.default.removeItem(atPath: (environment["HOME"] ?? "") + "/session-bus")
  }
}

/// A socket that lets others connect and then says nothing.
final class SilentSocket {
  private let descriptor: Int32

  init(_ path: String) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      room.copyBytes(from: path.utf8.prefix(room.count - 1))
    }
    let isListening = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
          && listen(descriptor, 8) == 0
      }
    }
    try #require(isListening)
  }

  deinit { close(descriptor) }
}
