internal import CZlib

extension NetworkLibrary {
  /// The name of zlib with the version that runs.
  package static var zlibVersion: String { "zlib \(String(cString: CZlib.zlibVersion()))" }

  /// Whether bodies coded by brotli can be read. Opens its library.
  package static var hasBrotli: Bool { BrotliLibrary.shared != nil }
}
