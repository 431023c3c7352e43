internal import WebSocket

/// A client that wants to hear what happens, and how it is answered: pure.
struct LiveOpening: Sendable {
  enum Wire: Sendable {
    case eventStream
    case webSocket
  }

  var wire: Wire
  /// The slug of the section that it listens to; nil for all.
  var section: String?
  var beginning: LiveJournal.Beginning

  /// - Throws: `APIError`: 400 or 426 for an upgrade that is none of ours.
  init(_ request: WireRequest, section: String?, journal: LiveJournal) throws {
    self.section = section
    beginning = journal.beginning(after: request.header("Last-Event-ID"))
    wire = .eventStream
    guard let upgrade = request.header("Upgrade") else { return }
    wire = .webSocket
    guard upgrade.isASCIIEqualIgnoringCase(to: "websocket"),
      request.header("Connection")?.lowercased().contains("upgrade") == true,
      request.header("Sec-WebSocket-Version") == "13"
    else {
      throw APIError(
        status: 426, code: "upgrade_required", message: "This address speaks WebSocket, version 13."
      )
    }
    guard let key = request.header("Sec-WebSocket-Key"), WebSocketHandshake.isKey(key) else {
      throw APIError(
        status: 400, code: "invalid_websocket_key", message: "The Sec-WebSocket-Key is not one.")
    }
  }

  func reply(to request: WireRequest) -> WireReply {
    var reply: WireReply
    switch wire {
    case .eventStream:
      reply = WireReply(
        headers: [
          ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
          ("Connection", "close"),
        ])
    case .webSocket:
      let key = request.header("Sec-WebSocket-Key") ?? ""
      reply = WireReply(
        status: 101,
        headers: [
          ("Upgrade", "websocket"), ("Connection", "Upgrade"),
          ("Sec-WebSocket-Accept", WebSocketHandshake.accept(for: key)),
        ])
    }
    reply.isOpenEnded = true
    return reply
  }

  /// What is sent first: how far the journal is, so that a connection that is lost before its first
  /// event can be taken up again; and that something is missing, if it is.
  func greeting(_ journal: LiveJournal) -> [UInt8] {
    let id = journal.id(beginning.number)
    return bytes(id: id, event: beginning.hasGap ? "reset" : nil, data: .object([]))
  }

  func bytes(of event: LiveJournal.Event, _ journal: LiveJournal) -> [UInt8] {
    bytes(id: journal.id(event.number), event: event.name, data: event.data)
  }

  /// A sign of life.
  var heartbeat: [UInt8] {
    switch wire {
    case .eventStream: Array(": heartbeat\n\n".utf8)
    case .webSocket: WebSocketFrame(.ping).bytes(mask: nil)
    }
  }

  private func bytes(id: String, event: String?, data: JSONText) -> [UInt8] {
    switch wire {
    case .eventStream:
      let head = "id: \(id)\n" + (event.map { "event: \($0)\ndata: " } ?? "")
      // A line of JSON ends in the LF that ends the field.
      return Array(head.utf8) + (event == nil ? [] : data.bytes) + Array("\n".utf8)
    case .webSocket:
      let message = JSONText.object([
        ("id", .string(id)), ("event", .optional(event)), ("data", event == nil ? .null : data),
      ])
      // Without the LF that ends a body.
      return WebSocketFrame(.text, message.bytes.dropLast()).bytes(mask: nil)
    }
  }
}
