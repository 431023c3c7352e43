#if GRPC
  internal import GRPCCore
  internal import GRPCNIOTransportHTTP2
  internal import GRPCProtobuf
  internal import SwiftProtobuf
  internal import Synchronization

  @testable internal import GRPCFeed

  /// A server of feeds in memory, with faults on demand.
  final class GRPCFeedServer: Sendable {
    struct State {
      var feed = Telex_Feed_V1_Feed()
      /// The newest first.
      var articles: [Telex_Feed_V1_Article] = []
      /// Articles on a page, whatever is asked for.
      var pageSize = 3
      /// Ends a page after this many articles, without its end.
      var cutsAfter: Int?
      var failure: RPCError?
      /// Sends nothing more after this many articles, and ends nothing.
      var hangsAfter: Int?
      /// Names the page that was asked for as the next one.
      var circles = false
      var requests: [Telex_Feed_V1_ListArticlesRequest] = []
      /// Calls that have ended because the client did not want them any more.
      var cancelled = 0
    }

    let state = Mutex(State())

    /// - Parameter body: is given the address of the feed "news".
    func whileServing<Value: Sendable>(
      _ body: @escaping @Sendable (_ url: String) async throws -> Value
    ) async throws -> Value {
      let transport = HTTP2ServerTransport.Posix(
        address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext)
      return try await withGRPCServer(transport: transport, services: [Service(server: self)]) {
        server in
        guard let port = try await server.listeningAddress?.ipv4?.port else {
          throw RPCError(code: .internalError, message: "no port")
        }
        return try await body("grpc://127.0.0.1:\(port)/news")
      }
    }

    private struct Service: RegistrableRPCService {
      let server: GRPCFeedServer

      func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
          forMethod: Telex_Feed_V1_FeedService.Method.ListArticles.descriptor,
          deserializer: ProtobufDeserializer<Telex_Feed_V1_ListArticlesRequest>(),
          serializer: ProtobufSerializer<Telex_Feed_V1_ListArticlesResponse>()
        ) { request, context in
          let request = try await ServerRequest(stream: request)
          return StreamingServerResponse { writer in
            try await listArticles(request: request.message, response: writer, context: context)
            return [:]
          }
        }
      }

      private func listArticles(
        request: Telex_Feed_V1_ListArticlesRequest,
        response: RPCWriter<Telex_Feed_V1_ListArticlesResponse>, context: ServerContext
      ) async throws {
        let state = server.state.withLock { state in
          state.requests.append(request)
          return state
        }
        if let failure = state.failure { throw failure }
        guard request.feed == "news" else {
          throw RPCError(code: .notFound, message: "there is no feed \(request.feed)")
        }
        let start = Int(request.cursor) ?? 0
        try await response.write(.with { $0.feed = state.feed })
        let page = state.articles.dropFirst(start).prefix(state.pageSize)
        for (index, article) in page.enumerated() {
          if index == state.cutsAfter { return }
          if index == state.hangsAfter { return try await hang(until: context.cancellation) }
          try await response.write(.with { $0.article = article })
        }
        let next = start + page.count
        try await response.write(
          .with {
            $0.end.nextCursor =
              state.circles ? request.cursor : next < state.articles.count ? "\(next)" : ""
          })
      }

      private func hang(until end: ServerContext.RPCCancellationHandle) async throws {
        try await end.cancelled
        server.state.withLock { $0.cancelled += 1 }
        throw CancellationError()
      }
    }
  }
#endif
