import FeedServer
import Foundation
import GRDB
import Testing

/// Several people who are signed in at one server.
@Suite(.timeLimit(.minutes(5)))
struct SharedOriginTests {
  @Test func `logout asks for the user where two are signed in, and leaves what is the other's`()
    async throws
  {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      server.addUser("ada", password: "s3cret")
      let login = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: "s3cret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      try await sandbox.add(server.apiURL)
      let database = try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      try await database.write { db in
        try db.execute(
          sql: """
            INSERT INTO account (kind, base, user, capabilities, createdAt)
              SELECT kind, base, 'bob', capabilities, 0 FROM account WHERE user = 'ada'
            """)
      }
      try database.close()
      #expect(try await sandbox.telex("accounts").lines.count == 2)

      let which = try await sandbox.telex("logout", server.apiURL, "--yes")
      #expect(which.status == 2)
      #expect(which.errors.contains("ada, bob") && which.errors.contains("--user"))
      let nobody = try await sandbox.telex("logout", server.apiURL, "--user", "eve", "--yes")
      #expect(nobody.status == 2 && nobody.errors.contains("as eve"))
      #expect(try await sandbox.telex("accounts").lines.count == 2)

      let bob = try await sandbox.telex("logout", server.apiURL, "--user", "bob", "--yes")
      #expect(bob.status == 0, "\(bob.testDescription)")
      #expect(try await sandbox.telex("list").lines.count == 1)
      let ada = try await sandbox.telex("logout", server.apiURL, "--yes")
      #expect(ada.status == 0, "\(ada.testDescription)")
      #expect(try await sandbox.telex("list").output == "")
      #expect(try await sandbox.telex("accounts").output == "")
      #expect(server.openSessions == 0)
    }
  }
}
