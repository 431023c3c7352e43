internal import HTTP
internal import News
internal import Text

extension RecognisedServer {
  /// The schemes of this server, best first.
  ///
  /// - Throws: `SourceError` where there is none.
  func schemes(at url: String) throws -> [SignIn.Scheme] {
    let schemes = wires.flatMap { wire in
      wire.kind.services(of: product).map { SignIn.Scheme.syncServer($0, base: wire.base) }
    }
    guard !schemes.isEmpty else {
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.redacted(url),
        message: "this is \(name), which this version does not speak to yet",
        next: "its feeds can be added by their own addresses")
    }
    switch trouble {
    case .isSwitchedOff?:
      throw SourceError(
        .status, stage: .connect, subject: WebAddress.redacted(url),
        message: "\(name) does not allow access by its API",
        next: "allow it in its settings, under authentication")
    case .losesAuthorization?:
      throw SourceError(
        .status, stage: .connect, subject: WebAddress.redacted(url),
        message: "the web server before \(name) drops the header that signs requests",
        next: "let it pass Authorization on; its check of compatibility says how")
    case nil: return schemes
    }
  }
}

extension SignIns {
  /// The first scheme that the server accepts the secret by; one of no sync server is left to
  /// prove.
  ///
  /// A server may have a password for each of its protocols: after a refusal by one, the next is
  /// tried. Any other failure ends the attempt.
  func proven(
    _ schemes: [SignIn.Scheme], _ user: String, _ secret: String, by client: ResilientClient
  ) async throws -> SignIn.Scheme {
    var refusal: SourceError?
    let schemes =
      try GoogleReaderSecret(secret).application == nil ? schemes : ofApplications(schemes)
    for scheme in schemes {
      guard case .syncServer(let service, let base) = scheme else { return scheme }
      do {
        let settings = SyncServerSettings(base: base, user: user)
        guard let server = service.client(settings, client, secret: { secret }) else { continue }
        try await server.signIn()
        return scheme
      } catch let error as SourceError where [401, 403, 404].contains(error.status) {
        if refusal == nil || refusal?.status == 404 { refusal = error }
      }
    }
    throw refusal
      ?? SourceError(
        .address, stage: .arguments, subject: "", message: "there is no way to sign in there")
  }

  /// The schemes for an application's key.
  private func ofApplications(_ schemes: [SignIn.Scheme]) throws -> [SignIn.Scheme] {
    let some = schemes.filter { scheme in
      if case .syncServer(let service, _) = scheme { service.kind == .googleReader } else { false }
    }
    guard !some.isEmpty else {
      throw SourceError(
        .address, stage: .arguments, subject: "login",
        message: "this server asks for no application", next: "leave --app-id out")
    }
    return some
  }
}
