/// A response whose body is read as it arrives, in chunks of up to some 256 KiB.
///
/// The server is held back while the reader lags. One reader. Letting go of the iterator or of the
/// stream before the end, and cancelling the task that reads, closes the connection. A body that
/// does not arrive whole ends in an `HTTPError`, after the bytes that did arrive.
package struct HTTPStream: AsyncSequence, Sendable {
  package typealias Element = [UInt8]
  typealias Sender = @Sendable (_ bytes: [UInt8], _ thenEnds: Bool) -> Void

  package var head: HTTPResponseHead
  private let lease: Lease

  init(
    head: HTTPResponseHead, channel: BodyChannel, owner: (any Sendable)? = nil,
    sender: Sender? = nil
  ) {
    self.head = head
    lease = Lease(channel: channel, owner: owner, sender: sender)
  }

  /// A response that is already here, for transports that make their own.
  package init(head: HTTPResponseHead, body: [UInt8]) {
    let channel = BodyChannel(capacity: body.count + 1) { _ in }
    _ = body.withUnsafeBytes { channel.send($0) }
    channel.finish(.success(HTTPMetrics()))
    self.init(head: head, channel: channel)
  }

  /// nil until the body has been received whole.
  package var metrics: HTTPMetrics? { lease.channel.metrics }

  package func makeAsyncIterator() -> Iterator {
    Iterator(lease: Lease(channel: lease.channel, owner: lease))
  }

  /// What an iterator's `next()` returns, for those who read from one task and then from another.
  func nextChunk() async throws -> [UInt8]? { try await lease.channel.nextChunk() }

  /// Has the end of the body told, once, and how many bytes of it were handed on. From any thread; at
  /// once where it is over already.
  func observeEnd(_ observer: @escaping BodyChannel.Observer) { lease.channel.observeEnd(observer) }

  /// Says something on a connection that was upgraded (`HTTPUpgrade`); nothing comes of it on any
  /// other, or once the connection has ended. Does not wait: it is for a few bytes now and then.
  ///
  /// - Parameter thenEnds: these are the last bytes, in place of the upgrade's farewell; the stream
  ///   ends once they are sent.
  package func send(_ bytes: [UInt8], thenEnds: Bool = false) { lease.sender?(bytes, thenEnds) }

  /// The whole body.
  package func collected() async throws -> [UInt8] {
    var body: [UInt8] = []
    try await collect(into: &body)
    return body
  }

  /// The body up to where it breaks off, if it does.
  func collect(into body: inout [UInt8]) async throws {
    for try await chunk in self {
      if body.isEmpty { body = chunk } else { body += chunk }
    }
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let lease: Lease

    package mutating func next() async throws -> [UInt8]? {
      try await lease.channel.nextChunk()
    }
  }

  /// Ends the exchange when the last one that could read from it is gone.
  fileprivate final class Lease: Sendable {
    let channel: BodyChannel
    let sender: Sender?
    /// Kept alive for as long as the body is: the transport it comes through.
    private let owner: (any Sendable)?

    init(channel: BodyChannel, owner: (any Sendable)?, sender: Sender? = nil) {
      self.channel = channel
      self.owner = owner
      self.sender = sender
    }

    deinit { channel.abandon() }
  }
}
