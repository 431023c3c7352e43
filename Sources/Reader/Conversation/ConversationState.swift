internal import News
internal import Screen

/// The screen of the comments on an article: a thread that scrolls by lines and is gone through by comments.
struct ConversationState: Hashable, Sendable {
  private(set) var conversation: Conversation
  private(set) var isLoading = false
  /// Whether the user has stopped the latest fetch.
  private(set) var isStopped = false
  /// Comments that show as their first line alone, without what answers them.
  private(set) var folded: Set<String> = []
  /// Comments of later fetches are new; nil before the first visit.
  private(set) var since: Int?
  private(set) var newCount = 0
  /// The rows of the thread that show, as indices.
  private(set) var shown: [Int] = []
  /// The selected one of `shown`.
  private(set) var selected = 0 {
    didSet { if selected != oldValue { link = nil } }
  }
  /// The number of the link that is picked in the selected comment; nil for none.
  var link: Int?
  private(set) var top = Place()
  private var texts: [String: CommentText] = [:]

  struct Place: Hashable, Comparable, Sendable {
    /// Of `shown`.
    var index = 0
    /// Of the comment, from its head on.
    var line = 0

    static func < (a: Place, b: Place) -> Bool { (a.index, a.line) < (b.index, b.line) }
  }

  init(_ conversation: Conversation) {
    self.conversation = conversation
    since = conversation.record.seen
    noteFirstVisit()
    show()
  }

  // MARK: Comments

  var article: ArticleID { conversation.article }
  var rows: [CommentThread.Row] { conversation.thread.rows }

  func row(_ index: Int) -> CommentThread.Row { rows[shown[index]] }

  /// The selected comment; nil where there is none.
  var current: CommentThread.Row? { shown.indices.contains(selected) ? row(selected) : nil }

  func isNew(_ comment: Comment) -> Bool {
    guard let since, let arrival = conversation.arrivals[comment.id] else { return false }
    return arrival > since
  }

  /// How many comments stand below one, and how many of them are new.
  func answers(below index: Int) -> (count: Int, new: Int) {
    let start = shown[index]
    var answers = (count: 0, new: 0)
    for row in rows[(start + 1)...] {
      guard row.depth > rows[start].depth else { break }
      answers.count += 1
      if isNew(row.comment) { answers.new += 1 }
    }
    return answers
  }

  func isFolded(_ comment: Comment) -> Bool { folded.contains(comment.id) }

  // MARK: Arriving

  /// Shows the stored comments. The selected comment stays on its line.
  mutating func receive(_ conversation: Conversation, _ size: Size) {
    let line = linesAboveSelected(size)
    let (comment, picked) = (current?.comment, link)
    let id = comment?.id
    texts = [:]
    self.conversation = conversation
    noteFirstVisit()
    folded.formIntersection(conversation.thread.rows.map(\.comment.id))
    show()
    if let id, let index = shown.firstIndex(where: { rows[$0].comment.id == id }) {
      selected = index
      place(selected, atLine: line, size)
    }
    // Of the same text it is the same link.
    link =
      comment != nil && current?.comment.id == id && current?.comment.text == comment?.text
      ? picked : nil
    settle(size)
  }

  /// A fetch has ended; what it has brought comes from the store.
  mutating func endFetch(_ error: SourceError?) {
    isLoading = false
    if let error { conversation.record.error = error }
  }

  mutating func beginFetch() { (isLoading, isStopped) = (true, false) }

  mutating func stopFetch() { (isLoading, isStopped) = (false, true) }

  /// Comments at the first visit are not new; later ones are.
  private mutating func noteFirstVisit() {
    if since == nil, conversation.record.fetched != nil { since = conversation.record.arrival }
    guard let since else { return }
    newCount = conversation.arrivals.values.count { $0 > since }
  }

  private mutating func show() {
    shown = []
    shown.reserveCapacity(rows.count)
    var hidden: Int?
    for (index, row) in rows.enumerated() {
      if let depth = hidden {
        if row.depth > depth { continue }
        hidden = nil
      }
      shown.append(index)
      if folded.contains(row.comment.id) { hidden = row.depth }
    }
    selected = max(0, min(selected, shown.count - 1))
    top.index = max(0, min(top.index, shown.count - 1))
  }

  // MARK: Lines

  /// The columns of bars left of a comment.
  static func margin(ofDepth depth: Int, _ size: Size) -> Int {
    let columns = room(size).width
    // Deeper answers stay where there is room for their text.
    let most = max(0, min(12, (columns - 26) / 2))
    return 2 * min(depth, most)
  }

  /// Whether a comment is indented less than its depth.
  static func isBounded(_ depth: Int, _ size: Size) -> Bool {
    margin(ofDepth: depth, size) < 2 * depth
  }

  /// Where the comments are drawn: at most 100 columns, in the middle.
  static func room(_ size: Size) -> Rect {
    let content = PaneLayout.content(of: PaneLayout.page(size))
    let width = max(1, min(100, content.width - (content.width > 20 ? 2 : 0)))
    return Rect(
      x: content.x + (content.width - width) / 2, y: content.y, width: width,
      height: content.height)
  }

  func text(_ index: Int, _ size: Size) -> CommentText {
    let row = row(index)
    let width = max(1, Self.room(size).width - Self.margin(ofDepth: row.depth, size))
    if let known = texts[row.comment.id], known.width == width { return known }
    return CommentText(row.comment, width: width)
  }

  /// The lines of a comment with its head, and with the empty line behind it.
  private mutating func height(_ index: Int, _ size: Size) -> Int {
    let id = row(index).comment.id
    guard !folded.contains(id) else { return 1 }
    let text = text(index, size)
    if texts.count > 500 { texts = [:] }
    texts[id] = text
    return text.lines.count + 2
  }

  // MARK: Scrolling

  /// The place some lines below or above another one, within the thread.
  private mutating func place(_ start: Place, movedBy delta: Int, _ size: Size) -> Place {
    var place = start
    var left = delta
    while left > 0 {
      let below = height(place.index, size) - place.line
      guard left >= below, place.index + 1 < shown.count else {
        place.line += min(left, below - 1)
        return place
      }
      left -= below
      place = Place(index: place.index + 1)
    }
    while left < 0 {
      guard -left > place.line, place.index > 0 else {
        place.line = max(0, place.line + left)
        return place
      }
      left += place.line + 1
      place.index -= 1
      place.line = height(place.index, size) - 1
    }
    return place
  }

  /// The first line of the last screen.
  private mutating func lastTop(_ size: Size) -> Place {
    guard !shown.isEmpty else { return Place() }
    let last = shown.count - 1
    // The empty line at the end need not show.
    let end = Place(index: last, line: max(0, height(last, size) - 2))
    return place(end, movedBy: 1 - Self.room(size).height, size)
  }

  /// Lines from the top of the screen to the head of the selected comment; negative above it. It is counted as far as
  /// two screens.
  private mutating func linesAboveSelected(_ size: Size) -> Int {
    guard !shown.isEmpty else { return 0 }
    let most = 2 * Self.room(size).height
    guard selected >= top.index else { return -most }
    var lines = -top.line
    for index in top.index..<selected {
      guard lines < most else { break }
      lines += height(index, size)
    }
    return lines
  }

  private mutating func place(_ index: Int, atLine line: Int, _ size: Size) {
    top = place(Place(index: index), movedBy: -line, size)
  }

  /// Brings the selected comment into sight: as a whole where there is room for it, else from its head on.
  private mutating func reveal(_ size: Size) {
    guard !shown.isEmpty else { return }
    let room = Self.room(size).height
    let height = max(1, height(selected, size) - 1)
    let line = linesAboveSelected(size)
    if line < 0 || height >= room {
      top = Place(index: selected)
    } else if line + height > room {
      place(selected, atLine: room - height, size)
    }
    settle(size)
  }

  /// Brings a line of the selected comment into sight.
  mutating func reveal(line: Int, _ size: Size) {
    let room = Self.room(size).height
    let above = linesAboveSelected(size) + line
    if above < 0 || above >= room {
      top = place(Place(index: selected), movedBy: line - room / 2, size)
      settle(size)
    }
  }

  /// Keeps the top within the thread.
  mutating func settle(_ size: Size) {
    guard !shown.isEmpty else {
      top = Place()
      return
    }
    top.line = min(top.line, height(top.index, size) - 1)
    top = min(top, lastTop(size))
  }

  mutating func scroll(by delta: Int, _ size: Size) {
    guard !shown.isEmpty else { return }
    let former = top
    top = place(top, movedBy: delta, size)
    settle(size)
    // The selected one is the first whose head is in sight, as far as there is one.
    var candidate = top.line == 0 ? top.index : min(top.index + 1, shown.count - 1)
    if top == former, delta > 0 { candidate = shown.count - 1 }
    if linesFromTop(to: candidate, size) >= Self.room(size).height { candidate = top.index }
    selected = candidate
  }

  private mutating func linesFromTop(to index: Int, _ size: Size) -> Int {
    let before = selected
    selected = index
    defer { selected = before }
    return linesAboveSelected(size)
  }

  // MARK: Moving

  mutating func select(_ index: Int, _ size: Size) {
    guard !shown.isEmpty else { return }
    selected = max(0, min(index, shown.count - 1))
    reveal(size)
  }

  /// A line further where the comment goes on below the screen, else to the next one.
  mutating func step(_ delta: Int, _ size: Size) {
    guard !shown.isEmpty else { return }
    let room = Self.room(size).height
    if delta == 1, linesAboveSelected(size) + height(selected, size) - 1 > room {
      top = place(top, movedBy: 1, size)
      return
    }
    if delta == -1, top.index == selected, top.line > 0 {
      top.line -= 1
      return
    }
    select(selected + delta, size)
  }

  mutating func perform(_ motion: Motion, count: Int?, _ size: Size) {
    let height = Self.room(size).height
    switch motion {
    case .down: count.map { select(selected + $0, size) } ?? step(1, size)
    case .up: count.map { select(selected - $0, size) } ?? step(-1, size)
    case .first, .last:
      select(count.map { $0 - 1 } ?? (motion == .first ? 0 : shown.count - 1), size)
    default: scroll(by: motion.delta(height: height) * (count ?? 1), size)
    }
  }

  /// Goes to the next or previous new comment, in folded branches, too.
  mutating func goToNew(_ delta: Int, _ size: Size) -> Bool {
    guard !shown.isEmpty else { return false }
    var index = shown[selected] + delta
    while rows.indices.contains(index), !isNew(rows[index].comment) { index += delta }
    guard rows.indices.contains(index) else { return false }
    unfold(around: index)
    show()
    selected = shown.firstIndex(of: index) ?? selected
    reveal(size)
    return true
  }

  /// Goes to what the selected comment answers.
  mutating func goToParent(_ size: Size) -> Bool {
    guard let current, current.depth > 0,
      let index = shown[..<selected].lastIndex(where: { rows[$0].depth < current.depth })
    else { return false }
    select(index, size)
    return true
  }

  /// Goes past the answers to the selected comment, or to the comment before that stands no deeper.
  mutating func goToBranch(_ delta: Int, _ size: Size) -> Bool {
    guard let depth = current?.depth else { return false }
    let fits: (Int) -> Bool = { rows[$0].depth <= depth }
    let index =
      delta > 0
      ? shown[(selected + 1)...].firstIndex(where: fits)
      : shown[..<selected].lastIndex(where: fits)
    guard let index else { return false }
    select(index, size)
    return true
  }

  // MARK: Folding

  /// Opens the folds that hide a row.
  private mutating func unfold(around index: Int) {
    var depth = rows[index].depth
    folded.remove(rows[index].comment.id)
    for above in rows[..<index].reversed() where above.depth < depth {
      folded.remove(above.comment.id)
      depth = above.depth
      if depth == 0 { return }
    }
  }

  mutating func toggleFold(_ size: Size) {
    guard let comment = current?.comment else { return }
    let line = max(0, linesAboveSelected(size))
    if folded.remove(comment.id) == nil { folded.insert(comment.id) }
    show()
    place(selected, atLine: line, size)
    settle(size)
  }

  /// Folds all threads, or opens all where any is folded.
  mutating func toggleAllFolds(_ size: Size) {
    guard !shown.isEmpty else { return }
    let index = shown[selected]
    if folded.isEmpty {
      folded = Set(rows.filter { $0.depth == 0 }.map(\.comment.id))
    } else {
      folded = []
    }
    show()
    selected = shown.lastIndex { $0 <= index } ?? 0
    top = Place(index: selected)
    reveal(size)
  }

  /// Selects the comment that is drawn on a line of the room.
  mutating func select(atLine line: Int, _ size: Size) {
    guard !shown.isEmpty else { return }
    selected = place(top, movedBy: line, size).index
  }
}
