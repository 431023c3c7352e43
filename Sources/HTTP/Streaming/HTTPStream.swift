/// Response whose body is read as it arrives, in chunks of up to about 256 KiB.
///
/// A slow reader slows the server down (backpressure). One reader. Dropping the iterator or the stream
/// before the end, or cancelling the task that reads, closes the connection. A body that breaks off ends
/// with an `HTTPError`, after the bytes that arrived.
package struct HTTPStream: HTTPAnswer, AsyncSequence {
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

  /// A response with a complete body, for transports without a network.
  package init(head: HTTPResponseHead, body: [UInt8]) {
    let channel = BodyChannel(capacity: body.count + 1) { _ in }
    _ = body.withUnsafeBytes { channel.send($0) }
    channel.finish(.success(HTTPMetrics()))
    self.init(head: head, channel: channel)
  }

  /// Nil until the whole body has been received.
  package var metrics: HTTPMetrics? { lease.channel.metrics }

  package func makeAsyncIterator() -> Iterator {
    Iterator(lease: Lease(channel: lease.channel, owner: lease))
  }

  /// As an iterator's `next()`, for reading from one task and then from another.
  func nextChunk() async throws -> [UInt8]? { try await lease.channel.nextChunk() }

  /// Calls a closure once at the end of the body, with the bytes that were read: from any thread, and at once where
  /// the end has come already.
  func observeEnd(_ observer: @escaping BodyChannel.Observer) { lease.channel.observeEnd(observer) }

  /// Sends bytes on a connection that was upgraded (`HTTPUpgrade`); nothing on any other, or once it has ended. Does
  /// not wait: it is for a few bytes now and then.
  ///
  /// - Parameter thenEnds: whether they are the last bytes, instead of the upgrade's farewell.
  package func send(_ bytes: [UInt8], thenEnds: Bool = false) { lease.sender?(bytes, thenEnds) }

  package func collected() async throws -> [UInt8] {
    var body: [UInt8] = []
    try await collect(into: &body)
    return body
  }

  /// The body, or its beginning where it breaks off.
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
