#if os(Linux)
  import Foundation
  import Synchronization

  /// A system bus on which NetworkManager alone lives, with one property: as much of D-Bus as a
  /// client needs to ask for it (https://dbus.freedesktop.org/doc/dbus-specification.html).
  ///
  /// It serves each client on a thread until the client leaves or the bus ends.
  final class SystemBus: Sendable {
    enum Manner: Sendable {
      /// Answers with this number.
      case says(UInt32)
      /// Answers with a text where a number should be.
      case saysText
      /// Greets, and then answers nothing.
      case keepsQuiet
      /// Leaves in the middle of the greeting.
      case leaves
    }

    private let folder: String
    private let listener: Int32
    private let manner: Manner
    private let ends = Mutex<[Int32]>([])

    /// What `DBUS_SYSTEM_BUS_ADDRESS` says.
    var address: String { "unix:path=\(folder)/bus" }

    init(_ manner: Manner) throws {
      self.manner = manner
      folder = NSTemporaryDirectory() + "telex-bus-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: "\(folder)/bus".utf8) }
      let size = socklen_t(MemoryLayout.size(ofValue: name))
      let isBound = withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
      }
      guard isBound == 0, listen(listener, 8) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      Thread.detachNewThread { [self] in accept() }
    }

    func end() {
      shutdown(listener, Int32(SHUT_RDWR))
      for client in ends.withLock({ $0 }) { shutdown(client, Int32(SHUT_RDWR)) }
      try? FileManager.default.removeItem(atPath: folder)
    }

    private func accept() {
      while true {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { break }
        ends.withLock { $0.append(client) }
        Thread.detachNewThread { [self] in
          Client(socket: client).serve(manner)
          ends.withLock { $0.removeAll { $0 == client } }
          close(client)
        }
      }
      close(listener)
    }

    private struct Client {
      let socket: Int32
      private var received: [UInt8] = []

      init(socket: Int32) { self.socket = socket }

      func serve(_ manner: Manner) {
        var client = self
        guard client.greet(), let hello = client.message() else { return }
        if case .leaves = manner { return }
        client.reply(to: hello, signature: "s", body: word(UInt32(4)) + Array(":1.1".utf8) + [0])
        guard let question = client.message() else { return }
        // A variant: its signature, and the value at its own alignment.
        switch manner {
        case .says(let number):
          client.reply(
            to: question, signature: "v", body: [1, UInt8(ascii: "u"), 0, 0] + word(number))
        case .saysText:
          client.reply(
            to: question, signature: "v",
            body: [1, UInt8(ascii: "s"), 0, 0] + word(UInt32(1)) + [UInt8(ascii: "1"), 0])
        case .keepsQuiet, .leaves: break
        }
        while client.message() != nil {}
      }

      /// The lines before the first message.
      private mutating func greet() -> Bool {
        while true {
          guard let end = received.firstIndex(of: 10) else {
            guard receive() else { return false }
            continue
          }
          let line = String(decoding: received[...end].filter { $0 >= 0x20 }, as: UTF8.self)
          received.removeFirst(end + 1)
          if line == "BEGIN" { return true }
          if line.hasPrefix("AUTH EXTERNAL") {
            send(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
          } else if line.hasPrefix("AUTH") {
            send(Array("REJECTED EXTERNAL\r\n".utf8))
          } else {
            send(Array("ERROR\r\n".utf8))
          }
        }
      }

      /// The serial of the next message.
      private mutating func message() -> UInt32? {
        while true {
          if received.count >= 16 {
            let body = Int(number(at: 4))
            let fields = Int(number(at: 12))
            let length = (16 + fields + 7) & ~7 + body
            if received.count >= length {
              defer { received.removeFirst(length) }
              return number(at: 8)
            }
          }
          guard receive() else { return nil }
        }
      }

      private func number(at offset: Int) -> UInt32 {
        received.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
      }

      private func reply(to serial: UInt32, signature: String, body: [UInt8]) {
        var fields: [UInt8] = []
        func add(_ code: UInt8, _ type: Character, _ value: [UInt8]) {
          fields += [UInt8](repeating: 0, count: (8 - fields.count % 8) % 8)
          fields += [code, 1] + Array(String(type).utf8) + [0] + value
        }
        func text(_ text: String) -> [UInt8] { word(UInt32(text.utf8.count)) + text.utf8 + [0] }
        add(5, "u", word(serial))
        add(6, "s", text(":1.1"))
        add(7, "s", text("org.freedesktop.DBus"))
        add(8, "g", [UInt8(signature.utf8.count)] + signature.utf8 + [0])
        let order = UInt8(ascii: UInt16(1).littleEndian == 1 ? "l" : "B")
        var head = [order, 2, 1, 1] + word(UInt32(body.count)) + word(serial &+ 1_000)
        head += word(UInt32(fields.count)) + fields
        head += [UInt8](repeating: 0, count: (8 - head.count % 8) % 8)
        send(head + body)
      }

      private func send(_ bytes: [UInt8]) {
        _ = Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      }

      private mutating func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        received += bytes[..<count]
        return true
      }
    }
  }

#endif
