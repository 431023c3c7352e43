internal import Foundation
internal import Secrets

/// Works on a store of secrets from a process of its own, so that tests can kill it, compete with it,
/// and give it an environment with or without a keyring.
///
/// `secret-keeper FOLDER COMMAND… [, COMMAND…]`, where a command is `backend`, `get ORIGIN ACCOUNT`,
/// `put ORIGIN ACCOUNT SECRET`, `remove ORIGIN ACCOUNT`, `write NAME COUNT`
/// (that many accounts, one after the other), `churn` (a secret replaced until it is killed), `ask
/// TEMPLATE USER HOST` (a password command) or `wait` (until standard input ends).
@main struct SecretKeeper {
  static let origin = "https://example.org"

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first else { exit(2) }
    let variables = ProcessInfo.processInfo.environment
    let limit = variables["KEYRING_LIMIT"].flatMap { Int($0) } ?? 1
    let rest = variables["KEYRING_REST"].flatMap { Int($0) } ?? 30
    let store = SecretStore(folder: folder, limit: .seconds(limit), rest: .seconds(rest)) {
      backend in
      FileHandle.standardError.write(Data("fallback: \(backend)\n".utf8))
    }
    do {
      for command in arguments.dropFirst().split(separator: ",") {
        try await obey(Array(command), store)
      }
    } catch let error as SecretError {
      print("failed: \(error.kind): \(error.subject): \(error.message); \(error.next)")
      exit(1)
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }

  private static func obey(_ words: [String], _ store: SecretStore) async throws {
    func name() throws -> SecretName {
      try SecretName(origin: words[1], account: words[2], kind: .bearer)
    }
    switch words[0] {
    case "backend": print(await store.backend())
    case "get":
      do {
        print(try await store.secret(for: name())?.text ?? "none")
      } catch let error as SecretError where error.isOfAbsence {
        print("away: \(error.subject): \(error.message); \(error.next)")
      }
    case "put": try await store.store(Secret(words[3]), for: name())
    case "remove": try await store.remove(name())
    case "write":
      for number in 0..<(Int(words[2]) ?? 0) {
        let name = try SecretName(origin: origin, account: "\(words[1])\(number)", kind: .password)
        try await store.store(Secret("secret of \(words[1])\(number)"), for: name)
      }
    case "churn":
      let name = try SecretName(origin: origin, account: "churned", kind: .bearer)
      for number in 1... {
        // Of one letter, so that a mixture of two can be seen.
        let letter = Character(UnicodeScalar(UInt8(97 + number % 26)))
        try await store.store(Secret(String(repeating: letter, count: 20_000)), for: name)
        print("stored \(number)")
        fflush(nil)
      }
    case "ask":
      let command = try PasswordCommand(words[1])
      print(try await command.secret(user: words[2], host: words[3]).text)
    case "wait":
      print("waiting")
      fflush(nil)
      while readLine() != nil {}
    default: exit(2)
    }
  }
}
