internal import News
internal import Screen

extension Prompt {
  func draw(_ frame: inout Frame, in state: ReaderState) {
    guard let place = state.layout.status else { return }
    frame.fill(place, state.theme.text)
    if let line {
      let label = PromptStrings.label(
        of: purpose, isNarrow: state.size.width < 60, naming: state.name(of:))
      shown(line).draw(&frame, place, after: label, state.theme, direction: direction)
      if place.y >= 3 {
        line.drawChoices(
          &frame, Rect(x: place.x, y: place.y - 1, width: place.width, height: 1), state.theme)
      }
    } else {
      ask(question(in: state), &frame, place, state.theme)
    }
    if let notice = state.notice, notice.kind == .error, place.y >= 3 {
      StatusLine(state: state).draw(
        notice, &frame, Rect(x: place.x, y: place.y - 1, width: place.width, height: 1))
    }
  }

  private func question(in state: ReaderState) -> String {
    switch purpose {
    case .question(let text, _): text
    case .markAllRead(let unread):
      PromptStrings.markAllRead(unread.count, in: state.name(of: unread.timeline))
    default: ""
    }
  }

  /// Paths, addresses and commands are read from the left, whatever the names in them.
  private var direction: TextDirection? {
    switch purpose {
    case .save, .addFeed, .signInAddress, .feedAddress, .pipe: .leftToRight
    default: nil
    }
  }

  /// As it may be seen.
  private func shown(_ line: LineEditor) -> LineEditor {
    if case .signInPassword = purpose { line.masked } else { line }
  }

  private func ask(_ question: String, _ frame: inout Frame, _ place: Rect, _ theme: Theme) {
    // Which keys answer is never cut.
    let answers = "? y/n"
    let used = frame.put(
      question, x: place.x, y: place.y, style: theme.warning,
      width: max(0, place.width - answers.count), overflow: .ellipsis)
    frame.put(answers, x: place.x + used, y: place.y, style: theme.warning)
  }
}
