/// How much is asked of the network at once, and how long others are waited for.
package struct RefreshSettings: Sendable {
  /// Feeds fetched at the same time.
  package var concurrent = 16
  /// Of those, at most this many from one host.
  package var perHost = 2
  /// Feeds younger than this are not fetched unless the user asks; nil fetches only when asked.
  package var interval: Duration? = .seconds(3600)
  /// What other processes are told that wait for this one.
  package var program = "telex"
  /// When a command has to be done: other processes are waited for until then at most.
  package var deadline: ContinuousClock.Instant?
  /// Seconds after which a feed is free again that a process has claimed and that neither fetches it
  /// nor ends, as one that was stopped.
  package var claimTime = 120.0
  /// Whether to leave alone what nobody asked for, as on a connection that costs.
  package var isLowData = false
  /// Older pages of a feed that one walk fetches at most (`OlderPages`).
  package var maxOlderPages = 1_000
  /// How long what nobody asked for waits for a network before it is tried all the same.
  package var networkPatience: Duration = .seconds(300)
  /// Whether this machine's own servers are out of reach without a network: never, but in a test.
  package var isLoopbackRemote = false

  package init() {}
}
