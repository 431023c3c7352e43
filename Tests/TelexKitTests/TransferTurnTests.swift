import Foundation
import News
import Testing

@testable import TelexKit

@Suite struct TransferTurnTests {
  @Test(
    arguments: [
      (nil, true), (-1, true), (0, true), (1, false), (3_600, false), (86_400, false),
      // A clock that was years ahead when the server asked for a pause.
      (90_000, true), (20 * 365 * 86_400, true),
    ] as [(Double?, Bool)])
  func `A download waits for its next attempt, unless a wrong clock has set that`(
    next: Double?, isDue: Bool
  ) {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let job = TransferBook.Job(
      id: 1, article: ArticleID(1), feed: FeedID(1), title: "", feedTitle: "", address: "",
      addressDigest: 0, state: .waiting, nextAttempt: next.map(now.addingTimeInterval),
      created: now)
    #expect(job.isDue(at: now) == isDue)
  }

  @Test(
    arguments: [
      (true, false, nil, true), (false, true, nil, true), (false, false, nil, false),
      (true, false, true, false), (false, true, true, false),
    ] as [(Bool, Bool, Bool?, Bool)])
  func `What the settings asked for and what is sent waits for a connection that is not metered`(
    isAutomatic: Bool, isUpload: Bool, evenMetered: Bool?, waits: Bool
  ) {
    let job = TransferBook.Job(
      id: 1, article: ArticleID(1), feed: FeedID(1), title: "", feedTitle: "", address: "",
      addressDigest: 0, state: .waiting, created: Date(timeIntervalSince1970: 0),
      isAutomatic: isAutomatic, evenMetered: evenMetered,
      upload: isUpload ? TransferBook.Upload(path: "/a", text: "") : nil)
    #expect(job.isUnhurried == waits)
  }
}
