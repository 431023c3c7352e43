// What tests need of the machine beyond what `make build` installs, and the one place that decides
// what becomes of a test where it is missing: `.needs(…)`.

internal import ChildProcess
internal import Foundation
package import Testing

/// A program, a library or a right that a test needs. `make test` installs what can be installed
/// (`DEBIAN_TESTS` in the Makefile).
package struct Requirement: Sendable {
  /// What is missing, and how it comes.
  let missing: String
  let isMet: @Sendable () async -> Bool

  init(_ missing: String, _ isMet: @escaping @Sendable () async -> Bool) {
    self.missing = missing
    self.isMet = isMet
  }
}

extension Requirement {
  package static let openssl = program("openssl", of: "openssl")
  /// HTTP/2 over TLS.
  package static let nghttpd = program("nghttpd", of: "nghttp2-server")
  package static let zsh = program("zsh", of: "zsh")
  package static let fish = program("fish", of: "fish")
  /// Readers of manual pages that tell what is wrong with them.
  package static let groff = program("groff", of: "groff-base")
  package static let mandoc = program("mandoc", of: "mandoc")
  package static let tmux = program("tmux", of: "tmux")
  /// The client library of the Secret Service.
  package static let libsecret = Requirement("libsecret-1.so.0 (package libsecret-1-0)") {
    hasLibrary("libsecret-1.so.0")
  }
  /// The D-Bus client of the network monitor.
  package static let glib = Requirement("libgio-2.0.so.0 (package libglib2.0-0)") {
    hasLibrary("libgio-2.0.so.0")
  }
  /// A session bus and a keyring that a test starts for itself.
  package static let keyring = Requirement(
    "dbus-daemon, gnome-keyring-daemon and libsecret (packages dbus-daemon, gnome-keyring)"
  ) {
    Program.path(of: "dbus-daemon") != nil && Program.path(of: "gnome-keyring-daemon") != nil
      && hasLibrary("libsecret-1.so.0")
  }
  /// A device on which every write finds no room.
  package static let fullDevice = Requirement("/dev/full (Linux)") {
    FileManager.default.fileExists(atPath: "/dev/full")
  }
  /// A small disk of the test's own.
  package static let mountNamespace = Requirement("the right to mount in a namespace (Linux)") {
    await succeeds("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt")
  }
  /// A network of the test's own.
  package static let networkNamespace = Requirement(
    "the right to make a network namespace (Linux), and iproute2"
  ) {
    let command =
      "ip link add eth0 type veth peer name eth1 && nsenter --preserve-credentials -n -t $$ ip link"
    return await succeeds("unshare", "-rn", "sh", "-c", command)
  }
  /// A kernel in which a process can give up system calls, on a processor whose numbers of them are known.
  package static let systemCallFilter = Requirement("seccomp (Linux on x86_64 or AArch64)") {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp/actions_avail")
    #else
      false
    #endif
  }
  /// A way to run a program to which closed folders are closed (`Program.unprivileged`).
  package static let unprivileged = Requirement("a user other than root, or setpriv (Linux)") {
    guard let words = Program.unprivileged else { return false }
    return words.isEmpty ? true : await succeeds(words[0], words.dropFirst() + ["true"])
  }

  /// Libraries that are opened at run time, each by one of its names.
  package static func libraries(
    _ libraries: [(fileNames: [String], package: String)]
  ) -> Requirement {
    let packages = libraries.map(\.package).joined(separator: ", ")
    let names = libraries.map(\.fileNames)
    return Requirement("a library of the packages \(packages)") {
      names.allSatisfy { $0.contains { dlopen($0, RTLD_NOW | RTLD_LOCAL) != nil } }
    }
  }

  private static func program(_ name: String, of package: String) -> Requirement {
    Requirement("the program \(name) (package \(package))") { Program.path(of: name) != nil }
  }

  private static func hasLibrary(_ name: String) -> Bool {
    #if os(Linux)
      dlopen(name, RTLD_NOW | RTLD_LOCAL) != nil
    #else
      false
    #endif
  }

  private static func succeeds(_ executable: String, _ arguments: String...) async -> Bool {
    await succeeds(executable, arguments)
  }

  private static func succeeds(_ executable: String, _ arguments: [String]) async -> Bool {
    guard let process = try? ChildProcess(executable, arguments) else { return false }
    return await process.end() == .exited(0)
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test, or the suite, where the machine has what it needs. Elsewhere it is skipped; but
  /// where the variable `CI` is set it fails, because a test that nobody sees skipped proves nothing.
  package static func needs(
    _ requirement: Requirement, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    .enabled(Comment(rawValue: "needs \(requirement.missing)"), sourceLocation: sourceLocation) {
      if await requirement.isMet() { return true }
      let isSet = ProcessInfo.processInfo.environment["CI"].map { !$0.isEmpty } ?? false
      // macOS has no package of some, and the tests in question are of Linux.
      guard isSet, !Self.isDarwin else { return false }
      throw MissingRequirement(
        description: "CI is set, but this machine lacks \(requirement.missing)")
    }
  }

  private static var isDarwin: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }
}

private struct MissingRequirement: Error, CustomStringConvertible {
  let description: String
}

/// Programs of the system.
package enum Program {
  /// The path of a program in `PATH`, or where systems put servers and where Homebrew puts programs.
  package static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders + ["/usr/bin", "/usr/sbin", "/opt/homebrew/bin", "/usr/local/bin"])
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Words before a command that take root's right to open everything; none for other users, nil
  /// where there is no way.
  package static var unprivileged: [String]? {
    if geteuid() != 0 { return [] }
    return path(of: "setpriv").map { [$0, "--bounding-set=-all", "--inh-caps=-all"] }
  }
}
