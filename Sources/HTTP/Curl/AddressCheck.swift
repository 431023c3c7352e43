internal import CCurl

/// Check of the addresses of a request, after the lookup of the name and on a kept connection.
struct AddressCheck {
  private let order: CurlOrder
  private(set) var refused: HTTPError?

  init(_ order: CurlOrder) { self.order = order }

  private var host: String { order.url.host }

  mutating func isAllowed(_ address: IPAddress?) -> Bool {
    // Behind a proxy this is the proxy's address; the host was judged before.
    guard order.proxy == .direct else { return true }
    let isAllowed = address.map { order.request.connections.allows($0, for: host) } ?? false
    if !isAllowed { refused = .addressNotAllowed(host) }
    return isAllowed
  }

  /// The error where curl reads another host in the address than `HTTPURL` does, and that one is not
  /// allowed.
  func refusal(_ functions: inout curl_functions) -> HTTPError? {
    let policy = order.request.connections
    guard !policy.exempts(host) else { return nil }
    var buffer = [CChar](repeating: 0, count: 1_024)
    guard curl_url_host(&functions, order.url.description, &buffer, buffer.count) else {
      return HTTPError(.badURL, "The address names no host that can be looked up.", host: host)
    }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self)
    let isAllowed = policy.allows(
      hostNamed: name, isLookedUpByProxy: order.proxy.keepsNamesFromLookup)
    return isAllowed ? nil : .addressNotAllowed(host)
  }
}

extension IPAddress {
  /// The address of a socket that curl is about to open.
  init?(_ address: UnsafePointer<curl_sockaddr>) {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(curl_address_bytes(address, &bytes))
    self.init(bytes: Array(bytes[..<count]))
  }
}
