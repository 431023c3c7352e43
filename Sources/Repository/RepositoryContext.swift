internal import Foundation
internal import News
internal import Store

/// The dependencies that all parts of the repository share.
struct RepositoryContext: Sendable {
  let store: Store
  let sources: any NewsSources
  let settings: RefreshSettings
  /// The time of day.
  let now: @Sendable () -> Date

  /// The feeds that are fetched through a network.
  func feedsOnNetwork() async -> [Feed] {
    let feeds = (try? await store.view { try $0.feeds.all() }) ?? []
    return feeds.filter { $0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
  }
}
