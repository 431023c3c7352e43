internal import News
internal import Screen
internal import Text

extension QueueState {
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (files, layout, theme) = (files ?? [], layout(state.size), state.theme)
    if layout.rows.y > 0 {
      let pane = Rect(x: 0, y: 0, width: layout.list.width, height: state.size.height)
      frame.putHeading(
        (files.isEmpty ? "Queue" : "Queue · \(files.count)")
          + PanesStrings.selected(page.picked.ids.count),
        note: Self.rest(of: files), isFocused: true, in: pane, theme)
    }
    guard let selected = page.selection.nearestIndex(in: files) else {
      return drawEmpty(&frame, in: state)
    }
    let (rows, start) = (layout.rows, layout.rows.x + 1)
    var columns: [RowTable<QueuedFile>.Column] = []
    if rows.width >= 40 {
      columns.append(.init(width: 18) { file, _ in (file.progress, theme.dim) })
    }
    if rows.width >= 70 {
      columns.append(.init(width: 20, grows: true) { file, _ in (file.feedTitle, theme.dim) })
    }
    let table = RowTable(files, in: rows, from: start, columns, name: \.title)
    for (index, place) in page.selection.visible(of: files, in: rows) {
      let selectedStyle = index == selected ? theme.selected : nil
      if let selectedStyle { frame.fill(place, selectedStyle) }
      let end = table.draw(files[index], &frame, y: place.y, selected: selectedStyle)
      frame.put(
        files[index].title, x: start, y: place.y, style: selectedStyle ?? theme.text,
        width: max(0, end - start), overflow: .ellipsis)
    }
    page.drawPicked(&frame, of: files, in: layout.rows, theme)
    guard let text = layout.text else { return }
    frame.putDetails(
      files[selected].details(width: text.width - 2), from: page.detailsTop,
      title: files[selected].title, in: layout, state)
  }

  private func drawEmpty(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    guard files != nil else {
      return frame.putLoading(in: state)
    }
    frame.putEmpty(
      [
        (PlayQueueStrings.empty, theme.text),
        (PlayQueueStrings.addHere(state.key(.queueFile)), theme.dim),
        (ReadingStrings.back(state.key(.leave)), theme.dim),
      ], in: state.size)
  }

  /// The remaining playing time of all files, as far as it is known.
  private static func rest(of files: [QueuedFile]) -> String {
    let rests = files.compactMap(\.secondsLeft)
    guard !rests.isEmpty else { return "" }
    let time = PlayingTime.text(of: rests.reduce(0, +))
    return rests.count < files.count ? PlayQueueStrings.atLeast(time) : time
  }
}

extension QueuedFile {
  /// Nil where its length is not known.
  fileprivate var secondsLeft: Int? {
    duration.map { max(0, $0 - max(0, playback?.seconds ?? 0)) }
  }

  /// How far it was played, and how long it is.
  fileprivate var progress: String {
    let whole = duration.map(PlayingTime.text(of:)) ?? ""
    guard let playback, playback.seconds > 0 else { return whole }
    let place = PlayingTime.text(of: playback.seconds)
    return whole.isEmpty ? place : "\(place) of \(whole)"
  }

  func details(width: Int) -> [DetailLine] {
    var details = DetailLines(width: width)
    details.add("Article", title)
    details.add("Feed", feedTitle)
    if let name = file.title { details.add("File", name) }
    let isHeard = playback?.isHeard == true
    details.add(
      "Played",
      isHeard ? PlayQueueStrings.toTheEnd : progress.isEmpty ? PlayQueueStrings.notYet : progress)
    let kind = [file.type, file.length.map(TransferWords.bytes)].compactMap { $0 }
    if !kind.isEmpty { details.add("Type", kind.joined(separator: ", ")) }
    details.add("From", WebAddress.redacted(file.url), .dim)
    return details.lines
  }
}
