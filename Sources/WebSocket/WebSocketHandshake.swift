internal import Foundation

/// How a WebSocket begins (RFC 6455 §4).
package enum WebSocketHandshake {
  /// A client's key: 16 bytes in base64.
  package static func key(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Whether a key keeps to §4.1.
  package static func isKey(_ text: String) -> Bool { Data(base64Encoded: text)?.count == 16 }

  /// The server's answer to a key, which no other kind of server gives by chance.
  package static func accept(for key: String) -> String {
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Data(SHA1.digest(of: Array(text.utf8))).base64EncodedString()
  }

  /// Whether a 101 with these headers answers the request that bore `key` (§4.1). No extension and no subprotocol
  /// is ever asked for, so none may be agreed to. `values` returns all headers of a name, whatever its case.
  package static func isAccepted(key: String, values: (_ name: String) -> [String]) -> Bool {
    func tokens(_ name: String) -> [String] {
      values(name).flatMap { $0.split(separator: ",") }.map {
        $0.trimmingCharacters(in: .whitespaces).lowercased()
      }
    }
    return tokens("Upgrade") == ["websocket"] && tokens("Connection").contains("upgrade")
      && values("Sec-WebSocket-Accept").map { $0.trimmingCharacters(in: .whitespaces) }
        == [accept(for: key)]
      && tokens("Sec-WebSocket-Extensions").isEmpty && tokens("Sec-WebSocket-Protocol").isEmpty
  }
}
