internal import ArgumentParser
internal import News
internal import Reader
internal import Synchronization
internal import TelexKit

/// `telex import --from READER`: imports the data of another reader, and reports what is missing.
struct SwitchRun {
  let common: CommonOptions
  let form: OutputOptions
  let reader: OtherReader
  let folder: String?
  let star: Character?
  let takesCommands: Bool
  let isDry: Bool

  func run() async throws {
    let switching = Switching(try await common.compose())
    let plan = try switching.plan(reader, in: folder, star: star, takesCommands: takesCommands)
    let progress = Mutex(Switching.Progress())
    var problem: (any Error)?
    if !isDry {
      do {
        try await untilInterrupted {
          try await switching.run(plan) { now in
            progress.withLock { $0 = now }
            if now.articlesSeen > 0 {
              Output.progress("\(now.articlesSeen) of \(plan.articles) articles")
            }
          }
        }
      } catch { problem = error }
      Output.endProgress()
      await switching.tidy()
    }
    var settings: KeptSettings?
    if problem == nil {
      do { settings = try keepSettings(of: plan) } catch { problem = error }
    }
    report(plan, progress.withLock { $0 }, settings, problem)
    if let problem { throw problem as? ExitCode ?? ExitCode(1) }
  }

  // MARK: Settings

  private struct KeptSettings {
    let path: String
    /// Whether they are in use.
    let counts: Bool
    /// The commands whose keys differ from the built-in set.
    let commands: [String]
    let mistakes: [LeftOut]
  }

  private func keepSettings(of plan: Switching.Plan) throws -> KeptSettings? {
    guard reader == .newsboat else { return nil }
    let keys = ImportedKeys(plan.library.keys, set: "newsboat")
    if isDry {
      if !form.json { Output.line("Its settings would be:\n\n\(keys.toml)") }
      return nil
    }
    let (path, counts) = try ImportedSettings.write(keys.toml, config: common.config, of: reader)
    let scheme = KeyScheme(try Settings.readingAll(of: path).screen)
    return KeptSettings(
      path: path, counts: counts, commands: keys.commands,
      mistakes: scheme.mistakes.map {
        LeftOut("a setting", at: LibraryPlace($0.place), because: $0.message)
      })
  }

  // MARK: The report

  private func report(
    _ plan: Switching.Plan, _ progress: Switching.Progress, _ settings: KeptSettings?,
    _ problem: (any Error)?
  ) {
    let error = problem.map {
      SourceError(endOfImport: $0, stage: .store, subject: reader.rawValue)
    }
    let left = plan.library.left + progress.left + (settings?.mistakes ?? [])
    if form.json { return Output.line(json(plan, progress, settings?.path, left, error)) }
    for line in isDry ? dryLines(plan) : lines(plan, progress) { Output.line(line) }
    if let settings {
      let own =
        settings.commands.isEmpty
        ? "" : ", and yours for \(settings.commands.joined(separator: ", "))"
      Output.line("keys  the set of newsboat\(own)")
      Output.line(
        settings.counts
          ? "      in effect at once, also in an open reader; written to \(settings.path)"
          : "      not in effect: config.toml has keys of its own. Copy lines from \(settings.path)."
      )
    }
    if !left.isEmpty {
      Output.line(isDry ? "\nWhat would not come:" : "\nWhat did not come:")
      for left in left {
        Output.line("  \(left.place.text)  \(left.subject): \(left.reason)")
      }
    }
    if let error { Output.complain(error) }
  }

  private func dryLines(_ plan: Switching.Plan) -> [String] {
    [
      "From \(plan.reader.rawValue) in \(plan.folder) would come:",
      "feeds  \(plan.library.feeds.count)", "smart feeds  \(plan.library.smartFeeds.count)",
      "rules  \(plan.library.rules.count)", "articles  \(plan.articles)",
    ]
  }

  private func lines(_ plan: Switching.Plan, _ progress: Switching.Progress) -> [String] {
    let articles = progress.articles
    func parts(_ counts: [(Int, String)]) -> String {
      let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return told.isEmpty ? "none" : told.joined(separator: ", ")
    }
    return [
      "From \(plan.reader.rawValue) in \(plan.folder) came:",
      "feeds  "
        + parts([(progress.feedsAdded, "new"), (progress.feedsKnown, "were already there")]),
      "smart feeds  "
        + (progress.smartFeeds.isEmpty ? "none" : progress.smartFeeds.joined(separator: ", ")),
    ] + progress.rules.map { "rule  \($0)" } + [
      "articles  "
        + parts([
          (articles.inserted, "new"), (articles.known, "were already there"),
          (articles.deleted, "deleted there, and stay away"),
        ]),
      "marks  "
        + parts([
          (articles.read, "of articles that were here unread"), (articles.starred, "starred"),
          (articles.tagged, "tags"),
        ]),
    ]
  }

  private func json(
    _ plan: Switching.Plan, _ progress: Switching.Progress, _ settings: String?,
    _ left: [LeftOut], _ error: SourceError?
  ) -> JSONOutput {
    let articles = progress.articles
    return [
      "from": .string(reader.rawValue), "folder": .string(plan.folder), "dryRun": .bool(isDry),
      "found": [
        "feeds": .number(plan.library.feeds.count),
        "smartFeeds": .number(plan.library.smartFeeds.count), "articles": .number(plan.articles),
      ],
      "added": .number(progress.feedsAdded), "known": .number(progress.feedsKnown),
      "smartFeeds": .strings(progress.smartFeeds), "rules": .strings(progress.rules),
      "articles": [
        "inserted": .number(articles.inserted), "known": .number(articles.known),
        "read": .number(articles.read), "starred": .number(articles.starred),
        "tagged": .number(articles.tagged), "deleted": .number(articles.deleted),
      ],
      "settings": .string(settings),
      "left": .array(
        left.map { left in
          [
            "file": .string(left.place.file), "line": .number(left.place.line),
            "subject": .string(left.subject), "reason": .string(left.reason),
          ]
        }),
      "error": .error(error),
    ]
  }
}
