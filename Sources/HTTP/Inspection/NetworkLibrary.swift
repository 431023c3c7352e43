internal import CZlib

/// Version and features of the libcurl of this machine.
package struct NetworkLibrary: Sendable, Hashable {
  package enum Feature: String, Sendable, Hashable, CaseIterable {
    case http2 = "HTTP/2"
    case http3 = "HTTP/3"
    case gzip, brotli, zstd
  }

  /// A version such as `7.88.1`.
  package var version: String
  /// The TLS library, such as `OpenSSL/3.0.19`. Those in parentheses are available and not in use.
  package var tls: String
  package var features: Set<Feature>
  /// Whether requests are sent over HTTP/3 with it.
  package var http3: HTTPVersionRule.Support
  /// The path of the trusted certificates, where the library knows it.
  package var certificates: String?

  /// Opens the library, which takes some milliseconds the first time.
  ///
  /// - Throws: `HTTPError` where there is none that can be used.
  package static func load() throws -> NetworkLibrary {
    let library = try CurlLibrary.shared.get()
    return NetworkLibrary(
      version: library.version, tls: library.tls, features: library.features,
      http3: library.versions.support,
      certificates: library.systemCAFile)
  }

  /// The name of zlib with the version that runs.
  package static var zlibVersion: String { "zlib \(String(cString: CZlib.zlibVersion()))" }

  /// Whether bodies coded by brotli can be read. Opens its library.
  package static var hasBrotli: Bool { BrotliLibrary.shared != nil }
}
