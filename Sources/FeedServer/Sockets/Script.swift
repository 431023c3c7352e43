/// What a `RawServer` does on a connection in answer to one request, step by step.
package struct Script: Sendable {
  package enum Step: Sendable {
    case send([UInt8])
    /// A body in chunks (RFC 9112 §7.1), each made when its turn comes, until there is none; or the
    /// end of the connection after so many bytes of it.
    case stream(@Sendable (_ number: Int) -> [UInt8]?, cutAfter: Int?)
    /// `count` times the same byte, without a buffer of that size; counted in
    /// `RawServer.filledBytes` as the client takes them.
    case fill(UInt8, count: Int)
    /// A few bytes at a time with a pause after each.
    case drip([UInt8], bytes: Int, every: Duration)
    case pause(Duration)
    /// Sends nothing until this is so, or until the client leaves; asked every two milliseconds.
    case wait(until: @Sendable () -> Bool)
    /// Sends nothing more until the client leaves or the server stops.
    case hang
    /// Leaves the connection to somebody else, who gets what the client has sent beyond its request;
    /// it ends when that is done.
    case handOver(@Sendable (RawConnection, _ received: [UInt8]) -> Void)
    /// Ends the connection in order (FIN).
    case close
    /// Ends the connection with a reset (RST): what was sent but not read yet is lost.
    case reset
  }

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// These bytes, whatever they are; the connection then waits for the next request.
  package static func bytes(_ bytes: [UInt8]) -> Script { Script([.send(bytes)]) }

  /// A well-formed answer.
  package static func reply(_ reply: WireReply) -> Script {
    guard let stream = reply.stream else { return .bytes(reply.bytes()) }
    return Script([.send(reply.head()), .stream(stream, cutAfter: nil)])
  }

  /// The whole head and the first `count` bytes of the body, then the end of the connection.
  package static func cut(_ reply: WireReply, after count: Int) -> Script {
    Script([.send(reply.head() + reply.body.prefix(count)), .close])
  }

  /// A reset instead of an answer.
  package static let reset = Script([.reset])

  /// No answer at all.
  package static let hang = Script([.hang])
}
