internal import News

/// Articles that have arrived above the screen since the user saw the top of the list.
extension ReaderState {
  /// Whether the first row of the timeline shows.
  var isAtTop: Bool { firstVisibleRow == 0 && list.snapshot?.slice.hasNewer == false }

  /// How many articles above the screen have arrived since the user saw the top, whether the window
  /// of rows reaches there or not.
  var newAbove: Int {
    guard let seen = list.seen else { return 0 }
    return waitingAbove.count { arrival in
      // The archive of a feed that is new here is not news, wherever it lies.
      !arrival.isFromNewFeed || seen.newest.map { arrival.position > $0 } ?? false
    }
  }

  /// What arrived above the screen since the user saw the top, archives of new feeds included.
  var waitingAbove: [Arrivals.Arrival] {
    guard let snapshot = list.snapshot, let unseen = unseenRegion else { return [] }
    return snapshot.arrivals.articles.filter {
      $0.position > unseen.above && $0.position.id > unseen.since
    }
  }

  /// Where the articles lie that the user has not looked at; nil while the top shows.
  var unseenRegion: UnseenRegion? {
    guard let snapshot = list.snapshot, let seen = list.seen, !isAtTop,
      snapshot.slice.rows.indices.contains(firstVisibleRow)
    else { return nil }
    return UnseenRegion(
      above: snapshot.slice.rows[firstVisibleRow].position, since: seen.lastID)
  }

  /// Notes what the user has seen while the top is visible; else asks for what has arrived since.
  mutating func followSeen() -> [Effect] {
    guard let snapshot = list.snapshot else { return [] }
    if isAtTop {
      list.seen = ListState.Seen(
        lastID: max(list.seen?.lastID ?? 0, snapshot.arrivals.lastID),
        newest: snapshot.slice.rows.first?.position)
      return []
    }
    // An answer that is under way comes first.
    guard let seen = list.seen, snapshot.arrivals.since != seen.lastID,
      snapshot.query == list.query, list.query.arrivedAfter != seen.lastID
    else { return [] }
    list.query.arrivedAfter = seen.lastID
    return [.observe(list.query)]
  }
}
