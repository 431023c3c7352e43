internal import News
internal import Store

/// The waiting changes of one subscription in order. Subscriptions do not wait for each other.
/// Pure.
struct FeedChanges {
  private(set) var items: [OutboxItem]

  /// The changes of each subscription, those with the fewest failed attempts first.
  static func all(in items: [OutboxItem]) -> [FeedChanges] {
    var all: [FeedChanges] = []
    // A subscription that ended and began anew is another feed here, at the same address.
    var (places, placesByURL): ([FeedID: Int], [String: Int]) = ([:], [:])
    for item in items {
      guard case .subscription(let feed, let change) = item.change else { continue }
      let place = feed.flatMap { places[$0] } ?? placesByURL[change.url] ?? all.count
      if place == all.count { all.append(FeedChanges(items: [])) }
      all[place].items.append(item)
      if let feed { places[feed] = place }
      placesByURL[change.url] = place
    }
    return all.enumerated().sorted {
      ($0.element.attempts, $0.offset) < ($1.element.attempts, $1.offset)
    }.map(\.element)
  }

  private var attempts: Int { items.map(\.attempts).max() ?? 0 }

  /// Earlier changes of the same thing: sent after `item`, they would undo it.
  func superseded(by item: OutboxItem) -> [OutboxItem] {
    items.filter { $0.id < item.id && $0.concerns == item.concerns }
  }
}

extension OutboxItem {
  fileprivate enum Concern { case existence, title, folders }

  /// The part of a subscription that is changed.
  fileprivate var concerns: Concern? {
    guard case .subscription(_, let change) = change else { return nil }
    return switch change.kind {
    case .add, .remove: .existence
    case .rename: .title
    case .file: .folders
    }
  }
}
