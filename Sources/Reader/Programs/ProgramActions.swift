package import News

extension Action {
  package enum Programs: Hashable, Sendable {
    /// The screen is to show what a verb of this program prints.
    case verbWanted([String])
    /// A part of what a program that was started here prints: text without control characters.
    case printed(ProgramID, String)
    case ended(ProgramID, ProgramEnd)
    /// The articles that `Effect.Programs.findNew` has found, and the highest id of the store.
    case newFound([NewArticles], lastID: Int64)
  }
}

extension Effect {
  package enum Programs: Hashable, Sendable {
    /// Run a verb of this program with its arguments, and report what it prints, for lines of a width in columns.
    case runVerb(ProgramID, [String], width: Int)
    /// Run a program of the user's own for an article, and report what it prints: as output, or as the article with
    /// another text, laid out for a width in columns.
    case run(ProgramID, OwnProgram, ProgramSubject, width: Int)
    case runInTerminal(OwnProgram, ArticleID)
    /// Report the unread articles that have come since one of this id, for each of these queries; nil for all.
    case findNew([ArticleQuery?], since: Int64)
    /// Notify the user outside of the screen.
    case signal(NewArticleRule.Signal, String)

    package enum ID: Hashable, Sendable {
      case run(ProgramID)
      case newArticles
    }

    package var id: EffectID? {
      switch self {
      case .runVerb(let id, _, _), .run(let id, _, _, _): .programs(.run(id))
      case .findNew: .programs(.newArticles)
      case .runInTerminal, .signal: nil
      }
    }
  }
}

extension Action.Programs {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .verbWanted(let words): ProgramRuns.run(verb: words, in: &state)
    case .printed(let id, let text): ProgramRuns.receiveOutput(text, of: id, in: &state)
    case .ended(let id, let end):
      (state.offer(.programs(self)) ?? []) + ProgramRuns.receiveEnd(end, of: id, in: &state)
    case .newFound(let found, let lastID): ProgramRuns.receiveNew(found, lastID: lastID, in: &state)
    }
  }
}
