internal import CursesTerminal
internal import News
internal import Reader
internal import TelexKit

/// Passes effects to the performer of their capability, and observes the store and the network.
@MainActor
final class EffectRunner: EffectPerformer {
  nonisolated let context: EffectContext
  let lists: ListPerformer
  let pictures: PicturePerformer
  private let opening: OpeningPerformer

  init(
    composition: Composition, inbox: Inbox, browser: Browser, place: ReaderPlace,
    program: any ProgramControl
  ) {
    context = EffectContext(
      composition: composition, transfers: Transfers(composition), inbox: inbox, place: place,
      scheduler: EffectScheduler(), program: program)
    lists = ListPerformer(context)
    pictures = PicturePerformer(context)
    opening = OpeningPerformer(context, browser)
  }

  /// - Parameter pictureLook: nil to show pictures as words.
  func perform(
    _ effect: Effect, clock: WallClock, theme: Theme, pictures pictureLook: PictureLook?
  ) {
    let look = ArticleLook(clock: clock, show: pictures.show(pictureLook), theme: theme)
    switch effect {
    case .list(let effect): lists.perform(effect)
    case .article(let effect): ArticlePerformer(context: context, look: look).perform(effect)
    case .deck(let effect): DeckPerformer(context: context, look: look).perform(effect)
    case .apply(let intent): MarkPerformer(context: context).perform(intent)
    case .subscriptions(let effect): SubscriptionPerformer(context: context).perform(effect)
    case .refresh(let feeds): RefreshPerformer(context: context).perform(feeds)
    case .accounts(let effect): AccountPerformer(context: context).perform(effect)
    case .outbox(let effect): OutboxPerformer(context: context).perform(effect)
    case .conversation(let effect): ConversationPerformer(context: context).perform(effect)
    case .transfers(let effect): TransferPerformer(context: context).perform(effect)
    case .queue(let effect): QueuePerformer(context: context).perform(effect)
    case .pictures(let effect): pictures.perform(effect, pictureLook)
    case .programs(let effect): ProgramPerformer(context: context, look: look).perform(effect)
    case .opening(let effect): opening.perform(effect)
    case .preferences(let effect): PreferencePerformer(context: context).perform(effect)
    case .settings(let effect): SettingsPerformer(context: context).perform(effect)
    case .statistics(.count(let span)): StatisticsPerformer(context: context).count(over: span)
    case .trip(.pack(let bounds)): TripPerformer(context: context).pack(bounds)
    case .remind(let reminder, let milliseconds):
      start(effect.id) {
        try await Task.sleep(for: .milliseconds(milliseconds))
        return .reminded(reminder)
      }
    case .moveClock:
      start(effect.id) {
        try await Task.sleep(for: .seconds(1))
        return .clockMoved(.local())
      }
    case .setOffline(let isOffline):
      write { [composition] in try await composition.setOffline(isOffline) }
    case .cancel(let id): scheduler.cancel(id)
    case .suspend: context.program.suspend()
    case .quit: context.program.quit()
    }
  }

  /// Sends snapshots of the subscriptions to the inbox, now and after each change.
  func observeSidebar() {
    scheduler.start(nil) { [inbox, snapshots] in
      await inbox.follow(snapshots.sidebar) { inbox.send(.subscriptions(.arrived($0))) }
    }
  }

  /// Starts all other observers, after the first screen.
  func observe() {
    let (composition, inbox, snapshots, place) = (composition, inbox, snapshots, place)
    let transfers = TransferPerformer(context: context)
    let settings = SettingsPerformer(context: context)
    observe {
      await inbox.follow(snapshots.listCounts) { inbox.send(.subscriptions(.counted($0))) }
    }
    // The network, and what failed without one. Both fetch feeds.
    observe(priority: .utility) { await composition.followNetwork() }
    observe(priority: .utility) { await composition.listen() }
    // For lowered bounds, and a search index that an upgrade has left incomplete.
    observe(priority: .utility) {
      await composition.trimJournal()
      await composition.completeIndex()
    }
    observe { await transfers.observe() }
    observe { await settings.observe() }
    // Other observers report an unreadable store.
    observe(priority: .utility) {
      try? await PackStore(composition).follow { inbox.send(.trip(.packedFound($0))) }
    }
    observe {
      await inbox.follow(snapshots.conflicts) { inbox.send(.outbox(.conflictsArrived($0))) }
    }
    observe {
      inbox.send(.preferences(.commandsRemembered(place.commands.lines())))
      inbox.send(.preferences(.searchesRemembered(place.searches.lines())))
    }
    // Continues while the last changes are sent.
    scheduler.startErrand {
      try? await Task.sleep(for: Self.firstScreen)
      await composition.sendChanges()
    }
  }

  /// Stores and sends the last changes, and ends all work.
  func finish() async {
    opening.finish()
    await scheduler.finish { await composition.finishSending(within: .seconds(2)) }
  }
}

/// The functions of the program for effects.
@MainActor
protocol ProgramControl: AnyObject, Sendable {
  func suspend()
  func quit()
  /// - Parameter onEnd: called at the end of a browser in the background.
  func open(
    _ url: String, with browser: Browser, onEnd: @escaping @Sendable (ProgramEnd) -> Void) throws
  /// Shows addresses on the ordinary screen until a key is pressed.
  func show(_ addresses: [ShownAddress])
  /// The kind of pixels that the terminal shows, which it is asked once; nil for none.
  ///
  /// - Parameter isThroughTmux: whether tmux passes pictures on.
  func pixelSupport(isThroughTmux: Bool) async -> PixelSupport?
  /// Copies a text by the terminal.
  ///
  /// - Returns: whether the terminal supports that.
  func copy(_ text: String) -> Bool
  /// Alerts the user by the terminal.
  func signal(_ signal: NewArticleRule.Signal, _ text: String)
  /// Suspends the screen while the work uses the terminal. `stop` stops this program.
  func lendTerminal<Result>(_ work: (_ stop: () -> Void) throws -> Result) rethrows -> Result
}
