internal import CCurl

/// libcurl's functions, looked up on first use and kept for good. The program does not link
/// libcurl: the 35 libraries that come with it take 6 ms to load, and the first screen does not
/// wait for them.
struct CurlLibrary: Sendable {
  /// The oldest release with every option that is relied on (PREREQFUNCTION, 7.80).
  private static let oldestVersion: UInt32 = 0x07_50_00

  #if os(macOS)
    private static let fileName = "libcurl.4.dylib"
  #else
    private static let fileName = "libcurl.so.4"
  #endif

  /// Opened by whoever asks first. Takes some milliseconds: ask from a thread that may block.
  static let shared = open(fileName)

  let functions: curl_functions
  let version: String
  /// The system's bundle of trusted certificates, if the library was built with one.
  let systemCAFile: String?
  /// As in `OpenSSL/3.0.19`.
  let tls: String
  let isOpenSSL: Bool
  let features: Set<NetworkLibrary.Feature>
  /// Whether it shows the records of TLS that come in, each to the transfer that reads it.
  let showsRecords: Bool
  let brotli: BrotliLibrary?
  let versions: HTTPVersionRule

  static func open(_ fileName: String) -> Result<CurlLibrary, HTTPError> {
    var functions = curl_functions()
    if let missing = curl_functions_open(fileName, &functions) {
      return .failure(unusable("\(String(cString: missing)) was not found", fileName))
    }
    guard functions.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      let info = curl_library_info(&functions)?.pointee
    else { return .failure(unusable("it did not start", fileName)) }
    let version = String(cString: info.version)
    guard info.version_num >= oldestVersion else {
      return .failure(unusable("version \(version) is too old, 7.80 is needed", fileName))
    }
    let systemCAFile = info.cainfo.map { String(cString: $0) }
    // A library in parentheses is one that could be used and is not.
    let tls = info.ssl_version.map { String(cString: $0) } ?? ""
    let isOpenSSL = tls.split(separator: " ").contains { name in
      ["OpenSSL", "LibreSSL", "BoringSSL", "quictls"].contains { name.hasPrefix($0) }
    }
    let brotli = BrotliLibrary.shared
    let features = features(info.features, hasBrotli: brotli != nil)
    return .success(
      CurlLibrary(
        functions: functions, version: version, systemCAFile: systemCAFile, tls: tls,
        isOpenSSL: isOpenSSL, features: features,
        // Older ones may show them to a transfer that is gone.
        showsRecords: isOpenSSL && info.version_num >= 0x07_58_00, brotli: brotli,
        versions: HTTPVersionRule(
          hasFeature: features.contains(.http3), version: info.version_num)))
  }

  /// Codings are undone without curl (`ContentDecoder`).
  private static func features(_ bits: Int32, hasBrotli: Bool) -> Set<NetworkLibrary.Feature> {
    var features: Set<NetworkLibrary.Feature> = [.gzip, .zstd]
    if hasBrotli { features.insert(.brotli) }
    if bits & CURL_VERSION_HTTP2 != 0 { features.insert(.http2) }
    if bits & CURL_VERSION_HTTP3 != 0 { features.insert(.http3) }
    return features
  }

  private static func unusable(_ reason: String, _ fileName: String) -> HTTPError {
    HTTPError(
      .other, "The network library \(fileName) cannot be used: \(reason). Install libcurl.",
      detail: reason)
  }
}
