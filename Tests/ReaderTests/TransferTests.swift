internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The screen of the downloads, and what other screens show of them.
struct TransferTests {
  static let files = [
    Enclosure(url: "https://example.org/a/one.mp3?token=x", type: "audio/mpeg", length: 12_345_678),
    Enclosure(url: "https://example.org/two.pdf", title: "The notes"),
  ]

  private func session(_ snapshot: TransferSnapshot = .sample) -> Session {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.transfers(.arrived(snapshot)))
    session.send(keys: "T")
    return session
  }

  @Test func `D asks for the file of the selected article, and of the open one`() {
    var session = Session(Sample.rows(1...5))
    #expect(session.send(keys: "jD") == [.transfers(.download(ArticleID(4), file: nil))])
    session.send(keys: "<Enter>")
    #expect(session.send(keys: "D") == [.transfers(.download(ArticleID(4), file: nil))])
    _ = session.state.reduce(.transfers(.asked(TransferSnapshot.sample.transfers[0])))
    #expect(session.state.notice?.text == "Downloading one.mp3. T shows the progress.")
  }

  @Test func `Of several files the user chooses one`() {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.opening(.filesFound(ArticleID(4), title: "Two", Self.files)))
    #expect(session.lines[1].contains("one.mp3") && !session.lines[1].contains("token"))
    #expect(session.lines[1].contains("audio/mpeg, 12.3 MB"))
    #expect(session.lines[2].contains("The notes"))
    #expect(session.send(keys: "j<Enter>") == [.transfers(.download(ArticleID(4), file: 1))])
    _ = session.state.reduce(.opening(.filesFound(ArticleID(4), title: "Two", Self.files)))
    #expect(session.send(keys: "q") == [])
    #expect(session.state.stack.count == 0)
  }

  @Test(arguments: ["q", "h", "T"])
  func `It is left to where it was opened from`(_ key: String) {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.transfers(.arrived(.sample)))
    let before = session.state.render()
    session.send(keys: "Tjj" + key)
    #expect(session.state.render() == before)
  }

  @Test func `p pauses what is open and goes on with what is not`() {
    var session = session()
    #expect(session.send(keys: "p") == [.transfers(.change([1], .pause))])
    #expect(session.send(keys: "jjp") == [.transfers(.change([3], .resume))])
    #expect(session.send(keys: "jr") == [.transfers(.change([4], .resume))])
    #expect(!session.send(keys: "Gp").contains { $0 == .transfers(.change([5], .resume)) })
    #expect(session.state.notice?.text == "This download is finished.")
  }

  @Test func `The order is changed by keys, and the selection stays on its download`() {
    var session = session()
    #expect(session.send(keys: "j+") == [.transfers(.change([2], .up))])
    var moved = TransferSnapshot.sample
    moved.transfers.swapAt(0, 1)
    _ = session.state.reduce(.transfers(.arrived(moved)))
    #expect(session.send(keys: "-") == [.transfers(.change([2], .down))])
  }

  @Test(arguments: [("y", true), ("n", false), ("<Esc>", false)])
  func `d asks before what has come is lost`(_ key: String, _ isDropped: Bool) {
    var session = session()
    #expect(session.send(keys: "d") == [])
    #expect(
      session.lines.last?.contains("Cancel the download of one.mp3, and delete the partial file")
        == true)
    #expect(session.send(keys: key) == (isDropped ? [.transfers(.change([1], .cancel))] : []))
    // The file of one that is done stays: nothing has to be asked.
    #expect(session.send(keys: "Gd") == [.transfers(.change([5], .cancel))])
    #expect(session.send(keys: "U") == [.transfers(.clear)])
  }

  @Test func `Selected transfers are paused, resumed, moved and removed together`() {
    var session = session()
    session.send(keys: "vjv")
    #expect(session.lines[0].contains("2 selected"))
    #expect(session.lines.count { $0.hasPrefix("✓") } == 2)
    #expect(session.send(keys: "+") == [.transfers(.change([1, 3], .up))])
    #expect(session.send(keys: "-") == [.transfers(.change([1, 3], .down))])
    // The running ones pause, the paused one stays so, and the selection ends.
    #expect(session.send(keys: "p") == [.transfers(.change([1], .pause))])
    #expect(!session.lines.contains { $0.hasPrefix("✓") })
    session.send(keys: "gvGV")
    #expect(session.send(keys: "r") == [.transfers(.change([1, 2, 3, 4], .resume))])
    session.send(keys: "gvGV")
    #expect(session.send(keys: "d") == [])
    #expect(session.lines.last?.contains("Remove 5 transfers from the list") == true)
    #expect(session.send(keys: "y") == [.transfers(.change([1, 2, 3, 4, 5], .cancel))])
    // Those that are gone are selected no more; Escape deselects before it leaves.
    var rest = TransferSnapshot.sample
    rest.transfers.removeFirst(3)
    _ = session.state.reduce(.transfers(.arrived(rest)))
    #expect(session.lines[0].contains("2 selected"))
    session.send(keys: "<Esc>")
    #expect(session.state.front is TransfersState && !session.lines[0].contains("selected"))
  }

  @Test func `d asks before an upload ends`() {
    var snapshot = TransferSnapshot.sample
    snapshot.transfers[0].isUpload = true
    var session = session(snapshot)
    #expect(session.send(keys: "d") == [])
    #expect(session.lines.last?.contains("Cancel the upload of one.mp3, and keep the file") == true)
    #expect(session.send(keys: "y") == [.transfers(.change([1], .cancel))])
  }

  @Test func `An article's row and heading show how far its download is`() {
    var session = Session(Sample.rows(1...5))
    var snapshot = TransferSnapshot.sample
    snapshot.transfers[0].article = ArticleID(5)
    _ = session.state.reduce(.transfers(.arrived(snapshot)))
    #expect(session.lines.contains { $0.contains("↓43%") })
    snapshot.transfers[0].state = .done
    _ = session.state.reduce(.transfers(.arrived(snapshot)))
    #expect(session.lines.contains { $0.contains("✓") })
    #expect(!session.lines.contains { $0.contains("43%") })
  }

  @Test func `Ends are told once, with what failed`() {
    var session = Session(Sample.rows(1...5))
    let (done, failed) = (
      TransferSnapshot.sample.transfers[4], TransferSnapshot.sample.transfers[3]
    )
    _ = session.state.reduce(.transfers(.ended([done, done])))
    #expect(session.state.notice?.text == "2 downloads finished.")
    _ = session.state.reduce(.transfers(.ended([done, failed])))
    #expect(session.state.notice?.text == "1 download finished, 1 download failed. T shows why.")
  }

  @Test func `A share is never above the whole, nor a whole one before the end`() {
    var transfer = TransferSnapshot.sample.transfers[0]
    transfer.bytes = 999_999
    transfer.total = 1_000_000
    #expect(transfer.percent == 99)
    transfer.bytes = 5_000_000
    #expect(transfer.percent == 100 && transfer.secondsLeft == nil)
    transfer.total = nil
    #expect(transfer.share == nil && transfer.secondsLeft == nil)
    transfer.total = 0
    #expect(transfer.share == nil)
  }

  @Test(arguments: [
    (Int64(0), "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (12_345, "12 kB"),
    (1_250_000, "1.2 MB"), (45_600_000, "45.6 MB"), (456_000_000, "456 MB"),
    (1_999_999_999, "1.9 GB"), (.max, "9223372 TB"),
  ])
  func `Bytes have a unit`(count: Int64, expected: String) {
    #expect(TransferWords.bytes(count) == expected)
  }

  @Test(arguments: [
    (Int64(0), "0 s"), (59, "59 s"), (60, "1:00"), (247, "4:07"), (3_723, "1:02:03"),
    (360_000, "100 h"),
  ])
  func `A time that is left reads as a clock`(seconds: Int64, expected: String) {
    #expect(TransferWords.seconds(seconds) == expected)
  }
}

extension TransferSnapshot {
  /// A download in each state.
  static let sample: TransferSnapshot = {
    func transfer(
      _ id: Int64, _ state: Transfer.State, _ title: String, bytes: Int64, of total: Int64?,
      rate: Double? = nil, error: SourceError? = nil
    ) -> Transfer {
      let names = ["one.mp3", "two.mp3", "three.ogg", "four.pdf", "five.mp3"]
      return Transfer(
        id: id, article: ArticleID(100 + id), title: title, feedTitle: "Casts",
        address: "https://example.org/files/\(names[Int(id) - 1])", state: state, bytes: bytes,
        total: total, rate: rate,
        path: bytes > 0 ? "/home/ada/Downloads/Telex/\(names[Int(id) - 1])" : nil, error: error,
        created: Sample.date(secondsAgo: 600 - id * 10),
        ended: state == .done || state == .failed ? Sample.date(secondsAgo: 60) : nil,
        isAutomatic: id == 2)
    }
    return TransferSnapshot([
      transfer(
        1, .running, "The harbour in the morning", bytes: 12_345_678, of: 28_600_000,
        rate: 2_100_000),
      transfer(2, .running, "日本語の見出し", bytes: 3_000_000, of: nil, rate: 310_000),
      transfer(3, .paused, "Bread, and how to bake it", bytes: 900_000, of: 1_800_000),
      transfer(
        4, .failed, "A title of an article so long that hardly any screen has room for it",
        bytes: 0, of: nil, error: Sample.unavailable),
      transfer(5, .done, "The end of the line", bytes: 45_600_000, of: 45_600_000),
    ])
  }()
}
