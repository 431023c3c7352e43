#if GRPC
  internal import Foundation
  internal import GRPCCore
  internal import GRPCNIOTransportHTTP2
  internal import GRPCProtobuf
  internal import HTTP
  internal import News
  internal import Services
  internal import Synchronization
  internal import Text

  /// A feed of a gRPC server, page by page. Each page is a call of its own, over a connection of its own.
  struct GRPCFeedSource: PageSource {
    /// Articles that a page is asked for, and that one may have.
    static let pageSize: Int32 = 100
    static let mostArticles = 1_000

    let url: String
    let limits: HTTPLimits
    let way: WireWay

    func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
      try await way.check()
      let place = try GRPCPlace(url)
      var request = Telex_Feed_V1_ListArticlesRequest()
      request.feed = place.feed
      request.cursor = cursor?.rawValue ?? ""
      request.pageSize = Self.pageSize
      let part = PartOfPage(GRPCPageReading(base: url, limit: limits.maxBodyBytes ?? 32 << 20))
      do {
        try await stream(request, from: place) { message in
          try part.reading.withLock { try $0.take(message) }
        }
      } catch let error as SourceError {
        throw error
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        try Task.checkCancellation()
        return try cut(by: told(error), part.reading.withLock { $0 }, cursor)
      }
      let read = part.reading.withLock { $0 }
      guard let next = read.next else { return try cut(by: Self.cutShort(url), read, cursor) }
      if cursor == nil, read.digest.stored == known.bodyDigest {
        return PageAnswer(.unchanged(Validators()))
      }
      var page = read.page(isNewest: cursor == nil)
      if cursor == nil { page.bodyDigest = read.digest.stored }
      if next == cursor?.rawValue {
        page.beginsToRepeat = true
        page.warnings.append("The server names the same page as the next one: none follows.")
      } else if !next.isEmpty {
        page.nextCursor = Cursor(next)
      }
      return PageAnswer(.page(page))
    }

    /// The part of a page that has come while it is streamed.
    private final class PartOfPage: Sendable {
      let reading: Mutex<GRPCPageReading>

      init(_ reading: GRPCPageReading) { self.reading = Mutex(reading) }
    }

    /// Keeps the part of the newest page that came before it broke off; an older page is asked for again.
    private func cut(
      by error: SourceError, _ read: GRPCPageReading, _ cursor: Cursor?
    ) throws -> PageAnswer {
      guard cursor == nil, !read.entries.isEmpty else { throw error }
      var page = read.page(isNewest: true)
      page.isCut = true
      page.problem = error
      return PageAnswer(.page(page))
    }

    static func cutShort(_ url: String) -> SourceError {
      SourceError(
        .cutShort, stage: .fetch, subject: WebAddress.redacted(url),
        message: "the server ended its answer before its end", next: "try again later")
    }

    // MARK: - The call

    /// Ends the call where the server is silent for as long as the limits allow, and where the task is cancelled.
    private func stream(
      _ request: Telex_Feed_V1_ListArticlesRequest, from place: GRPCPlace,
      _ take: @escaping @Sendable (Telex_Feed_V1_ListArticlesResponse) throws -> Void
    ) async throws {
      let heard = LastHeard()
      let silence = limits.silence
      var options = CallOptions.defaults
      options.timeout = limits.total ?? .seconds(300)
      options.maxResponseMessageBytes = limits.maxBodyBytes
      let call = options
      let transport = try HTTP2ClientTransport.Posix(
        target: .dns(host: place.host, port: place.port),
        transportSecurity: place.isSecure ? .tls : .plaintext)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await withGRPCClient(transport: transport) { client in
            let service = Telex_Feed_V1_FeedService.Client(wrapping: client)
            try await service.listArticles(request, options: call) { response in
              for try await part in response.messages {
                heard.moment.withLock { $0 = .now }
                try take(part)
              }
            }
          }
        }
        group.addTask {
          while true {
            let end = heard.moment.withLock { $0 + silence }
            guard end > .now else { break }
            try await Task.sleep(until: end, clock: .continuous)
          }
          throw RPCError(code: .deadlineExceeded, message: "nothing came for \(silence)")
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    private final class LastHeard: Sendable {
      let moment = Mutex(ContinuousClock.now)
    }

    // MARK: - Errors

    private func told(_ error: any Error) -> SourceError {
      guard let error = error as? RPCError else {
        return SourceError(
          .refused, stage: .connect, subject: WebAddress.redacted(url),
          message: "the server cannot be reached", next: "try again later")
      }
      let (kind, stage, status, next): (SourceError.Kind, SourceError.Stage, Int?, String) =
        switch error.code {
        case .unavailable: (.refused, .connect, nil, "check the address and the port")
        case .deadlineExceeded: (.timeout, .fetch, nil, "try again later")
        case .cancelled, .aborted: (.cutShort, .fetch, nil, "try again later")
        case .unauthenticated: (.status, .fetch, 401, "this feed asks for a sign-in")
        case .permissionDenied: (.status, .fetch, 403, "the server does not want you here")
        case .notFound: (.status, .fetch, 404, "check the name of the feed in the address")
        case .invalidArgument, .failedPrecondition, .outOfRange:
          (.status, .fetch, 400, "telex doctor ADDRESS tells more")
        case .unimplemented:
          (.notAFeed, .parse, nil, "the server has no telex.feed.v1.FeedService")
        case .resourceExhausted:
          (.tooLarge, .fetch, nil, "raise max_body_bytes in the settings, or try again later")
        default: (.status, .fetch, 500, "try again later")
        }
      let text = PlainText.sanitized(String(error.message.prefix(200)))
      return SourceError(
        kind, stage: stage, subject: WebAddress.redacted(url),
        message: "the server answers \(error.code)" + (text.isEmpty ? "" : ": \(text)"),
        next: next, status: status)
    }
  }

  struct GRPCPlace: Hashable, Sendable {
    let host: String
    let port: Int
    let isSecure: Bool
    let feed: String

    /// - Throws: `SourceError`.
    init(_ url: String) throws {
      let scheme = WebAddress.scheme(of: url) ?? ""
      isSecure = scheme == "grpcs"
      do {
        let address = try HTTPURL((isSecure ? "https" : "http") + url.dropFirst(scheme.count))
        guard address.userInfo == nil, address.query == nil else {
          throw HTTPError(
            .badURL, "A gRPC address has neither a name nor a query.", host: address.host)
        }
        host = address.host.trimmingCharacters(in: ["[", "]"])
        port = address.port ?? (isSecure ? 443 : 80)
        feed = String(address.path.drop { $0 == "/" }).removingPercentEncoding ?? ""
      } catch let error as HTTPError {
        throw SourceError(error, url: url)
      }
    }
  }
#endif
