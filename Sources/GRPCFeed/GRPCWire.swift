// GRPCFeed: feeds whose articles a gRPC server streams (`Protos/telex/feed/v1/feed.proto`). The front door is
// `GRPCWire`. There is nothing here without the trait `GRPC`.

#if GRPC
  package import HTTP
  package import News
  package import Services

  /// Feeds at `grpc://HOST:PORT/FEED`, and over TLS at `grpcs://HOST:PORT/FEED`.
  package struct GRPCWire: FeedWire {
    package init() {}

    /// Lets the program read such feeds.
    package static func install() { FeedWires.install(GRPCWire()) }

    package var schemes: Set<String> { ["grpc", "grpcs"] }

    package func pages(of url: String, limits: HTTPLimits, by way: WireWay) -> any PageSource {
      GRPCFeedSource(url: url, limits: limits, way: way)
    }
  }
#endif
