internal import ChildProcess
internal import Foundation
internal import Secrets
internal import Testing

/// A folder of a test's own, gone when the test is over. Short, for the sake of sockets in it.
struct TestFolder: ~Copyable {
  let path: String

  init() throws {
    path = "/tmp/telex-secrets-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a store keeps its file; made by the store.
  var store: String { path + "/store" }
  var file: String { store + "/credentials.json" }

  func makeStore() -> SecretStore { SecretStore(folder: store, usesKeyring: false) }

  /// What the file holds; nil where there is none.
  func fileText() -> String? {
    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Everything in all files of the store.
  func everything() throws -> String {
    try FileManager.default.contentsOfDirectory(atPath: store)
      .map { try String(contentsOfFile: store + "/" + $0, encoding: .utf8) }
      .joined(separator: "\n")
  }
}

func permissions(_ path: String) throws -> Int {
  try #require(
    FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}

func name(
  _ origin: String = "https://example.org", _ account: String = "me",
  _ kind: SecretName.Kind = .bearer
) throws -> SecretName {
  try SecretName(origin: origin, account: account, kind: kind)
}

/// The program `secret-keeper` at work on a folder.
func keeper(
  _ folder: String, _ commands: String..., input: ChildProcess.Input = .text(""),
  environment: [String: String]? = nil
) throws -> ChildProcess {
  try ChildProcess(
    BuiltProduct.path(of: "secret-keeper"), [folder] + commands, input: input,
    environment: environment)
}
