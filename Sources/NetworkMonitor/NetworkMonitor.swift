// The front door of NetworkMonitor: `NetworkMonitor` reports whether there is a network, and each change.

package import News

/// Watches the machine's network. Each observation has a watch of its own, which ends with it.
package struct NetworkMonitor: Sendable {
  /// Whether the connection is metered; nil where nobody knows. May block: it is called on a thread of Dispatch, one
  /// call at a time.
  let isMetered: @Sendable () -> Bool?

  package init() {
    #if os(Linux)
      isMetered = NetworkManagerQuestion.isMetered
    #else
      isMetered = { nil }
    #endif
  }

  /// - Parameter isMetered: called on Linux instead of NetworkManager.
  package init(isMetered: @escaping @Sendable () -> Bool?) {
    self.isMetered = isMetered
  }

  /// The current state, as soon as it is known, and then each change; a slow observer gets the newest. Ends, with its
  /// socket and thread, when the task that iterates is cancelled or the sequence is released.
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
