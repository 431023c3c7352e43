/// What the network library of this machine can do.
package struct NetworkLibrary: Sendable, Hashable {
  package enum Feature: String, Sendable, Hashable, CaseIterable {
    case http2 = "HTTP/2"
    case http3 = "HTTP/3"
    case gzip
    case brotli
    case zstd
  }

  /// As in `7.88.1`.
  package var version: String
  /// As in `OpenSSL/3.0.19`; the ones in parentheses could be used and are not.
  package var tls: String
  package var features: Set<Feature>
  /// The system's bundle of trusted certificates, where the library knows of one.
  package var certificates: String?

  /// Opens it, which takes some milliseconds the first time.
  ///
  /// - Throws: `HTTPError` where there is none that can be used.
  package static func load() throws -> NetworkLibrary {
    let library = try CurlLibrary.shared.get()
    return NetworkLibrary(
      version: library.version, tls: library.tls, features: library.features,
      certificates: library.systemCAFile)
  }
}
