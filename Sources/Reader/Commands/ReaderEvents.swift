package import News
internal import Screen

/// Commands that run by themselves: at the start, after a refresh, and for new articles.
package struct ReaderEvents: Hashable, Sendable {
  /// The names of commands.
  package var onStart: [String] = []
  package var onRefresh: [String] = []
  package var onNew: [NewArticleRule] = []

  package init() {}
}

package struct NewArticleRule: Hashable, Sendable {
  /// How the user is notified.
  package enum Signal: String, Hashable, Sendable, CaseIterable {
    case none, bell
    /// By the sequences of iTerm2 and others (OSC 9), and of rxvt and others (OSC 777).
    case osc9, osc777
    /// By the program of the desktop.
    case notifySend = "notify-send"
  }

  /// Nil for all articles.
  package var query: ArticleQuery?
  package var signal: Signal
  /// The names of commands; a program gets the newest of the articles.
  package var run: [String]

  package init(query: ArticleQuery? = nil, signal: Signal = .none, run: [String] = []) {
    self.query = query
    self.signal = signal
    self.run = run
  }
}

package struct NewArticles: Hashable, Sendable {
  package var rule: Int
  package var count: Int
  package var article: ArticleID
  package var title: String
  package var feed: String

  package init(rule: Int, count: Int, article: ArticleID, title: String, feed: String) {
    self.rule = rule
    self.count = count
    self.article = article
    self.title = title
    self.feed = feed
  }

  /// The text of the notification, in one line.
  var text: String {
    let title = title.count > 120 ? title.prefix(119) + "…" : Substring(title)
    return (count == 1 ? "" : "\(count) new: ") + "\(title) (\(feed))"
  }
}

extension KeyScheme {
  /// The events without commands that do not exist; mistakes are noted.
  package mutating func checked(_ events: ReaderEvents, place: String) -> ReaderEvents {
    var events = events
    events.onStart = known(events.onStart, of: "on_start", place)
    events.onRefresh = known(events.onRefresh, of: "on_refresh", place)
    for index in events.onNew.indices {
      events.onNew[index].run = known(events.onNew[index].run, of: "on_new", place)
    }
    return events
  }

  private mutating func known(_ names: [String], of event: String, _ place: String) -> [String] {
    names.filter { name in
      guard let refusal = refusal(of: name, at: event) else { return true }
      note(KeysStrings.cannotRun(name, in: event, refusal), at: place)
      return false
    }
  }

  private func refusal(of name: String, at event: String) -> String? {
    if command(named: name) == nil { return Self.noCommand(name) }
    guard event != "on_start" else { return nil }
    var names = [name]
    if case .commands(let several)? = ownCommand(named: name)?.work {
      names = several
      if several.contains(where: { ownCommand(named: $0) != nil }) {
        return CommandsStrings.runsProgramOnSelection
      }
    }
    if event == "on_refresh", names.contains(where: { $0.hasPrefix("refresh") }) {
      return CommandsStrings.refreshesForever
    }
    // The selected article is not a new one.
    let ofSelected: [Command] = .ofSelected + [.open, .copyLink, .linkHints, .number]
    let isOfSelected = names.contains { ofSelected.contains(Command($0)) }
    return isOfSelected ? CommandsStrings.needsSelection : nil
  }
}

extension ProgramRuns {
  /// Does what the settings ask for at an event. Programs run without a word unless they fail.
  ///
  /// - Parameters:
  ///   - article: what programs get; nil for none.
  ///   - count: of new articles.
  static func react(
    _ names: [String], article: ArticleID? = nil, count: Int = 0, in state: inout ReaderState
  ) -> [Effect] {
    var effects: [Effect] = []
    for name in names {
      if case .program(let program)? = state.settings.keys.ownCommand(named: name)?.work {
        let id = start(name, isQuiet: true, in: &state)
        let subject = ProgramSubject(article: article, newCount: count)
        effects.append(.programs(.run(id, program.withoutScreen, subject, width: state.size.width)))
      } else {
        effects += state.runInPanes(Command(name))
      }
    }
    return effects
  }

  /// Looks for new articles after a refresh, where a rule is about them.
  static func findNew(in state: ReaderState) -> [Effect] {
    guard let newsSeen = state.newsSeen, !state.settings.events.onNew.isEmpty else { return [] }
    return [.programs(.findNew(state.settings.events.onNew.map(\.query), since: newsSeen))]
  }

  static func receiveNew(
    _ found: [NewArticles], lastID: Int64, in state: inout ReaderState
  ) -> [Effect] {
    state.newsSeen = max(state.newsSeen ?? 0, lastID)
    return found.flatMap { news -> [Effect] in
      guard state.settings.events.onNew.indices.contains(news.rule) else { return [] }
      let rule = state.settings.events.onNew[news.rule]
      let signal: [Effect] =
        rule.signal == .none ? [] : [.programs(.signal(rule.signal, news.text))]
      return signal + react(rule.run, article: news.article, count: news.count, in: &state)
    }
  }
}

extension OwnProgram {
  fileprivate var withoutScreen: OwnProgram {
    var program = self
    program.output = .none
    return program
  }
}
