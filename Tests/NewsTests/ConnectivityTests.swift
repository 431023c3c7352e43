import News
import Testing

@Suite struct ConnectivityTests {
  static let all: [Connectivity] = [
    .unknown, .offline, .online(isMetered: false), .online(isMetered: true),
  ]

  @Test func `Only a network after none is a recovery`() {
    for earlier in Self.all {
      for later in Self.all {
        let isOnline = later == .online(isMetered: false) || later == .online(isMetered: true)
        #expect(later.isRecovery(from: earlier) == (isOnline && earlier == .offline))
      }
    }
  }

  @Test func `What is not known is neither offline nor metered`() {
    #expect(Self.all.map(\.isOffline) == [false, true, false, false])
    #expect(Self.all.map(\.isMetered) == [false, false, false, true])
  }
}
