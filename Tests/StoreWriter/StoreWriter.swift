internal import Foundation
internal import News
internal import Store

/// Works on a store from a process of its own, so that tests can kill it and compete with it.
///
/// `store-writer FOLDER write` commits page after page until it is killed; `mark` reads and marks;
/// `once` commits one page and ends; `open` opens it, and is killed when a file of it would become
/// longer than a number of bytes that follows.
@main struct StoreWriter {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print("usage: store-writer FOLDER write|mark|once|open [BYTES]")
      exit(2)
    }
    if arguments.count > 3, let bytes = UInt(arguments[3]) {
      // The kernel ends the process at the write that goes beyond, without a word to it. No core.
      var (limit, none) = (rlimit(rlim_cur: bytes, rlim_max: bytes), rlimit())
      setrlimit(resource(RLIMIT_CORE), &none)
      setrlimit(resource(RLIMIT_FSIZE), &limit)
      signal(SIGXFSZ, SIG_DFL)
    }
    do {
      let store = try Store(folder: arguments[1])
      switch arguments[2] {
      case "once": try await write(1, "once", store)
      case "open": print("opened")
      case "mark": try await mark(200, store)
      default:
        for number in 1... { try await write(number, "run \(getpid())", store) }
      }
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }

  #if canImport(Darwin)
    private static func resource(_ number: Int32) -> Int32 { number }
  #else
    private static func resource(_ number: __rlimit_resource) -> __rlimit_resource_t {
      __rlimit_resource_t(number.rawValue)
    }
  #endif

  /// A page of ten, whose cursor names the page: either both are in the database or neither.
  private static func write(_ number: Int, _ run: String, _ store: Store) async throws {
    let time = Date(timeIntervalSince1970: 2_000_000_000 - Double(number))
    let name = "\(run), page \(number)"
    let entries = (0..<10).map { index in
      Entry(
        id: "\(name)/\(index)", title: "Entry \(index) of \(name)", published: time,
        contentHTML: String(repeating: "<p>words of \(name)</p>", count: 200))
    }
    let page = PreparedPage(Page(entries: entries, nextCursor: Cursor(name)))
    try await store.edit { edit in
      let (feed, _) = try edit.feeds.subscribe(
        url: "http://example.org/written", isUserEntered: true, now: time)
      _ = try edit.articles.merge(page, into: feed, at: .older, now: time)
    }
    print("wrote \(number)")
    fflush(nil)
  }

  private static func mark(_ times: Int, _ store: Store) async throws {
    for _ in 0..<times {
      let rows = try await store.view {
        try $0.timeline.slice(TimelineQuery(.unread, olderCount: 5)).rows
      }
      let ids = rows.compactMap { row in
        if case .article(let article) = row { article.id } else { nil }
      }
      try await store.edit {
        try $0.marks.set(.read(true), of: ids, now: Date(timeIntervalSince1970: 0))
      }
    }
  }
}
