internal import HTTP
internal import WebSocket

extension FuzzTarget {
  func checkEventStream(_ input: [UInt8]) throws(Violation) {
    let plan = InputPlan(input)
    let limit = 16 + plan.choice * 4
    var whole = EventStreamParser(maxEventBytes: limit)
    let items = whole.consume(plan.document)
    var cut = EventStreamParser(maxEventBytes: limit)
    var itemsOfPieces: [EventStreamParser.Item] = []
    for piece in plan.pieces {
      itemsOfPieces += cut.consume(piece)
      try require(cut.heldBytes <= 2 * limit + 2, "\(cut.heldBytes) bytes are kept")
    }
    try require(items == itemsOfPieces, "pieces make a difference:\n\(items)\n\(itemsOfPieces)")
    try require(
      whole.lastEventID == cut.lastEventID && whole.droppedEvents == cut.droppedEvents,
      "pieces make a difference to what is remembered")
    for case .event(let event) in items {
      try require(!event.name.isEmpty, "an event has no name")
      // Damaged UTF-8 may take three bytes for one.
      try require(event.data.utf8.count <= 3 * limit, "an event of \(event.data.utf8.count) bytes")
    }
    for case .retry(let wait) in items { try require(wait >= .zero, "a wait of \(wait)") }
  }

  func checkWebSocket(_ input: [UInt8]) throws(Violation) {
    let plan = InputPlan(input)
    let limit = 16 + plan.choice * 256
    let role = plan.choice & 1 == 0 ? WebSocketDecoder.Role.client : .server
    var whole = WebSocketDecoder(role: role, maxMessageBytes: limit)
    let messages = whole.consume(plan.document)
    var cut = WebSocketDecoder(role: role, maxMessageBytes: limit)
    let messagesOfPieces = plan.pieces.flatMap { cut.consume($0) }
    try require(
      messages == messagesOfPieces, "pieces make a difference:\n\(messages)\n\(messagesOfPieces)")
    try require(
      whole.violation == cut.violation && whole.isClosed == cut.isClosed,
      "pieces make a difference to the ending")
    for message in messages {
      switch message {
      case .text(let text): try require(text.utf8.count <= limit, "a text over the limit")
      case .binary(let bytes): try require(bytes.count <= limit, "a message over the limit")
      case .ping(let bytes), .pong(let bytes):
        try require(bytes.count <= 125, "a control frame over the limit")
      case .close(_, let reason):
        try require(reason.utf8.count <= 123, "a reason over the limit")
        try require(messages.last == message, "something follows the end")
      }
    }
  }
}
