/// The proxy of a request, or none.
package enum ProxyChoice: Sendable, Hashable {
  case direct
  /// `http://`, `https://`, `socks5://` or `socks5h://` with host and port.
  case via(String)

  /// Whether only the proxy may look names up: asking here would reveal what is read (Tor).
  package var keepsNamesFromLookup: Bool {
    guard case .via(let proxy) = self else { return false }
    let scheme = proxy.prefix { $0 != ":" }.lowercased()
    return scheme == "socks5h" || scheme == "socks4a"
  }

  /// In curl's form: an empty text means no proxy, whatever the environment says.
  var curlText: String { if case .via(let proxy) = self { proxy } else { "" } }
}

/// Choice of the proxy for each address, by the rules of `http_proxy`, `https_proxy`, `all_proxy`
/// and `no_proxy`.
package struct ProxySettings: Sendable, Hashable {
  package var http: String?
  package var https: String?
  /// Hosts that are reached without a proxy, with their subdomains; `*` stands for every host.
  package var exceptions: [String]

  /// Proxies of single hosts with their subdomains; they take precedence over the rest.
  package var hosts: [String: ProxyChoice] = [:]

  /// Invalid variables of the environment. Requests that would use such a proxy fail, rather than
  /// go without one.
  package var mistakes: [Mistake] = []

  package static let none = ProxySettings()

  package init(http: String? = nil, https: String? = nil, exceptions: [String] = []) {
    self.http = http
    self.https = https
    self.exceptions = exceptions
  }

  package static let variables = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]

  /// Lowercase names win. `HTTP_PROXY` in capitals is not read: a CGI server sets it from a request
  /// header.
  package init(environment: [String: String]) {
    func value(_ names: String...) -> (name: String, text: String)? {
      names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
    }
    let all = value("all_proxy", "ALL_PROXY")
    let (http, https) = (value("http_proxy") ?? all, value("https_proxy", "HTTPS_PROXY") ?? all)
    (self.http, self.https) = (http?.text, https?.text)
    exceptions = (value("no_proxy", "NO_PROXY")?.text ?? "")
      .split { $0 == "," || $0 == " " }
      .map { $0.lowercased() }
    for (name, text) in [http, https].compactMap({ $0 })
    where !mistakes.contains(where: { $0.variable == name }) {
      do { _ = try ProxyAddress(text) } catch {
        mistakes.append(Mistake(variable: name, message: error.message))
      }
    }
  }

  /// A variable of the environment that is no address of a proxy.
  package struct Mistake: Sendable, Hashable {
    package let variable: String
    /// A sentence without the address, which may contain a password.
    package let message: String
  }

  package func choice(for url: HTTPURL) -> ProxyChoice {
    if let choice = hosts[url.host] { return choice }
    let parents = hosts.filter { url.host.hasSuffix("." + $0.key) }
    if let nearest = parents.max(by: { $0.key.utf8.count < $1.key.utf8.count }) {
      return nearest.value
    }
    guard let proxy = url.isSecure ? https : http, !isException(url) else { return .direct }
    return .via(proxy)
  }

  private func isException(_ url: HTTPURL) -> Bool {
    if url.isLoopback { return true }
    return exceptions.contains { exception in
      let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
      return name == "*" || url.host == name || url.host.hasSuffix(".\(name)")
        || url.authority == name
    }
  }
}
