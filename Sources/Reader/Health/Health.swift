internal import Foundation
internal import News
internal import Screen

/// The view of the feeds by how they fare.
package struct HealthState: Hashable, Sendable {
  /// A feed changes its place with every fetch.
  var selection: ScrollingSelection<FeedID>
  /// The first line of the details that shows.
  var detailsTop = 0
  /// Addresses that were typed and have not been taken, for another try.
  var typed: [FeedID: String] = [:]

  var selected: FeedID? { selection.id }
}

extension HealthRow: SelectableRow {
  var selectionID: FeedID { id }
}

/// How a feed fares, what needs the reader most first.
enum FeedCondition: Int, Hashable, CaseIterable {
  /// Its connection cannot be trusted.
  case untrusted
  case failing
  /// Left alone until a certain time.
  case waiting
  /// Answers from another address for the time being.
  case redirected
  /// Answers, and says that it has moved.
  case moved
  case gone
  case neverFetched
  case well

  init(_ feed: Feed, wait: RetryWait?, now: Int64) {
    let state = feed.state
    self =
      if state.isGone {
        .gone
      } else if state.nextAttempt.map({ $0.seconds > now }) == true
        || wait != nil && state.error == nil
      {
        // One that fails does not leave its place because it is being tried.
        .waiting
      } else if state.error?.kind == .tls {
        .untrusted
      } else if state.error != nil {
        .failing
      } else if state.exchange?.redirectedTo != nil {
        .redirected
      } else if feed.movedTo != nil {
        .moved
      } else if state.lastAttempt == nil {
        .neverFetched
      } else {
        .well
      }
  }

  /// As the heading counts it.
  var name: String {
    switch self {
    case .untrusted: "not trusted"
    case .failing: "failing"
    case .waiting: "waiting"
    case .redirected: "redirected"
    case .moved: "moved"
    case .gone: "gone"
    case .neverFetched: "never fetched"
    case .well: "well"
    }
  }

  var mark: String {
    switch self {
    case .untrusted: "⊘"
    case .failing: "!"
    case .waiting: "↻"
    case .redirected, .moved: "→"
    case .gone: "×"
    case .neverFetched: "·"
    case .well: "✓"
    }
  }
}

/// One line of the view.
struct HealthRow: Hashable {
  var feed: Feed
  var condition: FeedCondition
  /// Set while a fetch that is under way waits for another attempt.
  var wait: RetryWait?

  var id: FeedID { feed.id }
  var error: SourceError? { feed.state.error }
  /// Where it can be moved to: where its server sends, else where it says that it lies now.
  var newAddress: String? { feed.state.exchange?.redirectedTo ?? feed.movedTo }

  /// What is wrong in a word or two: twelve columns at most.
  var brief: String {
    if wait != nil { return "trying again" }
    switch condition {
    case .untrusted, .failing, .waiting: return error?.brief ?? "waiting"
    case .redirected: return "redirected"
    case .moved: return "moved"
    case .gone: return "gone"
    case .neverFetched: return "never asked"
    case .well: return ""
    }
  }

  /// All feeds, the longest failing first, and last the well ones, the stalest of them first.
  static func rows(of snapshot: SidebarSnapshot, now: Int64) -> [HealthRow] {
    let rows = snapshot.feeds.map { feed in
      let wait = snapshot.waits[feed.id]
      return HealthRow(
        feed: feed, condition: FeedCondition(feed, wait: wait, now: now), wait: wait)
    }
    // The order of the titles stands where nothing else tells two apart.
    let keys = rows.enumerated().map { ($1.condition.rawValue, $1.rank, $0) }
    return keys.sorted(by: <).map { rows[$0.2] }
  }

  /// Orders the rows of one condition.
  private var rank: Int64 {
    let state = feed.state
    return switch condition {
    case .untrusted, .failing: (state.failing?.since ?? state.lastAttempt)?.seconds ?? .max
    case .waiting: (wait?.until ?? state.nextAttempt)?.seconds ?? .max
    case .well: state.lastSuccess?.seconds ?? .min
    case .redirected, .moved, .gone, .neverFetched: 0
    }
  }
}

extension SourceError {
  /// What went wrong in a word or two: twelve columns at most.
  fileprivate var brief: String {
    switch kind {
    case .offline: "offline"
    case .timeout: "timeout"
    case .dns: "no such host"
    case .refused: "refused"
    case .cutShort: "cut short"
    case .tls: "not trusted"
    case .paused: "paused"
    case .status: status.map { "status \($0)" } ?? "an error"
    case .decoding: "unreadable"
    case .tooLarge: "too large"
    case .redirect: "redirects"
    case .insecure: "plain http"
    case .proxy: "the proxy"
    case .cancelled: "cancelled"
    case .address: "bad address"
    case .notAFeed: "not a feed"
    case .secret: "no password"
    case .file: "no file"
    case .store: "not stored"
    }
  }
}

/// Where the parts of the view lie: the details beside the list where there is room, else below it.
struct HealthLayout: Hashable {
  /// With its heading.
  let list: Rect
  /// With its heading; nil on a screen that has room for the list only.
  let details: Rect?
  let isBeside: Bool

  private static let twoColumns = 120

  init(size: Size, rowCount: Int) {
    let height = size.height > 1 ? size.height - 1 : size.height
    if size.width >= Self.twoColumns {
      let left = size.width * 11 / 20
      list = Rect(x: 0, y: 0, width: left, height: height)
      details = Rect(x: left + 1, y: 0, width: size.width - left - 1, height: height)
      isBeside = true
      return
    }
    isBeside = false
    let room = height - 1
    guard room >= 6 else {
      list = Rect(x: 0, y: 0, width: size.width, height: height)
      details = nil
      return
    }
    // What is said of a feed takes more lines on a narrow screen.
    let below = min((room * 3 + 4) / 5, size.width < 60 ? 16 : 12)
    let rows = min(room - below, max(1, rowCount))
    list = Rect(x: 0, y: 0, width: size.width, height: 1 + rows)
    details = Rect(x: 0, y: 1 + rows, width: size.width, height: room - rows)
  }

  /// The rows of the list. Its heading stands above them on any screen that has three lines.
  var rows: Rect {
    guard details != nil, !isBeside else { return PaneLayout.content(of: list) }
    return Rect(x: list.x, y: list.y + 1, width: list.width, height: list.height - 1)
  }

  var text: Rect? {
    details.map { pane in
      if isBeside { return PaneLayout.content(of: pane) }
      return Rect(x: pane.x, y: pane.y + 1, width: pane.width, height: pane.height - 1)
    }
  }
}

extension ReaderState {
  var healthRows: [HealthRow] { HealthRow.rows(of: sidebar.snapshot, now: clock.now) }

  func healthLayout(_ rows: [HealthRow]) -> HealthLayout {
    HealthLayout(size: size, rowCount: rows.count)
  }

  /// Where the reader is among the rows; nil where there are none.
  func healthIndex(in rows: [HealthRow]) -> Int? {
    health?.selection.nearestIndex(in: rows)
  }

  /// The row at the top.
  func firstVisibleHealthRow(in rows: [HealthRow]) -> Int {
    health?.selection.firstVisible(in: rows, height: healthLayout(rows).rows.height) ?? 0
  }
}
