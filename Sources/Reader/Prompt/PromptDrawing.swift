internal import News
internal import Screen
internal import Text

extension Prompt {
  func draw(_ frame: inout Frame, in state: ReaderState) {
    guard let place = state.layout.status else { return }
    frame.fill(place, state.theme.text)
    if let line {
      shown(line).draw(&frame, place, after: label(in: state), state.theme, direction: direction)
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

  private func label(in state: ReaderState) -> String {
    let isNarrow = state.size.width < 60
    return switch purpose {
    case .addFeed(nil): "Add: "
    case .addFeed(let account?): "Add to \(account.displayName): "
    case .signInAddress: isNarrow ? "Sign in at: " : "Sign in at (or file:folder): "
    case .signInName(let address): "Name at \(WebAddress.host(of: address) ?? address): "
    case .signInPassword: "Password: "
    case .search(let search):
      search.scope.map { "Search in \(state.name(of: $0)): " } ?? "Search: "
    case .limit(nil): "Limit to: "
    case .limit(_?): "Query: "
    case .newSmartName, .smartName: isNarrow ? "Name: " : "Name of the smart feed: "
    case .find: "Find here: "
    case .link: "Open link: "
    case .count: "Count: "
    case .feedAddress: "Address: "
    case .feedTitle: "Name: "
    case .feedSetting(_, let setting): "\(setting.rawValue): "
    case .setting(let declaration): "\(isNarrow ? declaration.key : declaration.name): "
    case .settingFilter: "Find: "
    case .foldersOfSeveral(let ids): "Folder of \(ids.count) feeds: "
    case .folderPath: "Move the folder to: "
    case .newFolder: "New folder: "
    case .tags: "Tags: "
    case .tagsOfSeveral where isNarrow: "Tags (-: off): "
    case .tagsOfSeveral(let ids):
      "Tags for \(ids.count == 1 ? "it" : "\(ids.count)") (- takes off): "
    case .pipe: "Pipe into: "
    case .save: isNarrow ? "Save to: " : "Save to (Tab: another format): "
    case .copyLink: "Copy link: "
    case .feedFolders(_, nil): "Folder: "
    case .feedFolders(_, let account?): "Folder in \(account.displayName): "
    case .question, .markAllRead: ""
    }
  }

  private func question(in state: ReaderState) -> String {
    switch purpose {
    case .question(let text, _): text
    case .markAllRead(let unread):
      "Mark \(unread.count) article\(unread.count == 1 ? "" : "s") read in "
        + state.name(of: unread.timeline)
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
