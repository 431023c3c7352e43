internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit
internal import Text

/// Options of `add` and `set` for a connection of a GraphQL server.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The feed is a GraphQL server, queried as this file says.",
      discussion: "“GraphQL” in the manual describes the file.", valueName: "FILE"),
    completion: .file())
  var graphql: String?
  @Flag(help: "Ask for a bearer token, and send it with each request.")
  var bearer = false
  @Option(
    help: .value(
      "NAME", "Ask for a key, and send it in this header."))
  var header: String?
  @Flag(help: "Read the token or key from standard input.")
  var secretStdin = false

  var namesSecret: Bool { bearer || header != nil || secretStdin }
  var isGiven: Bool { graphql != nil || namesSecret }

  func validate() throws {
    try refuse(bearer && header != nil, "Give --bearer or --header, not both.")
    try refuse(
      secretStdin && !bearer && header == nil, "--secret-stdin goes with --bearer or --header.")
    try refuse(
      secretStdin && graphql == "-",
      "Only one of the recipe and the secret can come from standard input.")
    if let header, !header.isHeaderName {
      throw ValidationError("--header takes the name of a header.")
    }
    if let header, FeedSetting.isReserved(header) {
      throw ValidationError("The header \(header) is part of how a request is sent.")
    }
  }

  /// Asks the user for the secret. Nil without the options.
  func change(at address: String) throws -> ConnectionChange? {
    guard isGiven else { return nil }
    guard let header = bearer ? "Authorization" : header else {
      return try ConnectionChange(file: graphql)
    }
    // Mistakes in the file are reported before the user types a secret.
    _ = try ConnectionChange(file: graphql == "-" ? nil : graphql)
    let secret: String
    if secretStdin {
      secret = readLine(strippingNewline: true) ?? ""
    } else {
      let host = WebAddress.host(of: address) ?? WebAddress.redacted(address)
      secret = try TerminalPrompt.secret("\(bearer ? "Token" : "Key") for \(host): ")
    }
    let text = secret.trimmingCharacters(in: .whitespaces)
    // Cookies contain spaces (RFC 6265 §4.2.1), tokens do not (RFC 6750 §2.1).
    let first: UInt8 = bearer ? 0x21 : 0x20
    guard !text.isEmpty, text.utf8.allSatisfy({ (first...0x7E).contains($0) }) else {
      throw SourceError(
        .secret, stage: .arguments, subject: bearer ? "--bearer" : "--header",
        message: text.isEmpty
          ? "there is no secret" : "the secret holds bytes that no header takes",
        next: "give it again")
    }
    return try ConnectionChange(file: graphql, secret: (text, header))
  }
}

extension String {
  /// Whether this is a token (RFC 9110 §5.6.2).
  var isHeaderName: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
