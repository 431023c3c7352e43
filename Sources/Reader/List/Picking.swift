import News
import Screen

/// Articles of a list that are picked, so that the next command is about all of them.
struct PickedArticles: Hashable, Sendable {
  /// In the order in which they were picked.
  private(set) var ids: [ArticleID] = []
  /// Their marks as they were then: their rows may be out of reach by now.
  private(set) var status: [ArticleID: ArticleStatus] = [:]
  /// The one that was picked last, from which a range goes.
  private(set) var last: ArticleID?

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: ArticleID) -> Bool { ids.contains(id) }

  mutating func toggle(_ row: ArticleRow) {
    let id = row.id
    status[id] = row.status
    if let index = ids.firstIndex(of: id) {
      ids.remove(at: index)
      last = ids.last
    } else {
      ids.append(id)
      last = id
    }
  }

  mutating func add(_ more: [ArticleRow]) {
    let known = Set(ids)
    for row in more where !known.contains(row.id) {
      ids.append(row.id)
      status[row.id] = row.status
    }
    last = more.last?.id ?? last
  }
}

extension ListState {
  /// Picks the selected article, or lets it go, and moves on to the next one.
  mutating func pickSelected() -> [Effect] {
    guard let row = selectedArticle else { return [] }
    picked.toggle(row)
    return move(by: 1)
  }

  /// Picks the articles from the one that was picked last to the selected one; without one, the selected one alone.
  ///
  /// - Returns: false where the one that was picked last is out of reach.
  mutating func pickRange() -> Bool {
    guard let index = selectedIndex else { return true }
    let from = picked.last.flatMap { last in
      rows.firstIndex { if case .article(let row) = $0 { row.id == last } else { false } }
    }
    if picked.last != nil, from == nil { return false }
    let range = min(from ?? index, index)...max(from ?? index, index)
    let more = rows[range].compactMap { row -> ArticleRow? in
      if case .article(let row) = row { row } else { nil }
    }
    picked.add(from.map { $0 > index } == true ? more.reversed() : more)
    return true
  }

  /// The marks of an article that was picked.
  fileprivate func status(of id: ArticleID) -> ArticleStatus? {
    row(of: id)?.status ?? picked.status[id]
  }
}

/// Commands about all that is picked. It is let go when one has been done.
extension ReaderState {
  /// What is picked, while the list has the focus; nil for nothing.
  private var picked: [ArticleID]? {
    focus == .list && !list.picked.isEmpty ? list.picked.ids : nil
  }

  /// - Returns: nil where nothing is picked, or the command is about one article at a time.
  mutating func performOnPicked(_ command: Command) -> [Effect]? {
    guard let ids = picked else { return nil }
    var effects: [Effect]
    switch command {
    case .toggleRead, .markRead, .markUnread:
      // One that is unread makes all of them read.
      let isRead =
        command == .toggleRead
        ? ids.contains { list.status(of: $0)?.isRead == false } : command == .markRead
      effects = isRead ? list.keep(ids) : []
      let all = ids + ids.flatMap(list.folded)
      effects.append(apply(.mark(all, .read(isRead), isUndoable: true)))
      effects += notify(
        "\(counted(ids)) \(isRead ? "read" : "unread"); \(key(.undo)) takes it back")
    case .toggleStar:
      let isStarred = ids.contains { list.status(of: $0)?.isStarred == false }
      effects = [apply(.mark(ids, .starred(isStarred), isUndoable: true))]
      effects += notify("\(counted(ids)) \(isStarred ? "starred" : "without a star")")
    case .deleteArticle: effects = delete(ids)
    case .openInBackground:
      guard ids.count <= Self.mostOpened else {
        return notify("\(ids.count) are picked, and \(Self.mostOpened) are opened at once at most")
      }
      effects = ids.map { .opening(.openArticleLink($0, inBackground: true)) }
    case .tagArticle:
      ask(.tagsOfSeveral(ids, LineEditor()))
      return []
    default: return nil
    }
    list.picked = PickedArticles()
    return effects
  }

  /// So many pages are opened at once.
  private static let mostOpened = 20

  private func counted(_ ids: [ArticleID]) -> String {
    ids.count == 1 ? "1 article" : "\(ids.count) articles"
  }

  /// Asks for tags of the selected article, whose tags a row does not know, in the same way.
  mutating func askForTagsOfRow() -> [Effect] {
    guard let row = list.selectedArticle else { return notify("no article is selected") }
    ask(.tagsOfSeveral([row.id], LineEditor()))
    return []
  }

  /// Puts tags on articles; those with a minus before them are taken off.
  mutating func tagSeveral(_ ids: [ArticleID], _ typed: String) -> [Effect] {
    let changes = TypedTags(typed)
    guard !changes.added.isEmpty || !changes.removed.isEmpty else { return [] }
    list.picked = PickedArticles()
    return [apply(.changeTags(ids, added: changes.added, removed: changes.removed))]
      + notify("\(counted(ids)): \(changes.summary)")
  }
}
