internal import ArgumentParser
internal import Dispatch
internal import Foundation

/// Runs work that Ctrl-C or SIGTERM cancels, so that it can clean up. A second Ctrl-C ends the
/// process at once.
///
/// - Throws: `ExitCode` of 128 plus the number of the signal after a cancellation.
func untilInterrupted<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
  let (catches, caught) = AsyncStream.makeStream(of: Void.self)
  let numbers = [SIGINT, SIGTERM]
  let sources = numbers.map { number in
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { @Sendable in
      signal(number, SIG_DFL)
      continuation.yield(number)
    }
    source.setRegistrationHandler { @Sendable in caught.yield() }
    #if canImport(Darwin)
      // Otherwise the default action would come first. On Linux the source sets a handler; the
      // default before that is right, since nothing has begun that needs cleaning up.
      signal(number, SIG_IGN)
    #endif
    source.activate()
    return source
  }
  defer {
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
  }
  // Earlier signals would be lost.
  var listening = catches.makeAsyncIterator()
  for _ in numbers { await listening.next() }
  return try await withThrowingTaskGroup(of: Outcome<Value>.self) { group in
    group.addTask { .value(try await work()) }
    group.addTask {
      for await number in signals { return .signal(number) }
      return .ended
    }
    var received: Int32?
    while let outcome = await group.nextResult() {
      switch outcome {
      case .success(.signal(let number)):
        received = number
        group.cancelAll()
      case .success(.value(let value)):
        if let received { throw ExitCode(128 + received) }
        group.cancelAll()
        return value
      case .success(.ended):
        continue
      case .failure(let error):
        if let received { throw ExitCode(128 + received) }
        group.cancelAll()
        throw error
      }
    }
    throw CancellationError()
  }
}

private enum Outcome<Value: Sendable>: Sendable {
  case value(Value)
  case signal(Int32)
  case ended
}
