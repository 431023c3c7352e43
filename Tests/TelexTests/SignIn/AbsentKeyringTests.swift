import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Requirements
import TestSupport
import Testing

/// Accounts whose secrets lie in a keyring that cannot be read for a while. In these tests a file stands in for it,
/// which is away while there is no session bus to look for them by.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AbsentKeyringTests {
  private static let item: Int64 = 1_773_000_000_000_001

  private func library() -> GoogleReaderModel {
    var library = GoogleReaderModel()
    let news = library.subscribe(
      to: "https://a.example/feed", title: "News", page: "https://a.example/", folders: ["Work"])
    library.insert([
      GoogleReaderModel.Item(
        id: Self.item, feed: news.stream, title: "Story", url: "https://a.example/1",
        html: "<p>Text</p>", published: 1_773_000_000, crawled: Self.item)
    ])
    return library
  }

  @Test(.needs(.libsecret), arguments: [GoogleReaderQuirks.freshRSS, .miniflux])
  func `A sync while the keyring is away signs nobody out`(_ quirks: GoogleReaderQuirks)
    async throws
  {
    let server = GoogleReaderServer(quirks)
    server.addUser("ada", password: "secret", library: library())
    let sandbox = try Sandbox()
    try await server.whileServing { server in
      let login = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      try #require(try await sandbox.telex("refresh").status == 0)

      try await checkAbsence(of: sandbox.secrets, sandbox) { server.forgetRequests() }
      #expect(server.requests.isEmpty)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story")
      try reader.send("s")
      #expect(try await reader.quit() == .exited(0))

      try sandbox.secrets.giveBack()
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(server.library(of: "ada").starred == [Self.item])
    }
  }

  @Test(.needs(.libsecret))
  func `Tokens that cannot be read are not asked for anew`() async throws {
    try await withNewspaper { server, sandbox in
      server.addUser("ada", password: "secret")
      let login = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      try await sandbox.add(server.apiURL)
      try await checkAbsence(of: sandbox.secrets, sandbox)
      try sandbox.secrets.giveBack()
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
    }
  }

  /// Takes the secrets away and refreshes.
  private func checkAbsence(
    of secrets: StoredSecrets, _ sandbox: Sandbox, before: () -> Void = {}
  ) async throws {
    try secrets.takeAway()
    before()
    let away = try await sandbox.telex("refresh")
    #expect(away.status == 1, "\(away.testDescription)")
    #expect(away.errors.contains("not at hand: there is no session bus"), "\(away.errors)")
    #expect(away.errors.contains("DBUS_SESSION_BUS_ADDRESS"), "\(away.errors)")
    #expect(!away.errors.contains("nothing is asked there until you sign in"), "\(away.errors)")
    let accounts = try await sandbox.telex("accounts", "--json").jsonLines()
    #expect(!accounts.contains { $0["needsSignIn"] as? Bool == true }, "\(accounts)")
  }
}

/// The file of secrets of a sandbox.
private struct StoredSecrets {
  let path: String
  private var hidden: String { path + ".away" }

  func takeAway() throws { try FileManager.default.moveItem(atPath: path, toPath: hidden) }

  func giveBack() throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: hidden, toPath: path)
  }
}

extension Sandbox {
  fileprivate var secrets: StoredSecrets {
    StoredSecrets(path: folder + "/.local/share/telex/secrets/credentials.json")
  }
}
