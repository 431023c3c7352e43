// The front door of NetworkMonitor: `NetworkMonitor` tells whether there is a network, and each time
// that changes. On Linux it listens to the kernel (rtnetlink) and asks NetworkManager what the
// connection costs; on macOS the system says both.

package import News

/// Watches the machine's network.
///
/// A value without a state: whoever observes has a watch of their own, which ends with the
/// observation.
package struct NetworkMonitor: Sendable {
  /// Whether transfers cost; nil where nobody knows. May block: it is called on a thread of
  /// Dispatch, one call at a time.
  let isMetered: @Sendable () -> Bool?

  package init() {
    #if os(Linux)
      isMetered = NetworkManagerQuestion.isMetered
    #else
      isMetered = { nil }
    #endif
  }

  /// - Parameter isMetered: asked on Linux in the place of NetworkManager.
  package init(isMetered: @escaping @Sendable () -> Bool?) {
    self.isMetered = isMetered
  }

  /// What is the case now, as soon as it is known, and then each change. An observer who lags gets
  /// the newest.
  ///
  /// May be called often, for many observers. Does not end by itself: its socket and its thread go
  /// when the task that iterates is cancelled, or when the sequence is let go.
  package func states() -> AsyncStream<Connectivity> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { observer in
      #if os(Linux)
        let watch = NetlinkThread(isMetered: isMetered) { observer.yield($0) }
      #else
        let watch = PathWatch { observer.yield($0) }
      #endif
      observer.onTermination = { _ in watch.stop() }
    }
  }
}
