import ChildProcess
import FeedServer
import Foundation
import Testing

/// What proves a secret, and what becomes of the one that was there.
@Suite(.timeLimit(.minutes(10)))
struct SignInProofTests {
  private let credentials = ".local/share/telex/secrets/credentials.json"

  /// Every way to sign in, at `/feed`.
  private static let schemes: [(name: String, arguments: [String])] = [
    ("Basic", ["--user", "ada", "--basic"]), ("a key", ["--api-key", "X-Key"]),
    ("what is found there", ["--user", "ada"]),
  ]

  private func signIn(
    _ sandbox: Sandbox, at url: String, _ scheme: [String], _ secret: String
  ) async throws -> TelexCommand.Outcome {
    try await sandbox.telex(["login", url, "--password-stdin"] + scheme, stdin: secret + "\n")
  }

  @Test(arguments: schemes.map(\.arguments), [301, 302, 303, 307, 308])
  func `An answer of another server proves nothing`(scheme: [String], status: Int) async throws {
    // Whatever it is asked, it says yes: as the Feed API, and as a feed.
    let session = #"{"accessToken": "a", "refreshToken": "r", "expiresIn": 900}"#
    let about = #""api": "telex-feed", "version": 1, "#
    let other = RawServer { _ in
      .reply(WireReply(type: "application/json", text: "{\(about)" + session.dropFirst()))
    }
    let elsewhere = "http://127.0.0.1:\(try other.start())"
    let server = RawServer { request in
      .reply(WireReply(status: status, headers: [("Location", elsewhere + String(request.path))]))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outcome = try await signIn(sandbox, at: base + "/feed", scheme, "hunter2")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("another server"), "\(outcome.testDescription)")
    #expect(sandbox.contents(of: credentials) == nil)
    #expect(try await sandbox.telex("accounts").output == "")
    for request in other.requests {
      #expect(request.header("Authorization") == nil && request.header("X-Key") == nil)
    }
    await server.stop()
    await other.stop()
  }

  @Test(arguments: ["1e18", "1e308", "300000000000"])
  func `A token of any length of life is kept and used`(life: String) async throws {
    let server = RawServer { request in
      let text =
        switch request.path {
        case "/api": #"{"api": "telex-feed", "version": 1}"#
        case "/api/articles": #"{"items": []}"#
        default: #"{"accessToken": "a", "refreshToken": "r", "expiresIn": \#(life)}"#
        }
      return .reply(WireReply(type: "application/json", text: text))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outcome = try await signIn(sandbox, at: base + "/api", ["--user", "ada"], "hunter2")
    #expect(outcome.status == 0, "\(outcome.testDescription)")
    let refreshed = try await sandbox.telex("add", base + "/api")
    #expect(refreshed.status == 0, "\(refreshed.testDescription)")
    #expect(server.requests.contains { $0.header("Authorization") == "Bearer a" })
    await server.stop()
  }

  @Test func `Tokens come from the API's own server only`() async throws {
    let other = RawServer { _ in
      .reply(
        WireReply(
          type: "application/json",
          text: #"{"accessToken": "a", "refreshToken": "r", "expiresIn": 900}"#))
    }
    let elsewhere = "http://127.0.0.1:\(try other.start())"
    let server = RawServer { request in
      request.path == "/api"
        ? .reply(
          WireReply(type: "application/json", text: #"{"api": "telex-feed", "version": 1}"#))
        : .reply(WireReply(status: 303, headers: [("Location", elsewhere)]))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outcome = try await signIn(sandbox, at: base + "/api", ["--user", "ada"], "hunter2")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("another server"), "\(outcome.testDescription)")
    #expect(sandbox.contents(of: credentials) == nil)
    #expect(other.requests.isEmpty)
    await server.stop()
    await other.stop()
  }

  @Test(arguments: schemes.dropLast().map(\.arguments))
  func `A page for everybody proves no secret, and the one that works stays`(
    scheme: [String]
  ) async throws {
    let server = RawServer { request in
      let isSigned =
        request.header("Authorization") == "Basic YWRhOnJpZ2h0"
        || request.header("X-Key") == "right"
      let isOpen = request.path == "/" || isSigned
      return .reply(WireReply(status: isOpen ? 200 : 401, type: "text/plain", text: "hello"))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let unproven = try await signIn(sandbox, at: base + "/", scheme, "wrong")
    #expect(unproven.status == 1)
    #expect(unproven.errors.contains("proves nothing"), "\(unproven.testDescription)")
    #expect(sandbox.contents(of: credentials) == nil)

    #expect(try await signIn(sandbox, at: base + "/feed", scheme, "right").status == 0)
    let kept = try #require(sandbox.contents(of: credentials))
    #expect(kept.contains("right"))
    for (path, secret) in [("/", "wrong"), ("/feed", "wrong"), ("/", "right")] {
      #expect(try await signIn(sandbox, at: base + path, scheme, secret).status == 1)
      #expect(sandbox.contents(of: credentials) == kept)
    }
    #expect(try await sandbox.telex("accounts").lines.count == 1)
    await server.stop()
  }

  @Test(arguments: schemes.dropLast().map(\.arguments))
  func `Signing in keeps the cookies of its own requests, and no other has them`(
    scheme: [String]
  ) async throws {
    // A wall that asks everybody for its cookie, and a door that signs nobody in who does not bring
    // back what the refusal set, nor asks him again who is signed in.
    let server = RawServer { request in
      let cookies = request.header("Cookie") ?? ""
      guard cookies.contains("wall=1") else {
        return .reply(
          WireReply(
            status: 302, headers: [("Location", request.target), ("Set-Cookie", "wall=1; Path=/")]))
      }
      let isSigned =
        request.header("Authorization") == "Basic YWRhOnJpZ2h0"
        || request.header("X-Key") == "right"
      if cookies.contains("in=1") || isSigned && cookies.contains("door=1") {
        return .reply(
          WireReply(
            status: 200, type: "text/plain", headers: [("Set-Cookie", "in=1; Path=/")],
            text: "hello"))
      }
      return .reply(WireReply(status: 401, headers: [("Set-Cookie", "door=1; Path=/")]))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let wrong = try await signIn(sandbox, at: base + "/feed", scheme, "wrong")
    #expect(wrong.status == 1 && wrong.errors.contains("401"), "\(wrong.testDescription)")
    server.forgetRequests()
    let outcome = try await signIn(sandbox, at: base + "/feed", scheme, "right")
    #expect(outcome.status == 0, "\(outcome.testDescription)")
    #expect(
      server.requests.map { $0.header("Cookie") } == [nil, "wall=1", "wall=1; door=1"])
    await server.stop()
  }

  @Test func `A server that fails between two questions proves nothing`() async throws {
    let server = RawServer { request in
      let isSigned = request.header("Authorization") != nil
      return .reply(WireReply(status: isSigned ? 200 : 503, type: "text/plain", text: ""))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outcome = try await signIn(
      sandbox, at: base + "/feed", ["--user", "ada", "--basic"], "hunter2")
    #expect(outcome.status == 1)
    #expect(sandbox.contents(of: credentials) == nil)
    await server.stop()
  }
}
