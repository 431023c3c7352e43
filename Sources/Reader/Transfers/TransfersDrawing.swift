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
    let table = Self.table(of: transfers, in: layout.rows, state.theme)
    for (index, place) in page.selection.visible(of: transfers, in: layout.rows) {
      transfers[index].draw(&frame, place, table, isSelected: index == selected, state.theme)
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

extension TransfersState {
  /// From the right: the time that is left, the rate, how far it is, a bar, and the error or the feed; what there is
  /// no room for is left out, the name never.
  private static func table(
    of transfers: [Transfer], in area: Rect, _ theme: Theme
  ) -> RowTable<Transfer> {
    var columns: [RowTable<Transfer>.Column] = []
    if area.width >= 64 {
      columns += [
        .init(width: 8) { transfer, _ in
          (transfer.secondsLeft.map(TransferWords.seconds) ?? "", theme.dim)
        },
        .init(width: 9) { transfer, _ in
          (transfer.rate.map { "\(TransferWords.bytes(Int64($0)))/s" } ?? "", theme.dim)
        },
      ]
    }
    if area.width >= 50 {
      columns.append(
        .init(width: 18) { transfer, _ in (TransferWords.progress(of: transfer), theme.dim) })
    }
    if area.width >= 90 {
      columns += [
        .init(width: 10) { transfer, _ in (transfer.bar(10), theme.accent) },
        .init(width: 0, grows: true) { transfer, room in
          // A few letters say neither.
          guard room >= 12 else { return ("", theme.dim) }
          return transfer.error.map { ($0.line, theme.error) } ?? (transfer.feedTitle, theme.dim)
        },
      ]
    }
    let start = area.x + Transfer.nameStart(in: area)
    return RowTable(transfers, in: area, from: start, columns, name: \.rowName)
  }
}

extension Transfer {
  fileprivate var rowName: String { title.isEmpty ? name : title }

  /// Columns before the name: the sign, and the share that has come.
  fileprivate static func nameStart(in line: Rect) -> Int {
    (line.width >= 12 ? 3 : 0) + (line.width >= 24 ? 6 : 0)
  }

  private func style(_ theme: Theme) -> Style {
    switch state {
    case .running: theme.accent
    case .waiting, .done: theme.dim
    case .paused: theme.warning
    case .failed: theme.error
    }
  }

  fileprivate func draw(
    _ frame: inout Frame, _ line: Rect, _ table: RowTable<Transfer>, isSelected: Bool,
    _ theme: Theme
  ) {
    let style = isSelected ? theme.selected : theme.text
    if isSelected { frame.fill(line, style) }
    func own(_ other: Style) -> Style { isSelected ? style : other }
    if line.width >= 12 {
      frame.put(mark, x: line.x + 1, y: line.y, style: own(self.style(theme)), width: 1)
    }
    let x = line.x + Self.nameStart(in: line)
    if line.width >= 24 {
      let text = percent.map { "\($0) %" } ?? (state == .running ? spinner : "")
      let used = TextWidth.columns(of: text)
      frame.put(text, x: x - 1 - used, y: line.y, style: own(theme.dim), width: 5)
    }
    let end = table.draw(self, &frame, y: line.y, selected: isSelected ? style : nil)
    frame.put(
      rowName, x: x, y: line.y, style: style, width: max(0, end - x), overflow: .ellipsis)
  }

  /// Turns with the bytes that come: of an unknown size no share can be told.
  private var spinner: String {
    let signs = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
    return signs[Int(bytes / 65_536) % signs.count]
  }

  fileprivate func bar(_ cells: Int) -> String {
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
