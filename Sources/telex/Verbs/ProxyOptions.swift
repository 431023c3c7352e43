internal import ArgumentParser
internal import Foundation
internal import HTTP
internal import News
internal import Repository
internal import Services
internal import Store
internal import TelexKit

/// The way to one feed, as `add` and `set` take it.
struct ProxyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Reach it by this proxy; or \"direct\", or \"default\" for what the settings say.",
      discussion: """
        As in socks5h://localhost:9050 or http://ada@proxy.example:3128, for which a password is \
        asked for.
        """, valueName: "PROXY"))
  var proxy: String?
  @Flag(help: "Read the proxy's password from the first line of standard input.")
  var proxyPasswordStdin = false

  /// What was asked for.
  struct Wish {
    /// nil for that of the settings.
    var proxy: FeedProxy?
    var password: String?

    /// The way to go now.
    ///
    /// - Throws: `HTTPError`.
    var route: ProxyChoice? {
      get throws { try proxy.map { try ProxyChoice($0, password: password) } }
    }
  }

  func validate() throws {
    if proxyPasswordStdin, proxy == nil {
      throw ValidationError("--proxy-password-stdin goes with --proxy.")
    }
  }

  /// Nil where nothing was asked for. Asks for a password that is needed and not given.
  func wish() throws -> Wish? {
    guard let proxy else { return nil }
    switch proxy {
    case "default": return Wish(proxy: nil, password: nil)
    case "direct": return Wish(proxy: .direct, password: nil)
    default: break
    }
    let address: ProxyAddress
    do { address = try ProxyAddress(proxy) } catch {
      throw SourceError(
        .address, stage: .arguments, subject: "--proxy", message: error.message,
        next: "give one such as socks5h://localhost:9050, or direct, or default")
    }
    return Wish(
      proxy: .via(address.withoutPassword),
      password: address.user == nil ? nil : try password(for: address))
  }

  private func password(for address: ProxyAddress) throws -> String? {
    if proxyPasswordStdin { return readLine(strippingNewline: true) ?? "" }
    if let password = address.password { return password }
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    do {
      return try TerminalPrompt.secret("Password for the proxy \(address.origin): ")
    } catch is CancellationError { throw ExitCode(130) }
  }
}

extension Composition {
  /// Ends a subscription, and forgets the password of its proxy.
  ///
  /// - Returns: what kept the password from being forgotten, if anything did.
  @discardableResult
  func remove(_ id: FeedID) async throws -> SourceError? {
    let feed = try await store.view { try $0.feed(id) }
    try await repository.unsubscribe(id)
    do {
      if let feed { try await vault.forgetProxyPassword(of: feed) }
      return nil
    } catch let error as SourceError { return error }
  }
}
