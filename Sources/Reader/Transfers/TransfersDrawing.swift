internal import News
internal import Screen

extension TransfersState {
  /// Draws the downloads in their order, and the details of the selected one.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let transfers = state.transfers.transfers
    let layout = layout(state.size, rowCount: transfers.count)
    if layout.rows.y > 0 {
      let pane = Rect(x: 0, y: 0, width: layout.list.width, height: state.size.height)
      frame.putHeading(
        title(of: transfers), note: note(of: transfers), isFocused: true, in: pane, state.theme)
    }
    guard let selected = page.selection.nearestIndex(in: transfers) else {
      return drawEmpty(&frame, in: state)
    }
    for (index, place) in page.selection.visible(of: transfers, in: layout.rows) {
      let style = index == selected ? state.theme.selected : state.theme.text
      if index == selected { frame.fill(place, style) }
      transfers[index].draw(&frame, place, style, isSelected: index == selected, theme: state.theme)
    }
    page.drawPicked(&frame, of: transfers, in: layout.rows, state.theme)
    guard let text = layout.text else { return }
    frame.putDetails(
      transfers[selected].details(width: text.width - 2, in: state), from: page.detailsTop,
      title: transfers[selected].name, in: layout, state)
  }

  private func drawEmpty(_ frame: inout Frame, in state: ReaderState) {
    let theme = state.theme
    let texts: [(String, Style)] = [
      (TransfersStrings.empty, theme.text),
      (TransfersStrings.addHere(state.key(.download)), theme.dim),
      (ReadingStrings.back(state.key(.leave)), theme.dim),
    ]
    frame.putEmpty(texts, in: state.size)
  }

  // MARK: Heading

  private func title(of transfers: [Transfer]) -> String {
    let states: [Transfer.State] = [.running, .waiting, .paused, .failed]
    let parts = states.compactMap { state -> String? in
      let count = transfers.count { $0.state == state }
      return count > 0 ? TransfersStrings.count(count, state) : nil
    }
    let heading = transfers.contains(where: \.isUpload) ? "Transfers" : "Downloads"
    return ([heading] + parts).joined(separator: " · ")
      + PanesStrings.selected(page.picked.ids.count)
  }

  private func note(of transfers: [Transfer]) -> String {
    let rate = transfers.compactMap(\.rate).reduce(0, +)
    return rate >= 1 ? "\(TransferWords.bytes(Int64(rate)))/s" : ""
  }
}

extension Transfer {
  private func style(_ theme: Theme) -> Style {
    switch state {
    case .running: theme.accent
    case .waiting, .done: theme.dim
    case .paused: theme.warning
    case .failed: theme.error
    }
  }

  /// Draws its row. From the right: the time that is left, the rate, how far it is, and a bar; what there is
  /// no room for is left out, the name never.
  fileprivate func draw(
    _ frame: inout Frame, _ line: Rect, _ style: Style, isSelected: Bool, theme: Theme
  ) {
    func own(_ other: Style) -> Style { isSelected ? style : other }
    var x = line.x
    if line.width >= 12 {
      frame.put(mark, x: x + 1, y: line.y, style: own(self.style(theme)), width: 1)
      x += 3
    }
    if line.width >= 24 {
      let text = percent.map { "\($0) %" } ?? (state == .running ? spinner : "")
      let used = TextWidth.columns(of: text)
      frame.put(text, x: x + 5 - used, y: line.y, style: own(theme.dim), width: 5)
      x += 6
    }
    var end = line.maxX - (line.width >= 12 ? 1 : 0)
    func column(_ text: String, _ width: Int, _ other: Style) {
      let used = min(width, TextWidth.columns(of: text))
      frame.put(text, x: end - used, y: line.y, style: own(other), width: used)
      end -= width + 1
    }
    if line.width >= 64 {
      column(secondsLeft.map(TransferWords.seconds) ?? "", 8, theme.dim)
      column(rate.map { "\(TransferWords.bytes(Int64($0)))/s" } ?? "", 9, theme.dim)
    }
    if line.width >= 50 { column(TransferWords.progress(of: self), 18, theme.dim) }
    if line.width >= 90 { column(bar(10), 10, theme.accent) }
    frame.put(
      title.isEmpty ? name : title, x: x, y: line.y, style: style, width: max(0, end - x),
      overflow: .ellipsis)
  }

  /// Turns with the bytes that come: of an unknown size no share can be told.
  private var spinner: String {
    let signs = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
    return signs[Int(bytes / 65_536) % signs.count]
  }

  private func bar(_ cells: Int) -> String {
    guard state != .done, let share else { return "" }
    let filled = Int(share * Double(cells))
    return .bar(filled, of: cells)
  }

  // MARK: Details

  func details(width: Int, in state: ReaderState) -> [DetailLine] {
    let clock = state.clock
    var details = DetailLines(width: width)
    if let error { details.add("", error.line, .error) }
    details.add("State", words(in: state))
    details.add("Progress", progressWords)
    details.add("Article", title.isEmpty ? "Untitled" : title)
    details.add("Feed", feedTitle)
    if let path { details.add("File", path) }
    details.add(isUpload ? "To" : "From", address, .dim)
    let age = clock.age(created.seconds)
    details.add("Added", isAutomatic ? TransfersStrings.bySettings(age) : age, .dim)
    if let ended { details.add("Ended", clock.age(ended.seconds), .dim) }
    return details.lines
  }

  private var progressWords: String {
    var words = [TransferWords.progress(of: self)]
    if let percent, state != .done { words.insert("\(percent) %", at: 0) }
    if let rate { words.append("\(TransferWords.bytes(Int64(rate)))/s") }
    if let left = secondsLeft { words.append("\(TransferWords.seconds(left)) left") }
    return words.joined(separator: " · ")
  }
}
