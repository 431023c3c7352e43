internal import Foundation
internal import HTTP
internal import News

/// Live events of the Feed API, over server-sent events or a WebSocket.
struct FeedAPILive: LiveSource {
  let api: FeedAPIServer
  let wire: LiveClient.Wire
  /// Separate, because its connections stay open and would block ordinary requests.
  let client: HTTPClient

  /// Ends at once where the API offers no live events.
  func news(after eventID: String) -> AsyncThrowingStream<LiveNews, any Error> {
    let live = LiveClient(client: client)
    let token = SentToken()
    let (api, authorizer) = (api, api.fetcher.client.authorizer)
    let events = live.events(
      over: wire, after: eventID,
      renew: { try await token.renewed() },
      makeRequest: {
        var request = try await api.fetcher.routed(
          try FeedAPICatalogue.live().request(base: api.base))
        request.connections = api.connections
        let url = try HTTPURL(request.url)
        try await api.fetcher.sign(&request)
        if request.headers["Authorization"] != nil { return request }
        switch try await authorizer?.authorization(for: url) {
        case .credential(let credential): request.middlewares.append(.credential(credential))
        case .bearer(let session):
          let access = try await session.accessToken()
          token.set(access, of: session)
          request.middlewares.append(.bearer(access))
        case nil: break
        }
        return request
      })
    // The stream connects when the first element is requested, and not again after the last.
    let state = Reading(events: events)
    return AsyncThrowingStream { try await state.next { try await self.isOffered() } }
  }

  func entry(_ id: String) async throws -> Entry {
    let endpoint = FeedAPICatalogue.article(id)
    return try await SourceError.mapping(api.base) {
      let request = try api.request(endpoint)
      let response = try await api.fetcher.response(to: request)
      return Entry(try api.fetcher.value(of: endpoint, in: response, to: request), base: api.base)
    }
  }

  private func isOffered() async throws -> Bool {
    try await api.value(of: FeedAPICatalogue.about()).live == true
  }
}

/// Access token of the last request, renewed where the server refuses it.
private final class SentToken: Sendable {
  private let sent = Locked<(token: String, session: BearerSession)?>(nil)

  func set(_ token: String, of session: BearerSession) { sent.value = (token, session) }

  /// Whether renewing gave another token.
  func renewed() async throws -> Bool {
    guard let (token, session) = sent.value else { return false }
    return try await session.accessToken(insteadOf: token) != token
  }
}

/// Iterator that outlives the calls of a stream's closure.
private actor Reading {
  private var iterator: LiveEvents.Iterator?
  private let events: LiveEvents
  private var hasEnded = false

  init(events: LiveEvents) { self.events = events }

  func next(isOffered: @Sendable () async throws -> Bool) async throws -> LiveNews? {
    guard !hasEnded else { return nil }
    if iterator == nil {
      guard try await isOffered() else {
        hasEnded = true
        return .ended(nil)
      }
      iterator = events.makeAsyncIterator()
    }
    while var current = iterator.take() {
      let event = try await current.next()
      guard let event else { break }
      iterator = current
      if let news = LiveNews(event) { return news }
    }
    hasEnded = true
    return nil
  }
}

extension LiveNews {
  /// Nil for an unknown event.
  fileprivate init?(_ event: LiveEvent) {
    switch event {
    case .opened: self = .opened
    case .waiting(let until, let attempt, _): self = .waiting(until: until, attempt: attempt)
    case .ended(_, let error): self = .ended(error.map { SourceError($0, url: "") })
    case .event(let event):
      struct Subject: Decodable {
        var id: String?
        /// Of the commented article; `id` is that of the comment.
        var articleID: String?
      }
      let subject = try? HTTPCoding.decoder.decode(Subject.self, from: Data(event.data.utf8))
      let entry = subject?.id ?? ""
      switch event.name {
      case "article": self = .changed(.added(entry: entry), eventID: event.id)
      case "updated": self = .changed(.updated(entry: entry), eventID: event.id)
      case "deleted": self = .changed(.removed(entry: entry), eventID: event.id)
      case "comment":
        self = .changed(.commented(entry: subject?.articleID ?? ""), eventID: event.id)
      case "reset": self = .changed(.missed, eventID: event.id)
      default: return nil
      }
    }
  }
}
