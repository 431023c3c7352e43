internal import News
internal import Reader
internal import TelexKit

/// Loads lists of articles.
@MainActor
final class ListPerformer: EffectPerformer {
  nonisolated let context: EffectContext
  /// The queries of highlighted rows.
  var highlightQueries: [ArticleQuery] = []
  private var hasOrderedTitles = false

  init(_ context: EffectContext) { self.context = context }

  func perform(_ effect: Effect.List) {
    let id = effect.id
    let articles = articles
    switch effect {
    case .observe(let query):
      if query.order == .title { orderTitles() }
      scheduler.start(id) { [inbox, snapshots, highlightQueries] in
        await inbox.follow({ snapshots.timeline(query, highlighting: highlightQueries) }) {
          inbox.send(.list(.arrived($0)))
        }
      }
    case .loadOlder(let timeline):
      guard !scheduler.isRunning(.list(.older)) else { return }
      start(id) {
        try await articles.loadOlder(timeline)
        return nil
      }
    case .fill(let gap):
      start(id) {
        try await articles.fill(gap)
        return nil
      }
    case .findNextUnread(let timeline, let order, let position):
      start(id) {
        let found = try await articles.nextUnread(in: timeline, order, after: position)
        return .list(.nextUnreadFound(found?.timeline ?? timeline, found?.position))
      }
    case .find(let step, let timeline, let order, let position):
      start(id) {
        let found = try await articles.find(step, in: timeline, order, from: position)
        return .list(.stepFound(step, timeline, found))
      }
    case .settleSearch(let words):
      start(id) {
        try await Task.sleep(for: .milliseconds(300))
        return .list(.searchSettled(words))
      }
    }
  }

  /// Prepares the index of titles once in a session, which takes seconds with many articles.
  private func orderTitles() {
    guard !hasOrderedTitles else { return }
    hasOrderedTitles = true
    observe(priority: .utility) { [composition] in await composition.orderTitles() }
  }
}
