package import Foundation

/// The fields of a certificate (RFC 5280) that users are shown. Nothing is verified here: the TLS
/// library does that.
package struct Certificate: Sendable, Hashable {
  /// The common name of the subject, else its organisation; empty where it has neither.
  package var subject: String
  /// The organisation and common name of the issuer.
  package var issuer: String
  package var notBefore: Date
  package var notAfter: Date
  /// The hosts it is valid for, such as `example.org` and `*.example.org`.
  package var names: [String]
  /// The SHA-256 of the public key in base64, as in `PublicKeyPins`.
  package var pin: String
  package var isSelfIssued: Bool

  /// The first certificate of a PEM text (RFC 7468); nil where there is none that can be parsed.
  package init?(pem: String) {
    let begin = "-----BEGIN CERTIFICATE-----"
    guard let start = pem.firstRange(of: begin)?.upperBound,
      let end = pem[start...].firstRange(of: "-----END CERTIFICATE-----")?.lowerBound,
      let bytes = Data(base64Encoded: pem[start..<end].filter { !$0.isWhitespace })
    else { return nil }
    self.init(der: Array(bytes))
  }

  package init?(der: [UInt8]) {
    // Certificate ::= SEQUENCE { tbsCertificate SEQUENCE { … }, … }
    var outer = DERReader(der[...])
    guard var certificate = outer.next(.sequence)?.contents,
      var fields = certificate.next(.sequence)?.contents
    else { return nil }
    _ = fields.next(.context(0))
    guard fields.next(.integer) != nil, fields.next(.sequence) != nil,
      let issuer = fields.next(.sequence), var validity = fields.next(.sequence)?.contents,
      let subject = fields.next(.sequence), let key = fields.next(.sequence),
      let notBefore = validity.nextTime(), let notAfter = validity.nextTime()
    else { return nil }
    let issuerName = DistinguishedName(issuer)
    let subjectName = DistinguishedName(subject)
    self.subject = subjectName.commonName ?? subjectName.organisation ?? ""
    self.issuer = [issuerName.organisation, issuerName.commonName].compactMap { $0 }
      .joined(separator: " ")
    self.notBefore = notBefore
    self.notAfter = notAfter
    names = Certificate.names(inExtensionsOf: fields)
    pin = Data(SHA256.digest(of: Array(key.whole))).base64EncodedString()
    isSelfIssued = issuer.whole.elementsEqual(subject.whole)
  }

  /// SubjectAltName, RFC 5280 §4.2.1.6.
  private static func names(inExtensionsOf fields: DERReader) -> [String] {
    var fields = fields
    while let element = fields.next() {
      guard element.tag == .context(3), var list = element.contents.first(.sequence) else {
        continue
      }
      while var item = list.next(.sequence)?.contents {
        guard item.next(.objectIdentifier)?.body.elementsEqual([0x55, 0x1D, 0x11]) == true else {
          continue
        }
        // Whether it is critical may stand before the value.
        guard let names = item.first(.octetString)?.first(.sequence) else { return [] }
        return Certificate.names(in: names)
      }
    }
    return []
  }

  private static func names(in list: DERReader) -> [String] {
    var list = list
    var names: [String] = []
    while let name = list.next() {
      switch name.tag {
      case .contextPrimitive(2): names.append(String(decoding: name.body, as: UTF8.self))
      case .contextPrimitive(7):
        if let address = IPAddress(bytes: Array(name.body)) {
          names.append(address.text)
        }
      default: break
      }
    }
    return names
  }
}

/// The two parts of an X.501 name that people go by.
private struct DistinguishedName {
  var commonName: String?
  var organisation: String?

  init(_ name: DERReader.Element) {
    var sets = name.contents
    while var set = sets.next(.set)?.contents {
      while var pair = set.next(.sequence)?.contents {
        guard let type = pair.next(.objectIdentifier)?.body, let value = pair.next() else {
          continue
        }
        let text = value.text
        if type.elementsEqual([0x55, 0x04, 0x03]) { commonName = text }
        if type.elementsEqual([0x55, 0x04, 0x0A]) { organisation = text }
      }
    }
  }
}
