internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Synchronization
internal import Testing

/// Changes that a sync server answers with a redirect, or with a page: seen where a proxy asks for a sign-in of its own.
/// Only what the API itself says is a success.
@Suite struct SyncRedirectTests {
  /// A change of which no answer is read.
  enum Change: CaseIterable {
    case readAtMiniflux, renameAtMiniflux, addAtMiniflux, removeAtMiniflux, saveAtMiniflux
    case readAtNextcloud, removeAtNextcloud, renameAtNextcloud
    case readAtFeedbin, addAtFeedbin

    func send(to base: String) async throws {
      let settings = SyncServerSettings(base: base + "/api", user: "ada")
      let http = readerHTTP()
      let miniflux = MinifluxClient(settings, .password, client: http) { "secret" }
      let nextcloud = NextcloudNewsClient(settings, client: http) { "secret" }
      let feedbin = FeedbinClient(settings, client: http) { "secret" }
      switch self {
      case .readAtMiniflux: try await miniflux.mark([1], .read, true)
      case .renameAtMiniflux: try await miniflux.rename("1", "Other")
      case .addAtMiniflux: try await miniflux.subscribe(to: "https://example.org/feed")
      case .removeAtMiniflux: try await miniflux.unsubscribe("1")
      case .saveAtMiniflux: try await miniflux.saveForLater("1")
      case .readAtNextcloud: try await nextcloud.mark([1], .read, true)
      case .removeAtNextcloud: try await nextcloud.unsubscribe("1")
      case .renameAtNextcloud: try await nextcloud.rename("1", "Other")
      case .readAtFeedbin: try await feedbin.mark([1], .read, true)
      case .addAtFeedbin: try await feedbin.subscribe(to: "https://example.org/feed")
      }
    }
  }

  /// What stands at the address of the change.
  enum Answer: CaseIterable {
    /// A redirect to a page of the same server.
    case login301, login302, login303
    case noLocation, notModified, page
    /// A redirect to an empty success.
    case nothing303

    var reply: WireReply {
      switch self {
      case .login301: WireReply(status: 301, headers: [("Location", "/login")])
      case .login302: WireReply(status: 302, headers: [("Location", "/login?next=secret")])
      case .login303: WireReply(status: 303, headers: [("Location", "/login")])
      case .noLocation: WireReply(status: 302)
      case .notModified: WireReply(status: 304)
      case .page: Self.login
      case .nothing303: WireReply(status: 303, headers: [("Location", "/nothing")])
      }
    }

    static let login = WireReply(
      type: "text/html", text: "\n<!DOCTYPE html><title>Sign in</title><p>Who are you?")
  }

  /// Runs a change against a server that has the lists which it looks at first.
  private func send(
    _ change: Change, answer: @escaping @Sendable (WireRequest) -> WireReply
  ) async throws -> [String] {
    let seen = Mutex<[String]>([])
    try await withAnswers { request in
      if request.method == "GET", request.path.hasPrefix("/api") {
        return .reply(WireReply(type: "application/json", text: "[]"))
      }
      seen.withLock { $0.append(request.method + " " + request.path) }
      switch request.path {
      case "/login": return .reply(Answer.login)
      case "/nothing": return .reply(WireReply(status: 204))
      default: return .reply(answer(request))
      }
    } _: { base, _, _ in
      try await change.send(to: base)
    }
    return seen.withLock { $0 }
  }

  @Test(arguments: Change.allCases, Answer.allCases)
  func `A change that is led elsewhere has not arrived`(
    _ change: Change, _ answer: Answer
  ) async throws {
    let error = await #expect(throws: SourceError.self) {
      _ = try await send(change) { _ in answer.reply }
    }
    #expect(error?.isRefusal == false && error?.status == nil)
    #expect(error?.next?.contains("sent again") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test(arguments: [307, 308])
  func `A change that is led elsewhere with its body has arrived`(_ status: Int) async throws {
    let seen = try await send(.renameAtMiniflux) { request in
      request.path.hasPrefix("/moved")
        ? WireReply(status: 201, type: "application/json", text: "{}")
        : WireReply(status: status, headers: [("Location", "/moved")])
    }
    #expect(seen == ["PUT /api/feeds/1", "PUT /moved"])
  }

  @Test(arguments: [Change.addAtMiniflux, .renameAtMiniflux])
  func `The page that a change is led to is named`(_ change: Change) async throws {
    let error = await #expect(throws: SourceError.self) {
      _ = try await send(change) { _ in Answer.login302.reply }
    }
    #expect(error?.message.contains("/login") == true)
  }
}
