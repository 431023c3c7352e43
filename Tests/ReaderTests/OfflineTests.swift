import News
import Testing

@testable import Reader

/// The network that the user has turned off.
@Suite struct OfflineTests {
  private static func session() -> Session {
    var sidebar = SidebarSnapshot.sample
    (sidebar.offlineSince, sidebar.isOfflineByChoice) = (Sample.date(secondsAgo: 60), true)
    return Session(Sample.rows(1...5), sidebar: sidebar)
  }

  @Test func `The command turns the network off, and on again with a refresh`() {
    var session = Session(Sample.rows(1...5))
    #expect(session.state.run(.offline, at: 0)?.first == .setOffline(true))
    var offline = Self.session()
    let effects = offline.state.run(.offline, at: 0)
    #expect(effects?.prefix(2) == [.setOffline(false), .refresh(.due)])
  }

  @Test func `The choice shows in place of a missing network`() {
    var session = Self.session()
    session.state.settings.interval = .adaptive
    let freshness = Freshness(offlineSince: Sample.date(secondsAgo: 60), feedCount: 4)
    session.arrive(Sample.rows(1...5), freshness: freshness)
    #expect(session.lines[0].contains("offline (by choice)"))
    #expect(session.state.offlineNote == "offline (by choice)")
    session.arrive([], freshness: freshness)
    #expect(session.lines.contains { $0.contains("Offline by choice") })
  }

  @Test func `Nothing is refreshed by itself meanwhile`() {
    var session = Self.session()
    session.state.settings.interval = .adaptive
    #expect(session.state.reduce(.ticked(Sample.clock)) == [])
  }

  @Test(arguments: [
    (FeedSettings.Metered.text, FeedSettings.Metered?.none, false), (.pictures, nil, true),
    (.text, .all, true), (.all, .nothing, false),
  ])
  func `Where each byte costs pictures show as the settings and the feed say`(
    usual: FeedSettings.Metered, own: FeedSettings.Metered?, areShown: Bool
  ) {
    var sidebar = SidebarSnapshot.sample
    for index in sidebar.feeds.indices { sidebar.feeds[index].settings.metered = own }
    var session = Session(Sample.rows(1...5), sidebar: sidebar)
    session.arrive(Sample.rows(1...5), freshness: Freshness(feedCount: 4, savesData: true))
    session.state.settings.metered = usual
    session.send(keys: "<Enter>")
    #expect(session.state.showsPictures == areShown)
  }
}
