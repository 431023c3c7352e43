internal import News
internal import Screen

/// Dispatch of input and other events to the screens.
extension ReaderState {
  var front: any ReaderScreen { stack.top ?? focus.screen }

  mutating func reduce(_ event: InputEvent, at milliseconds: Int64) -> [Effect] {
    // Nothing that the user did.
    if case .background(let background) = event {
      if followsBackground {
        themes.background = background
        theme = themes.theme
      }
      return []
    }
    addresses.isWaitedFor = false
    switch event {
    case .background: return []
    case .key(let key):
      // A message has been seen by whoever goes on; what comes next may have one of its own. A question
      // keeps it: it may say why it is asked. So does what is only the beginning of a command.
      let seen = type(of: front).layer < .prompt || isCounting ? notice : nil
      if seen != nil { forgetError() }
      let effects = handle(key, at: milliseconds)
      if let seen, notice?.serial == seen.serial, begun == nil, !isCounting { notice = nil }
      return effects
    case .drag(let drag):
      return PaneResizing.dragDivider(drag, in: &self)
    case .mouse(let mouse):
      begun = nil
      dragged = nil
      if mouse.kind == .click || mouse.kind == .doubleClick,
        let effects = PaneResizing.grab(mouse, in: &self)
      {
        return effects
      }
      let press = MousePress(event: mouse, milliseconds: milliseconds)
      return answer { $0.handle(press, in: &$1) } ?? []
    case .paste(let text):
      begun = nil
      return answer { $0.handle(pasted: text, in: &$1) }
        ?? AddressSearches.askForFeed(pasted: text, in: &self)
    }
  }

  private mutating func handle(_ key: KeyEvent, at milliseconds: Int64) -> [Effect] {
    let kind = type(of: front)
    if kind.layer < .prompt, !front.isTyping,
      let effects = continueSequence(with: key, at: milliseconds)
    {
      return effects
    }
    let press = KeyPress(key: key, milliseconds: milliseconds)
    if let effects = answer({ $0.handle(press, in: &$1) }) { return effects }
    return keys.command(for: key).flatMap { perform($0, at: milliseconds) }
      ?? notifyUnknown(KeySequence(key))
  }

  /// Gives an event to the topmost screen.
  private mutating func answer(
    _ ask: (inout any ReaderScreen, inout ReaderState) -> ScreenResponse
  ) -> [Effect]? {
    guard stack.count > 0 else {
      var pane: any ReaderScreen = focus.screen
      return ask(&pane, &self).effects
    }
    let index = stack.count - 1
    var screen = stack.remove(at: index)
    let response = ask(&screen, &self)
    if !response.isClosed { stack.putBack(screen, at: index) }
    return response.effects
  }

  /// Gives an action to the open screens, the topmost first, until one handles it.
  mutating func offer(_ action: Action) -> [Effect]? {
    for index in (0..<stack.count).reversed() {
      var screen = stack.remove(at: index)
      let response = screen.handle(action, in: &self)
      if !response.isClosed { stack.putBack(screen, at: index) }
      if let effects = response.effects { return effects }
    }
    return nil
  }

  /// Lets all open screens adjust to a new size, time or snapshot of the feeds.
  mutating func settleScreens() {
    for index in 0..<stack.count {
      var screen = stack.remove(at: index)
      screen.settle(in: self)
      stack.putBack(screen, at: index)
    }
  }

  /// Performs a command on the topmost screen, as its key does.
  mutating func run(_ command: Command, at milliseconds: Int64) -> [Effect]? {
    let press = KeyPress(milliseconds: milliseconds)
    return answer {
      type(of: $0).canPerform(command) ? $0.perform(command, press, in: &$1) : .ignored
    } ?? perform(command, at: milliseconds)
  }

  /// Performs a command below whatever the user is asked.
  mutating func runInPanes(_ command: Command) -> [Effect] {
    var pane: any ReaderScreen = focus.screen
    let response = pane.perform(command, KeyPress(milliseconds: 0), in: &self)
    return response.effects ?? perform(command, at: 0) ?? []
  }

  /// Quits, where it is wished for after a question.
  ///
  /// - Parameter pane: the pane that has the focus at the next start; nil for the present one.
  mutating func quit(leaving pane: Pane? = nil) -> [Effect] {
    let effects = leave(pane) + [.quit]
    guard settings.asksBeforeQuitting else { return effects }
    ask(.question("Quit", effects))
    return []
  }

  /// Performs a command that is the same on every screen: the program's own, and opening a screen.
  private mutating func perform(_ command: Command, at milliseconds: Int64) -> [Effect]? {
    switch command {
    case .redraw: return []
    case .suspend: return [.suspend]
    case .offline: return toggleOffline()
    case .quit: return quit()
    default:
      if let own = settings.keys.ownCommand(named: command.name) {
        return ProgramRuns.run(own: own, at: milliseconds, in: &self)
      }
      guard let kind = ScreenStack.kinds.first(where: { $0.opening == command }),
        type(of: front).layer <= kind.layer
      else { return nil }
      if kind.layer == .page { list.endPull() }
      return kind.open(in: &self)
    }
  }
}

extension ReaderState {
  /// The commands that can be performed on a screen, in the order of the help.
  func commands(on kind: any ReaderScreen.Type) -> [Command] {
    let openings = ScreenStack.kinds.filter { kind.layer <= $0.layer }.compactMap { $0.opening }
    let program: [Command] = [.redraw, .suspend, .offline, .quit]
    let possible = Set(
      kind.commands + openings + program + settings.keys.ownCommands.map { Command($0.name) })
    return settings.keys.commands.filter(possible.contains)
  }

  /// The help of a command on a screen.
  func help(of command: Command, on kind: any ReaderScreen.Type) -> String {
    kind.help[command] ?? settings.keys.help(of: command)
  }
}

extension ScreenResponse {
  fileprivate var effects: [Effect]? {
    switch self {
    case .ignored: nil
    case .done(let effects), .closed(let effects): effects
    }
  }

  fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }
}
