package import Foundation
internal import Text

/// Bytes to send and the one Content-Type that goes with them.
package struct HTTPBody: Sendable, Hashable {
  package var bytes: [UInt8]
  package var contentType: String

  package init(_ bytes: [UInt8], contentType: String) {
    self.bytes = bytes
    self.contentType = contentType
  }

  /// A JSON body, encoded with `HTTPCoding.encoder`.
  package static func json(_ value: some Encodable) throws -> HTTPBody {
    HTTPBody([UInt8](try HTTPCoding.encoder.encode(value)), contentType: "application/json")
  }
}

/// How JSON is written and read, for every API: dates are ISO 8601, keys as the types spell them. Thread-safe.
package enum HTTPCoding {
  /// Writes dates to the millisecond and keys in alphabetical order.
  package static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Timestamp.text(toMilliseconds: date.timeIntervalSince1970))
    }
    return encoder
  }()

  /// A date that cannot be read is a `DecodingError`.
  package static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let moment = Timestamp.moment(of: text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "not an ISO 8601 date")
      }
      return Date(timeIntervalSince1970: moment)
    }
    return decoder
  }()
}

extension HTTPError {
  /// A sentence for the screen, with the path of the unreadable value as `detail` for the log.
  package static func decoding(_ error: DecodingError, host: String) -> HTTPError {
    let (context, problem): (DecodingError.Context?, String) =
      switch error {
      case .typeMismatch(let type, let context): (context, "is not a \(type)")
      case .valueNotFound(let type, let context): (context, "has no \(type)")
      case .keyNotFound(let key, let context): (context, "lacks \(key.stringValue)")
      case .dataCorrupted(let context): (context, "is damaged: \(context.debugDescription)")
      @unknown default: (nil, "cannot be read")
      }
    let path = (context?.codingPath ?? []).map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }.joined()
    return HTTPError(
      .decoding, "\(host) sent something that is not what was asked for.", host: host,
      detail: "$\(path) \(problem)")
  }
}
