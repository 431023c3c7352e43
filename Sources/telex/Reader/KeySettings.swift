internal import News
internal import Reader
internal import TelexKit

extension KeyScheme {
  /// The keys and user commands of the settings.
  init(_ settings: ScreenSettings) {
    var mistakes = settings.mistakes.map { Mistake(place: $0.place, message: $0.message) }
    for rule in settings.events.onNew {
      if let text = rule.query {
        do { _ = try ArticleQuery(text) } catch {
          mistakes.append(
            Mistake(
              place: rule.queryPlace,
              message: "on_new.query: \((error as? QueryError)?.line(in: text) ?? "no query")"))
        }
      }
      guard let notify = rule.notify, NewArticleRule.Signal(rawValue: notify) == nil else {
        continue
      }
      let known = NewArticleRule.Signal.allCases.map(\.rawValue).joined(separator: ", ")
      mistakes.append(
        Mistake(place: rule.notifyPlace, message: "on_new.notify must be one of: \(known)"))
    }
    let own = settings.ownCommands.map { OwnCommand($0, &mistakes) }
    self.init(
      set: settings.keySet,
      assignments: settings.keys.map {
        Assignment($0.command, $0.keys, place: $0.place, owner: $0.owner)
      },
      own: own, mistakes: mistakes)
  }
}

extension OwnCommand {
  fileprivate init(_ command: ScreenSettings.OwnCommand, _ mistakes: inout [KeyScheme.Mistake]) {
    let help = command.help ?? command.words.joined(separator: command.isProgram ? " " : ", ")
    func choice<Choice: RawRepresentable & CaseIterable>(
      _ text: String?, _ standard: Choice, of setting: String
    ) -> Choice where Choice.RawValue == String {
      guard let text else { return standard }
      if let choice = Choice(rawValue: text) { return choice }
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      mistakes.append(
        KeyScheme.Mistake(
          place: command.place, message: "\(command.name).\(setting) must be one of: \(known)"))
      return standard
    }
    let work: Work =
      command.isProgram
      ? .program(
        OwnProgram(
          command.name, command.words, input: choice(command.input, .text, of: "input"),
          output: choice(command.output, .page, of: "output")))
      : .commands(command.words)
    self.init(command.name, help: help, work: work, place: command.place)
  }
}

extension ReaderEvents {
  init(_ settings: ScreenSettings.Events) {
    self.init()
    onStart = settings.onStart
    onRefresh = settings.onRefresh
    onNew = settings.onNew.compactMap { rule in
      // An unreadable query is no rule: it would match everything.
      let query = rule.query.map { try? ArticleQuery($0) }
      if case .some(.none) = query { return nil }
      return NewArticleRule(
        query: query ?? nil,
        signal: rule.notify.flatMap(NewArticleRule.Signal.init(rawValue:)) ?? .none, run: rule.run)
    }
  }
}
