internal import Dispatch

/// Calls a handler when a descriptor has input, once until the input has been read.
///
/// A Dispatch source fires again and again while input waits, thousands of times before a program
/// gets to read it: so it is suspended as it fires, and resumed by `drained()`.
@MainActor
final class InputSource {
  private let source: any DispatchSourceRead
  private let handler: @MainActor () -> Void
  private var isSuspended = false
  /// Whether the source has fired or is paused.
  private var isFired = false
  private var isPaused = false

  init(descriptor: Int32, handler: @escaping @MainActor () -> Void) {
    self.handler = handler
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { @Sendable [weak self] in
      MainActor.assumeIsolated { self?.fire() }
    }
    source.activate()
  }

  /// Allows the handler to be called again, once all input has been read.
  func drained() {
    isFired = false
    update()
  }

  /// Leaves the input to another program.
  func pause() {
    isPaused = true
    update()
  }

  /// Takes the input back, and reports what waits there, even if that was reported before.
  func unpause() {
    isPaused = false
    isFired = false
    update()
  }

  /// Calls the handler later, whether there is something to read then or not.
  func fire(after delay: Duration) {
    let milliseconds = Int(delay / .milliseconds(1))
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      @Sendable [weak self] in
      MainActor.assumeIsolated {
        guard let self, !self.isPaused, !self.source.isCancelled else { return }
        self.handler()
      }
    }
  }

  func cancel() {
    source.cancel()
    // A source that is released while suspended traps.
    if isSuspended { source.resume() }
    isSuspended = false
  }

  private func fire() {
    guard !source.isCancelled else { return }
    isFired = true
    update()
    handler()
  }

  private func update() {
    guard !source.isCancelled, isSuspended != (isFired || isPaused) else { return }
    isSuspended.toggle()
    if isSuspended { source.suspend() } else { source.resume() }
  }
}
