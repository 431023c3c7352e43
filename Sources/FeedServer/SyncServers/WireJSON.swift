internal import Foundation

extension WireRequest {
  static func members(of body: [UInt8]) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
  }

  static func decodedBase64(_ text: String) -> String? {
    Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension [String: Any] {
  func number(_ name: String) -> Int64? { (self[name] as? NSNumber)?.int64Value }

  func numbers(_ name: String) -> [Int64] {
    (self[name] as? [Any] ?? []).compactMap { ($0 as? NSNumber)?.int64Value }
  }

  func text(_ name: String) -> String? { self[name] as? String }
}

extension GoogleReaderModel.Feed {
  /// The number of a stream such as `feed/12`.
  var number: Int64 { Int64(stream.dropFirst("feed/".count)) ?? 0 }
}

extension GoogleReaderModel {
  func feed(number: Int64) -> Feed? { feed("feed/\(number)") }
}
