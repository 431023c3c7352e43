internal import Text

internal import struct Foundation.Data

/// The keys that a host may have, beside a certificate that is valid: the SHA-256 of its
/// SubjectPublicKeyInfo in base64 (RFC 7469 §2.4), as this prints it:
///
///     openssl x509 -pubkey -noout -in cert.pem | openssl pkey -pubin -outform der |
///       openssl dgst -sha256 -binary | base64
package struct PublicKeyPins: Sendable, Hashable {
  package struct Mistake: Error, Sendable, Hashable {
    package var message: String
    package var next: String
  }

  /// By host, in lowercase.
  private var pins: [String: [String]] = [:]

  package init() {}

  package init(_ table: [String: [String]]) throws {
    for (host, pins) in table.sorted(by: { $0.key < $1.key }) { try set(pins, for: host) }
  }

  /// Lets a host have these keys only. There must be two or more: with one, a server that loses its
  /// key could not be reached any more.
  ///
  /// - Throws: `Mistake`; nothing is changed then.
  package mutating func set(_ pins: [String], for host: String) throws {
    guard let url = try? HTTPURL("https://\(host)/"), url.authority == WebAddress.asciiHost(host)
    else {
      throw Mistake(
        message: "this is not the name of a host",
        next: "leave out the scheme, the port and the path")
    }
    guard url.port == nil else {
      throw Mistake(message: "pins are for a host and all its ports", next: "leave out the port")
    }
    for pin in pins {
      guard let bytes = Data(base64Encoded: pin), bytes.count == 32,
        bytes.base64EncodedString() == pin
      else {
        throw Mistake(
          message: "a pin is a SHA-256 in base64: 44 characters, the last of them =",
          next: "compute it as Docs/Security.md shows")
      }
    }
    guard Set(pins).count >= 2 else {
      throw Mistake(
        message: "a host needs two different pins at least",
        next: "add the pin of a key that is kept in reserve")
    }
    guard self.pins[url.host] == nil else {
      throw Mistake(message: "the host is there twice", next: "put its pins into one list")
    }
    self.pins[url.host] = pins
  }

  package func arePinned(for host: String) -> Bool { pins[host] != nil }

  /// As curl wants it; nil where the host may have any key.
  func curlText(for host: String) -> String? {
    pins[host].map { $0.map { "sha256//\($0)" }.joined(separator: ";") }
  }
}
