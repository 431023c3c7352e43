internal import News

/// Articles that have arrived above the screen since the user saw the top of the list.
extension ListState {
  /// Whether the first row of the timeline shows.
  var isAtTop: Bool { firstVisibleRow == 0 && snapshot?.slice.hasNewer == false }

  /// How many articles above the screen have arrived since the user saw the top, whether the window
  /// of rows reaches there or not.
  var newAbove: Int {
    guard let seen else { return 0 }
    return waitingAbove.count { arrival in
      // The archive of a feed that is new here is not news, wherever it lies.
      !arrival.isFromNewFeed || seen.newest.map { arrival.position > $0 } ?? false
    }
  }

  /// Arrivals above the screen since the user saw the top, archives of new feeds included.
  var waitingAbove: [Arrivals.Arrival] {
    guard let snapshot, let unseen = unseenRegion else { return [] }
    return snapshot.arrivals.articles.filter {
      $0.position > unseen.above && $0.position.id > unseen.since
    }
  }

  /// The region of articles that the user has not seen; nil while the top shows.
  var unseenRegion: UnseenRegion? {
    guard let snapshot, let seen, !isAtTop, query.order == .newest,
      snapshot.slice.rows.indices.contains(firstVisibleRow)
    else { return nil }
    return UnseenRegion(above: snapshot.slice.rows[firstVisibleRow].position, since: seen.lastID)
  }

  /// Notes what the user has seen while the top is visible; else asks for what has arrived since.
  mutating func followSeen() -> [Effect] {
    guard let snapshot else { return [] }
    // In another order than that of dates what arrives does not lie above.
    if isAtTop || query.order != .newest {
      seen = Seen(
        lastID: max(seen?.lastID ?? 0, snapshot.arrivals.lastID),
        newest: snapshot.slice.rows.first?.position)
      return []
    }
    // An answer that is under way comes first.
    guard let seen, snapshot.arrivals.since != seen.lastID,
      snapshot.query == query, query.arrivedAfter != seen.lastID
    else { return [] }
    query.arrivedAfter = seen.lastID
    return [.list(.observe(query))]
  }
}
