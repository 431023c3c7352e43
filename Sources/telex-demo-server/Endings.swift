internal import Dispatch
internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What ends the server: SIGINT, SIGTERM, SIGHUP, and the end of standard input if asked for.
///
/// Listens from its making to the end of the process, so that nothing that comes before `first()`
/// is lost.
final class Endings {
  private let stream: AsyncStream<Void>
  private let signals: [any DispatchSourceSignal]

  init(standardInput: Bool) {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    signals = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in continuation.yield() }
      source.activate()
      return source
    }
    guard standardInput else { return }
    // A thread, because a dispatch source on a closed pipe fires without end, and libdispatch on
    // Linux was seen to crash when such a source is cancelled meanwhile.
    Thread.detachNewThread {
      // What comes in means nothing; only its end does.
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
      continuation.yield()
    }
  }

  /// Returns at the first of them.
  nonisolated(nonsending) func first() async {
    for await _ in stream { return }
  }
}
