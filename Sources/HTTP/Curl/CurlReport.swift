internal import CCurl

/// Report on a transfer (`curl_easy_getinfo`): times, bytes, the connection and the proxy.
struct CurlReport {
  private let functions: curl_functions
  private let easy: UnsafeMutableRawPointer

  init(_ functions: curl_functions, _ easy: UnsafeMutableRawPointer) {
    self.functions = functions
    self.easy = easy
  }

  /// The metrics, without those that only curl's messages have.
  var metrics: HTTPMetrics {
    var metrics = HTTPMetrics()
    metrics.dns = duration(CURLINFO_NAMELOOKUP_TIME_T)
    metrics.connect = duration(CURLINFO_CONNECT_TIME_T)
    metrics.tls = duration(CURLINFO_APPCONNECT_TIME_T)
    metrics.firstByte = duration(CURLINFO_STARTTRANSFER_TIME_T)
    metrics.total = duration(CURLINFO_TOTAL_TIME_T)
    metrics.isConnectionReused = long(CURLINFO_NUM_CONNECTS) == 0
    metrics.address = address
    metrics.bytesReceived = Int(offset(CURLINFO_SIZE_DOWNLOAD_T))
    metrics.bytesSent = Int(offset(CURLINFO_SIZE_UPLOAD_T))
    return metrics
  }

  var certificate: Certificate? {
    withUnsafePointer(to: functions) { curl_info_certificate($0, easy) }
      .flatMap { Certificate(pem: String(cString: $0)) }
  }

  /// The `errno` of the last failed connection.
  var osError: Int32 { Int32(long(CURLINFO_OS_ERRNO)) }

  var verdict: Int { long(CURLINFO_SSL_VERIFYRESULT) }

  /// - Parameter isReady: whether everything before the request is done.
  func proxyState(of order: CurlOrder, isReady: Bool) -> CurlProxyState? {
    guard let proxy = CurlProxy(order.proxy) else { return nil }
    return CurlProxyState(
      proxy: proxy, host: order.url.host,
      isTunnel: proxy.isSOCKS || order.url.isSecure || order.request.upgrade != nil,
      // curl gives the time of the connection only when everything before the request is done.
      isConnected: !address.isEmpty, isReady: isReady,
      status: long(CURLINFO_HTTP_CONNECTCODE),
      code: CURLproxycode(UInt32(long(CURLINFO_PROXY_ERROR))))
  }

  private var address: String {
    withUnsafePointer(to: functions) { curl_info_text($0, easy, CURLINFO_PRIMARY_IP) }
      .map { String(cString: $0) } ?? ""
  }

  private func duration(_ info: CURLINFO) -> Duration { .microseconds(offset(info)) }

  private func long(_ info: CURLINFO) -> Int {
    withUnsafePointer(to: functions) { curl_info_long($0, easy, info) }
  }

  private func offset(_ info: CURLINFO) -> curl_off_t {
    withUnsafePointer(to: functions) { curl_info_offset($0, easy, info) }
  }
}
