internal import News
internal import Screen

extension ConflictState {
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    let layout = layout(state.size)
    if layout.rows.y > 0 {
      let pane = Rect(x: 0, y: 0, width: layout.list.width, height: state.size.height)
      frame.putHeading(
        change.conflict == .deleted
          ? ConflictStrings.deletedOnServer : ConflictStrings.changedOnServer,
        note: "", isFocused: true, in: pane, theme)
    }
    let rows = Row.all
    let selected = page.selection.nearestIndex(in: rows) ?? 0
    for (index, place) in page.selection.visible(of: rows, in: layout.rows) {
      let style = index == selected ? theme.selected : theme.text
      if index == selected { frame.fill(place, style) }
      let (name, words) = words(of: rows[index])
      let used = frame.put(
        name, x: place.x + 1, y: place.y, style: style, width: max(0, place.width - 2),
        overflow: .ellipsis)
      guard place.width >= 50 else { continue }
      let start = max(used + 3, 17)
      frame.put(
        words, x: place.x + start, y: place.y, style: index == selected ? style : theme.dim,
        width: max(0, place.width - start - 1), overflow: .ellipsis)
    }
    guard let text = layout.text else { return }
    frame.putDetails(
      details(width: text.width - 2, in: state), from: page.detailsTop,
      title: change.title ?? ConflictStrings.removedArticle, in: layout, state)
  }

  func details(width: Int, in state: ReaderState) -> [DetailLine] {
    var details = DetailLines(width: width)
    if case .edit(let edit) = change.kind {
      details.add("Mine", String(edit.text.prefix(10_000)))
      switch edit.conflict {
      case .changed(let comment):
        details.add("Theirs", String(comment.text.prefix(10_000)))
      case .deleted, nil:
        details.add("Theirs", ConflictStrings.theirsDeleted, .warning)
      }
      if let updated = edit.conflict?.comment?.updated {
        let clock = state.clock
        details.add(
          "Changed", "\(clock.age(updated.seconds)), \(clock.long(updated.seconds))", .dim)
      }
    }
    if let feedTitle = change.feedTitle { details.add("Feed", feedTitle, .dim) }
    return details.lines
  }
}
