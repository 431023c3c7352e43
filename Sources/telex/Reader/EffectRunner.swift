internal import CursesTerminal
internal import Foundation
internal import News
internal import Reader
internal import Synchronization
internal import TelexKit
internal import Text

/// Performer of effects. The only place where unstructured tasks are started.
@MainActor
final class EffectRunner {
  private let composition: Composition
  private let articles: Articles
  private let subscriptions: Subscriptions
  private let snapshots: LiveSnapshots
  private let transfers: Transfers
  private let pictures: ArticlePictures
  private let inbox: Inbox
  private let browser: Browser
  private let place: ReaderPlace
  private unowned let program: any ProgramControl

  /// Which rows of a list stand out.
  var highlightQueries: [ArticleQuery] = []
  /// How pictures are drawn on this terminal.
  var pictureStyle: PictureStyle?

  private var tasks: [EffectID: (number: Int, task: Task<Void, Never>)] = [:]
  private var nextNumber = 0
  /// Tasks that ask servers about what is kept here already, by their numbers.
  private var errands: [Int: Task<Void, Never>] = [:]
  private var tmuxQuestion: Task<Bool, Never>?
  private var hasOrderedTitles = false
  /// Articles that are read unless a browser that was just started for them fails, and how many were.
  private var opening: [ArticleID: Int] = [:]
  /// Tasks that run as long as the reader is open.
  private var observers: [Task<Void, Never>] = []
  /// Sends changes by themselves.
  private var sending: Task<Void, Never>?
  /// The latest change. Changes are written one after the other, in the order in which the user made
  /// them.
  private var lastChange: Task<Void, Never>?

  init(
    composition: Composition, inbox: Inbox, browser: Browser, place: ReaderPlace,
    program: any ProgramControl
  ) {
    self.composition = composition
    articles = Articles(composition)
    subscriptions = Subscriptions(composition)
    snapshots = LiveSnapshots(composition)
    transfers = Transfers(composition)
    pictures = ArticlePictures(composition)
    self.inbox = inbox
    self.browser = browser
    self.place = place
    self.program = program
  }

  /// - Parameter look: how pictures of articles are shown; nil where they are left as words.
  func perform(_ effect: Effect, clock: WallClock, pictures look: PictureLook?) {
    let show = PictureShow(pictures: pictures, style: pictureStyle, look: look, subscriptions)
    let (composition, articles, subscriptions) = (composition, articles, subscriptions)
    let (snapshots, transfers, inbox) = (snapshots, transfers, inbox)
    let highlightQueries = highlightQueries
    let queue = PlayQueue(composition)
    switch effect {
    case .observe(let query):
      if query.order == .title { orderTitles() }
      start(effect.id) {
        await inbox.follow({ snapshots.timeline(query, highlighting: highlightQueries) }) {
          inbox.send(.timelineArrived($0))
        }
      }
    case .open(let id, let width):
      start(effect.id) {
        do {
          guard let article = try await articles.find(id) else { return }
          let page = await layOut(article, width: width, clock: clock, show) { beginning in
            if !Task.isCancelled { inbox.send(.articleArrived(beginning)) }
          }
          guard !Task.isCancelled else { return }
          inbox.send(.articleArrived(page))
        } catch { inbox.send(.articleFailed(id, SourceError(describing: error))) }
      }
    case .preview(let id, let width):
      start(effect.id) {
        do {
          try await Task.sleep(for: .milliseconds(ReaderState.previewDelay))
          guard let article = try await articles.find(id) else { return }
          let page = await layOut(article, width: width, clock: clock, show)
          guard !Task.isCancelled else { return }
          inbox.send(.articleArrived(page))
        } catch is CancellationError {
        } catch { inbox.send(.articleFailed(id, SourceError(describing: error))) }
      }
    case .refresh(let wish):
      // A running one already does the same.
      guard effect.id.flatMap({ tasks[$0] }) == nil else { return }
      let before = lastChange
      start(effect.id) {
        // What the user has just marked goes along.
        await before?.value
        guard !Task.isCancelled else { return }
        await refresh(wish, FeedRefresh(composition), inbox)
      }
    case .loadOlder(let timeline):
      guard tasks[.older] == nil else { return }
      start(effect.id) {
        do { try await articles.loadOlder(timeline) } catch {
          inbox.send(.olderFailed(SourceError(describing: error)))
        }
      }
    case .fill(let gap):
      start(effect.id) {
        do { try await articles.fill(gap) } catch {
          inbox.send(.olderFailed(SourceError(describing: error)))
        }
      }
    case .findNextUnread(let timeline, let order, let position):
      start(effect.id) {
        do {
          let found = try await articles.nextUnread(in: timeline, order, after: position)
          guard !Task.isCancelled else { return }
          inbox.send(.nextUnreadFound(found?.timeline ?? timeline, found?.position))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .find(let step, let timeline, let order, let position):
      start(effect.id) {
        do {
          let found = try await articles.find(step, in: timeline, order, from: position)
          guard !Task.isCancelled else { return }
          inbox.send(.stepFound(step, timeline, found))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .settleSearch(let words):
      start(effect.id) {
        do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
        inbox.send(.searchSettled(words))
      }
    case .remind(let reminder, let milliseconds):
      start(effect.id) {
        do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch { return }
        inbox.send(.reminded(reminder))
      }
    case .moveClock:
      start(effect.id) {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        inbox.send(.clockMoved(.local()))
      }
    case .runVerb(let id, let words, let width):
      start(effect.id) { [place] in
        let child: ChildProgram
        do { child = try place.verb(words, width: width) } catch {
          return inbox.send(.programEnded(id, .failed(SourceError(describing: error).line)))
        }
        let end = await child.run { inbox.send(.programPrinted(id, $0)) }
        inbox.send(.programEnded(id, end))
      }
    case .runProgram(let id, let program, let subject, let width):
      start(effect.id) { [place] in
        do {
          var article: Article?
          if let id = subject.article { article = try await articles.existing(id) }
          var prepared = try ArticleProgram(program, for: article, clock: clock, at: place)
          if subject.newCount > 0 { prepared.variables["TELEX_NEW"] = String(subject.newCount) }
          let end = await run(
            id, program, prepared, article, width: width, clock, show, inbox)
          inbox.send(.programEnded(id, end))
        } catch { inbox.send(.programEnded(id, .failed(SourceError(describing: error).line))) }
      }
    case .runInTerminal(let program, let id):
      start(nil) { [weak self, place] in
        do {
          let article = try await articles.existing(id)
          let prepared = try ArticleProgram(program, for: article, clock: clock, at: place)
          try await self?.runInTerminal(prepared, name: program.name)
        } catch { inbox.send(.workFailed(SourceError(describing: error))) }
      }
    case .findNew(let queries, let since):
      start(effect.id) {
        do {
          let found = try await findNew(queries, since: since, snapshots, articles)
          inbox.send(.newFound(found.articles, lastID: found.lastID))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .signal(let signal, let text):
      guard signal == .notifySend else { return program.signal(signal, text) }
      do {
        try Spawn.run(["notify-send", "--app-name=Telex", "--", "Telex", text], detached: true)
      } catch {
        let message = (error as? Spawn.Failure)?.message ?? ""
        inbox.send(
          .workFailed(
            SourceError(.file, stage: .config, subject: "notify-send", message: message)))
      }
    case .readAloud(let id):
      start(effect.id) { [place] in
        var failure: SourceError?
        do {
          let article = try await articles.existing(id)
          let language = try await subscriptions.language(of: article.feedID)
          try await place.speech.read(article, language: language, variables: place.variables)
        } catch { failure = SourceError(describing: error) }
        // The user may have asked for it again meanwhile.
        guard !Task.isCancelled else { return }
        inbox.send(.speechEnded(id, failure))
      }
    case .saveArticle(let id, let path):
      change {
        do {
          let article = try await articles.existing(id)
          let file = ArticleFile(article, clock: clock)
          inbox.send(.articleSaved(path: try await file.write(to: path, composition)))
        } catch { inbox.send(.workFailed(SourceError(describing: error))) }
      }
    case .layOut(let other, let id, let width):
      start(effect.id) {
        do {
          guard let article = try await articles.find(id) else { return }
          let page = await layOut(article, width: width, clock: clock, show, with: other)
          guard !Task.isCancelled else { return }
          inbox.send(.articleArrived(page))
        } catch { inbox.send(.articleFailed(id, SourceError(describing: error))) }
      }
    case .showChanges(let id, let width):
      start(effect.id) {
        await telling(inbox) {
          let article = try await articles.existing(id)
          let changes = try await articles.changes(in: id)
          let other = OtherText(changes: changes.html)
          let page = await layOut(article, width: width, clock: clock, show, with: other)
          guard !Task.isCancelled else { return }
          inbox.send(.articleArrived(page))
        }
      }
    case .collectDeck(let timeline, let order, let most):
      start(effect.id) {
        do {
          let rows = try await articles.firstUnread(of: timeline, in: order, limit: most)
          guard !Task.isCancelled else { return }
          inbox.send(.deckArrived(rows))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .findHidden(let ids):
      start(nil) {
        await telling(inbox) {
          inbox.send(.hiddenFound(try await Rules(composition).hiddenByNewest(ids)))
        }
      }
    case .dealCard(let wish):
      start(effect.id) {
        do {
          guard let article = try await articles.find(wish.article) else {
            return inbox.send(.cardGone(wish.article))
          }
          let card = await deal(article, wish, clock: clock, show)
          guard !Task.isCancelled else { return }
          inbox.send(.cardDealt(wish, card))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .bringPicture(let wish):
      start(effect.id) { [weak self, show] in
        var show = show
        do {
          let support = await self?.pixelSupport()
          show.style = await self?.pictureStyle
          guard let picture = try await show.picture(wish, support) else { return }
          inbox.send(.pictureArrived(wish, picture))
        } catch is CancellationError {
        } catch { inbox.send(.pictureFailed(wish, reason: SourceError(describing: error).message)) }
      }
    case .bringIcon(let feed, let mayFetch):
      let icons = FeedIcons(composition, pictures)
      start(effect.id) { [weak self, show] in
        var show = show
        guard let support = await self?.pixelSupport() else {
          return inbox.send(.iconsOutdated(canShow: false))
        }
        show.style = await self?.pictureStyle
        // Without an icon a feed is as good.
        let icon = try? await show.icon(of: feed, icons, mayFetch: mayFetch, support)
        if let icon { inbox.send(.iconArrived(feed, icon)) }
      }
    case .pack(let bounds):
      start(effect.id) {
        do {
          let report = try await TripPacking(composition).run(bounds) {
            inbox.send(.packingGoes($0))
          }
          inbox.send(.packingEnded(report))
        } catch {
          guard !Task.isCancelled else { return }
          inbox.send(.packingFailed(SourceError(describing: error)))
        }
      }
    case .countReading(let span):
      start(effect.id) {
        do {
          let report = ReadingReport(composition)
          let numbers = try await report.numbers(over: span)
          try Task.checkCancellation()
          inbox.send(.readingCounted(numbers, nil))
          let whole = try await report.addingRoom(to: numbers)
          try Task.checkCancellation()
          inbox.send(.readingCounted(whole.statistics, whole.room))
        } catch {
          guard !Task.isCancelled else { return }
          inbox.send(.readingNotCounted(SourceError(describing: error)))
        }
      }
    case .keepPictures(let feed, let urls):
      let pictures = pictures
      start(effect.id) { try? await pictures.keep(urls, of: feed) }
    case .showFullText(let id, let width):
      start(effect.id) {
        do {
          _ = try await articles.existing(id)
          let article = try await FullTexts(composition).show(id)
          let page = await layOut(article, width: width, clock: clock, show)
          guard !Task.isCancelled else { return }
          inbox.send(.fullTextArrived(page))
        } catch {
          guard !Task.isCancelled else { return }
          inbox.send(.fullTextFailed(id, SourceError(describing: error)))
        }
      }
    case .savePage(let url):
      startKeeping { noteKept in
        await telling(inbox) {
          let saved = try await FullTexts(composition).save(
            url, isTyped: false, noteKept: noteKept)
          inbox.send(.pageSaved(url, saved.error))
        }
      }
    case .showFeedText(let id, let width):
      start(effect.id) {
        await telling(inbox) {
          let article = try await FullTexts(composition).showFeedText(of: id)
          let page = await layOut(article, width: width, clock: clock, show)
          guard !Task.isCancelled else { return }
          inbox.send(.articleArrived(page))
        }
      }
    case .clearChanged(let id):
      change {
        do { try await articles.clearChanged(id) } catch {
          inbox.send(.storeFailed(SourceError(describing: error)))
        }
      }
    case .keepCommand(let line):
      change { [place] in place.commands.add(line) }
    case .keepSearch(let words):
      change { [place] in place.searches.add(words) }
    case .recallSearches:
      // After what was searched for here has been written.
      change { [place, inbox] in inbox.send(.searchesRemembered(place.searches.lines())) }
    case .keepListHabits(let habits):
      change { [place] in place.listHabits.write(habits) }
    case .keepDividers(let dividers):
      change { [place] in place.dividers.write(dividers) }
    case .keepFolds(let folds): change { [place] in place.folds.write(folds) }
    case .cancel(let id):
      tasks.removeValue(forKey: id)?.task.cancel()

    case .apply(let intent):
      change { [weak self] in
        do {
          let outcome = try await articles.applyByKey(intent)
          switch intent {
          case .markAllRead: inbox.send(.markedAllRead(outcome.count))
          case .delete(let articles): inbox.send(.deleted(articles, gone: outcome.count))
          case .undo, .undoAsking, .undoLast, .redo:
            if case .turned(let entry) = outcome {
              inbox.send(.turned(entry, isUndone: intent != .redo))
              guard let entry, entry.refusal == nil, !entry.kind.isOfArticles,
                !entry.endsSubscriptions(isUndone: intent != .redo)
              else { break }
              await self?.tellServers()
            }
          case .setRead(let articles, _, _), .setStarred(let articles, _, _):
            inbox.send(.marksEnded(articles))
          case .setTag(let articles, _, _), .changeTags(let articles, _, _):
            inbox.send(.tagged(articles))
          case .saveForLater: inbox.send(.savedForLater)
          }
        } catch {
          inbox.send(.storeFailed(SourceError(describing: error)))
          inbox.send(.notKept(intent))
        }
      }
    case .keepPlace(let id, let place):
      change {
        do { try await articles.keepPlace(place, in: id) } catch {
          inbox.send(.storeFailed(SourceError(describing: error)))
        }
      }
    case .addFeed(let address):
      start(effect.id) {
        do {
          let addition = try FeedAddition(composition, at: address)
          let found: FoundFeeds
          do { found = try await addition.find() } catch {
            try Task.checkCancellation()
            guard let kept = try await addition.keep(after: error) else { throw error }
            return inbox.send(.feedAdded(kept.feed, isNew: kept.isNew, address: address))
          }
          switch found {
          case .feed(let located):
            try Task.checkCancellation()
            let added = try await addition.add(located)
            inbox.send(
              .feedAdded(
                added.feed, isNew: added.isNew, foundAt: located.foundAt, address: address))
          case .choice(let links):
            try Task.checkCancellation()
            inbox.send(.feedsFound(address, links))
          }
        } catch { notAdded(address, error, inbox) }
      }
    case .addFound(let link, let address):
      start(effect.id) {
        do {
          let added = try await FeedAddition(composition, at: address).add(oneOf: [link])
          inbox.send(
            .feedAdded(added.feed, isNew: added.isNew, foundAt: link.foundAt, address: address))
        } catch { notAdded(address, error, inbox) }
      }
    case .addToAccount(let address, let account):
      // The search is a task of its own; the subscription itself is queued with the other changes.
      start(effect.id) { [weak self] in
        do {
          let located = try await subscriptions.find(address, for: account)
          try await self?.add(address, found: located, to: account)
        } catch { notAdded(address, error, inbox) }
      }
    case .renameFeed(let id, let title):
      change { [weak self] in
        do {
          let renamed = try await subscriptions.rename(id, to: title)
          inbox.send(.feedRenamed(id, to: title))
          let feed = renamed.feed
          if renamed.isTold {
            await self?.tellServers(of: feed.account.id) { $0.url == feed.url }
          }
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .fileFeed(let id, let folders):
      change { [weak self] in
        do {
          let feed = try await subscriptions.file(id, into: folders)
          inbox.send(.feedFiled(id, into: feed.folders))
          if feed.account.id != .local {
            await self?.tellServers(of: feed.account.id) { $0.url == feed.url }
          }
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .moveFolder(let folder, let path):
      change { [weak self] in
        do {
          let count = try await subscriptions.move(folder, to: path)
          inbox.send(.folderMoved(folder, to: path, feeds: count))
          await self?.tellServer(of: folder)
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .addFolder(let path):
      change {
        await telling(inbox) { inbox.send(.folderAdded(try await subscriptions.addFolder(path))) }
      }
    case .removeFolder(let folder):
      change { [weak self] in
        do {
          let count = try await subscriptions.removeFolder(folder)
          inbox.send(.folderMoved(folder, to: nil, feeds: count))
          await self?.tellServer(of: folder)
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .setFeed(let id, let setting, let text):
      change {
        do {
          let feed = try await subscriptions.set(
            [(setting, text)], of: subscriptions.feed(named: "\(id.rawValue)"))
          inbox.send(.feedSet(id, feed.settings))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .setFeeds(let ids, let setting, let text):
      change {
        do { inbox.send(.feedsSet(try await subscriptions.set([(setting, text)], of: ids))) } catch
        {
          inbox.send(.storeFailed(SourceError(describing: error)))
        }
      }
    case .fileFeeds(let ids, let folders):
      change { [weak self] in
        do {
          let feeds = try await subscriptions.file(ids, into: folders)
          inbox.send(.feedsFiled(feeds))
          if feeds.contains(where: { $0.account.id != .local }) {
            await self?.tellServers { change in feeds.contains { $0.url == change.url } }
          }
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .removeFeeds(let ids):
      change {
        do {
          // Their servers are told of it as of marks, after a while: `u` at once takes it back.
          let count = try await subscriptions.remove(ids)
          inbox.send(.feedsRemoved(ids, count: count))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .transferFeed(let id, let account, let folders):
      change { [weak self] in
        do {
          var feed = try await subscriptions.transfer(id, to: account?.id ?? .local)
          inbox.send(.feedTransferred(id, feed))
          if Set(feed.folders) != Set(folders) {
            feed = try await subscriptions.file(feed.id, into: folders)
            inbox.send(.feedFiled(feed.id, into: feed.folders))
          }
          await self?.tellServers(bringing: feed) { [url = feed.url] in $0.url == url }
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .reachServer(let address):
      start(effect.id) {
        do {
          try await Logins(composition).reach(WebAddress.entered(address))
          inbox.send(.serverReached(address))
        } catch {
          guard !Task.isCancelled else { return }
          inbox.send(.serverNotReached(address, SourceError(describing: error)))
        }
      }
    case .signIn(let address, let name, let secret):
      start(effect.id) {
        do {
          _ = try await Logins(composition).signIn(
            at: WebAddress.entered(address), user: name, secret: secret.text)
          inbox.send(.signedIn(address))
        } catch {
          guard !Task.isCancelled else { return }
          inbox.send(.notSignedIn(address, SourceError(describing: error)))
        }
      }
    case .joinFolder(let typed):
      start(nil) {
        do {
          if let folder = try Logins.folder(typed) {
            _ = try await Logins(composition).join(folder)
          }
          inbox.send(.signedIn(typed))
        } catch { inbox.send(.notSignedIn(typed, SourceError(describing: error))) }
      }
    case .saveSmartFeed(let name, let query):
      change {
        await telling(inbox) { try await subscriptions.saveSmartFeed(name, query) }
      }
    case .renameSmartFeed(let id, let name):
      change {
        await telling(inbox) { try await subscriptions.renameSmartFeed(id, to: name) }
      }
    case .removeSmartFeed(let id):
      change { await telling(inbox) { try await subscriptions.removeSmartFeed(id) } }
    case .removeFeed(let id, let title):
      change {
        do {
          try await subscriptions.remove(id)
          inbox.send(.feedRemoved(id, title: title))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .moveFeed(let id, let address, let isUserEntered):
      // The search is a task of its own; the move itself is queued with the other changes.
      guard isUserEntered else {
        tasks.removeValue(forKey: .move(id))?.task.cancel()
        change {
          do {
            try await subscriptions.move(id, to: address)
            inbox.send(.feedMoved(id, to: address))
          } catch { inbox.send(.feedNotMoved(id, to: address, SourceError(describing: error))) }
        }
        return
      }
      start(effect.id) { [weak self] in
        do {
          let place = try await subscriptions.newPlace(of: id, at: address)
          try await self?.move(id, to: place, foundAt: address)
        } catch {
          guard !Task.isCancelled else { return }
          inbox.send(.feedNotMoved(id, to: address, SourceError(describing: error)))
        }
      }
    case .mergeFeeds(let id, let other):
      change {
        do {
          try await subscriptions.merge(id, into: other)
          inbox.send(.feedsMerged(id, into: other))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .observeOutbox:
      start(effect.id) {
        await inbox.follow(snapshots.outbox) { inbox.send(.outboxArrived($0)) }
      }
    case .sendOutbox:
      // A running delivery also sends what was added meanwhile.
      guard tasks[.sending] == nil else { return }
      start(effect.id) {
        do {
          inbox.send(.outboxSent(waiting: try await Outbox(composition).send()))
        } catch is CancellationError {
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .dropChange(let id):
      change {
        do {
          inbox.send(.changeDropped(wasWaiting: try await Outbox(composition).drop(id)))
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .resolve(let id, let answer, let conflict):
      change { [weak self] in
        do {
          let wasOpen = try await Outbox(composition).resolve(id, answer, seeing: conflict)
          inbox.send(.conflictResolved(answer, wasOpen: wasOpen))
          if wasOpen { await self?.tellServers() }
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .download(let id, let file):
      change {
        do {
          let article = try await articles.existing(id)
          let files = article.entry.enclosures
          guard !files.isEmpty else {
            throw SourceError(
              .address, stage: .address, subject: "", message: "this article has no file")
          }
          guard let file = file ?? (files.count < 2 ? 0 : nil) else {
            let title = article.entry.title ?? article.feedTitle
            return inbox.send(.filesFound(id, title: title, files))
          }
          inbox.send(.downloadAsked(try transfers.download(article, file: file)))
        } catch { inbox.send(.downloadFailed(SourceError(describing: error))) }
      }
    case .openFile(let id, let file):
      start(nil) { [weak self] in
        do {
          let article = try await articles.existing(id)
          let files = article.entry.enclosures
          guard !files.isEmpty else {
            throw SourceError(
              .address, stage: .address, subject: "", message: "this article has no file")
          }
          // Beside a sound its chapters and its transcript are no choice.
          let media = files.indices.filter { files[$0].role == .media }
          guard let file = file ?? (files.count < 2 ? 0 : media.count == 1 ? media[0] : nil) else {
            let title = article.entry.title ?? article.feedTitle
            return inbox.send(.filesFound(id, title: title, files, for: .open))
          }
          guard files.indices.contains(file) else { return }
          if files[file].role != .media {
            let verb = files[file].role == .chapters ? "chapters" : "transcript"
            return inbox.send(
              .verbWanted([verb, "\(id.rawValue)", "--enclosure", "\(file + 1)"]))
          }
          let path = try transfers.path(of: files[file], of: id)
          try await self?.open(files[file], of: article, at: path)
        } catch { inbox.send(.workFailed(SourceError(describing: error))) }
      }
    case .observeQueue:
      start(effect.id) {
        await inbox.follow(queue.snapshots) { inbox.send(.queueArrived($0)) }
      }
    case .changeQueue(let change):
      self.change { await telling(inbox) { try await queue.change(change) } }
    case .queueFile(let id, let file):
      change {
        await telling(inbox) {
          let article = try await articles.existing(id)
          let files = article.entry.enclosures
          let played = files.indices.filter { FileOpener.isPlayed(files[$0]) }
          guard !played.isEmpty else {
            throw SourceError(
              .address, stage: .address, subject: "", message: "this article has nothing to play")
          }
          guard
            let file = file.map({ played.indices.contains($0) ? played[$0] : played[0] })
              ?? (played.count == 1 ? played[0] : nil)
          else {
            let title = article.entry.title ?? article.feedTitle
            return inbox.send(
              .filesFound(id, title: title, played.map { files[$0] }, for: .queue))
          }
          let (count, isAdded) = try await queue.toggle(files[file].url, of: id)
          inbox.send(.queueChanged(isAdded: isAdded, count: count))
        }
      }
    case .playQueue(let ids):
      start(nil) { [weak self] in
        await telling(inbox) {
          let all = try queue.files()
          let files = ids.compactMap { id in all.first { $0.id == id } }
          let paths = try files.map { try transfers.path(of: $0.file, of: $0.article) }
          try await self?.play(files, at: paths)
        }
      }
    case .openInBackground(let urls):
      openBeside(urls)
    case .showAddresses(let addresses):
      program.show(addresses)
    case .changeTransfer(let id, let wish):
      change {
        do { try transfers.change([id], wish) } catch {
          inbox.send(.downloadFailed(SourceError(describing: error)))
        }
      }
    case .clearTransfers:
      change {
        do { _ = try transfers.clear() } catch {
          inbox.send(.downloadFailed(SourceError(describing: error)))
        }
      }
    case .copy(let text):
      copy(text)
    case .copyArticleLink(let id):
      withAddress(of: id) { $0.copy($1) }
    case .openLink(let url):
      open(url)
    case .openArticleLink(let id, let inBackground):
      openPage(of: id, inBackground: inBackground)
    case .openToRead(let id, let link):
      if let link {
        open(link, reading: id)
      } else {
        openPage(of: id, inBackground: false, reads: true)
      }
    case .followConversation(let id):
      start(effect.id) {
        do {
          try await Conversations(composition).follow(id) { inbox.send(.conversationArrived($0)) }
        } catch { inbox.send(.storeFailed(SourceError(describing: error))) }
      }
    case .fetchConversation(let id):
      start(effect.id) {
        do {
          try await Conversations(composition).fetch(id)
          inbox.send(.conversationFetched(id, nil))
        } catch is CancellationError {
        } catch { inbox.send(.conversationFetched(id, SourceError(describing: error))) }
      }
    case .noteVisit(let id, let arrival):
      start(nil) { try? await Conversations(composition).noteVisit(of: id, upTo: arrival) }
    case .writeComment(let draft):
      write(draft)
    case .openComments(let id):
      withAddress(of: id, { $0.comments?.page }, missing: "nobody can comment on this article") {
        $0.open($1)
      }
    case .suspend:
      program.suspend()
    case .quit:
      program.quit()
    }
  }

  /// Sends the snapshots of the subscriptions to the inbox, now and after each change.
  func observeSidebar() {
    let (snapshots, inbox) = (snapshots, inbox)
    start(nil) {
      await inbox.follow(snapshots.sidebar) { inbox.send(.sidebarArrived($0)) }
    }
  }

  /// Sends the counts of the smart feeds and tags to the inbox, now and as they change. The first screen does not wait for
  /// them.
  func observeListCounts() {
    let (snapshots, inbox) = (snapshots, inbox)
    start(nil) {
      await Self.firstScreenIsShown()
      await inbox.follow(snapshots.listCounts) { inbox.send(.listsCounted($0)) }
    }
  }

  /// Goes on with the downloads that an earlier process has left, and follows all of them: to the screen as
  /// they stand, and once as they end. Where their list cannot be read, that is told once, and tried again.
  func observeTransfers() {
    let (transfers, inbox) = (transfers, inbox)
    observers.append(
      Task {
        await Self.firstScreenIsShown()
        var isAdopted = false
        await follow(
          pause: Self.transferPause,
          {
            if !isAdopted { try transfers.adopt() }
            isAdopted = true
            return transfers.snapshots()
          }, fail: { inbox.send(.downloadFailed($0)) }
        ) { snapshot in
          inbox.send(.transfersArrived(snapshot))
          let ended = try transfers.reportEnded()
          if !ended.isEmpty { inbox.send(.downloadsEnded(ended)) }
        }
      })
  }

  /// Between two attempts to read the list of downloads.
  private static let transferPause: Duration = .seconds(10)

  /// Follows which articles are packed for a trip. Where the store cannot be read, others tell.
  func observePacked() {
    let (composition, inbox) = (composition, inbox)
    observers.append(
      Task(priority: .utility) {
        await Self.firstScreenIsShown()
        try? await PackedShelf(composition).follow { inbox.send(.packedFound($0)) }
      })
  }

  /// Reads the commands of earlier processes.
  func recallCommands() {
    let (place, inbox) = (place, inbox)
    observers.append(
      Task {
        await Self.firstScreenIsShown()
        inbox.send(.commandsRemembered(place.commands.lines()))
        inbox.send(.searchesRemembered(place.searches.lines()))
      })
  }

  /// Follows the comments that the user has to decide about.
  func observeConflicts() {
    let (snapshots, inbox) = (snapshots, inbox)
    observers.append(
      Task {
        await Self.firstScreenIsShown()
        await inbox.follow(snapshots.conflicts) { inbox.send(.conflictsArrived($0)) }
      })
  }

  /// Follows the state of the network, and repeats what failed without one.
  func observeNetwork() {
    let composition = composition
    observers.append(
      Task {
        await Self.firstScreenIsShown()
        await composition.followNetwork()
      })
  }

  /// Receives live events.
  func observeServers() {
    let composition = composition
    observers.append(
      Task {
        await Self.firstScreenIsShown()
        await composition.listen()
      })
  }

  /// Trims the journal where its bound was lowered, and makes the search index whole, as it is not after an upgrade.
  func completeIndex() {
    let composition = composition
    observers.append(
      Task(priority: .utility) {
        await Self.firstScreenIsShown()
        await composition.trimJournal()
        await composition.completeIndex()
      })
  }

  /// Makes lists by title quick, once in a session: with many articles it takes seconds.
  private func orderTitles() {
    guard !hasOrderedTitles else { return }
    hasOrderedTitles = true
    let composition = composition
    observers.append(
      Task(priority: .utility) {
        await Self.firstScreenIsShown()
        await composition.orderTitles()
      })
  }

  /// Waits until the first screen is drawn: libraries are loaded and sockets opened after what the user
  /// waits for.
  private static func firstScreenIsShown() async {
    try? await Task.sleep(for: .milliseconds(150))
  }

  /// Cancels all tasks but the changes that are being stored, and waits for the end of all: a cancelled
  /// refresh has to release its claims.
  func finish() async {
    let cancelled = tasks.values.map(\.task) + observers
    observers = []
    tasks = [:]
    for task in cancelled { task.cancel() }
    for article in opening.keys {
      change { [articles] in
        _ = try? await articles.applyByKey(.setRead([article], true, isUndoable: true))
      }
    }
    opening = [:]
    await lastChange?.value
    await composition.finishSending(within: Self.longestSending)
    sending?.cancel()
    await sending?.value
    // What they are about is kept by now: the next start, or the next refresh, goes on with it.
    let errands = errands.values
    for task in errands { task.cancel() }
    for task in cancelled + errands { await task.value }
  }

  /// How long the end of the program waits for what the user has marked last to be sent.
  private static let longestSending: Duration = .seconds(2)

  /// Sends the user's changes soon after they were made.
  func observeOutbox() {
    sending = Task { [composition] in
      await Self.firstScreenIsShown()
      await composition.sendChanges()
    }
  }

  /// Sends what waits in the background, and says what could not be sent.
  ///
  /// - Parameters:
  ///   - account: whose server is told; nil for all.
  ///   - feed: whose articles come from its server now; nil for none.
  ///   - isMeant: whether a change is one that the user has just made.
  private func tellServers(
    of account: AccountID? = nil, bringing feed: Feed? = nil,
    _ isMeant: @escaping @Sendable (SubscriptionChange) -> Bool = { _ in false }
  ) {
    let (subscriptions, composition, inbox) = (subscriptions, composition, inbox)
    startErrand {
      guard let waiting = try? await subscriptions.deliver(to: account.map { [$0] }) else { return }
      let left = waiting.last { change in
        if case .subscription(let change) = change.kind { isMeant(change) } else { false }
      }
      if let left {
        inbox.send(.changeWaits(left))
      } else if let feed {
        _ = try? await FeedRefresh(composition).run([feed.id])
      }
    }
  }

  /// The same after feeds of a folder have moved.
  private func tellServer(of folder: FolderID) {
    guard folder.account != .local else { return }
    tellServers(of: folder.account) { if case .file = $0.kind { true } else { false } }
  }

  /// - Throws: where the search for the feed was cancelled.
  private func add(_ address: String, found located: LocatedFeed?, to account: Account) throws {
    try Task.checkCancellation()
    let (subscriptions, inbox) = (subscriptions, inbox)
    change { [weak self] in
      do {
        let added = try await subscriptions.add(address, found: located, to: account)
        inbox.send(.feedAdded(added.feed, isNew: added.isNew, address: address))
        await self?.tellServers(of: account.id, bringing: added.feed) { [url = added.feed.url] in
          $0.url == url
        }
      } catch { inbox.send(.feedNotAdded(address, SourceError(describing: error))) }
    }
  }

  /// - Throws: where the search for the new address was cancelled.
  private func move(_ id: FeedID, to place: LocatedFeed, foundAt address: String) throws {
    try Task.checkCancellation()
    let (subscriptions, inbox) = (subscriptions, inbox)
    change {
      do {
        try await subscriptions.move(id, to: place)
        inbox.send(.feedMoved(id, to: address))
      } catch { inbox.send(.feedNotMoved(id, to: address, SourceError(describing: error))) }
    }
  }

  /// Reads the address of an article for some work, or says that there is none.
  private func withAddress(
    of id: ArticleID, _ address: @escaping @Sendable (Entry) -> String? = { $0.url },
    missing: String = "this article has no address",
    _ work: @escaping @MainActor @Sendable (EffectRunner, String) -> Void
  ) {
    let (articles, inbox) = (articles, inbox)
    start(nil) { [weak self] in
      do {
        let article = try await articles.existing(id)
        guard let url = address(article.entry) else {
          throw SourceError(.address, stage: .address, subject: "", message: missing)
        }
        if let self { await work(self, url) }
      } catch { inbox.send(.workFailed(SourceError(describing: error))) }
    }
  }

  /// Opens the page of an article with the browser of its feed, where that has one.
  ///
  /// - Parameter reads: whether the article is read where the browser takes it.
  private func openPage(of id: ArticleID, inBackground: Bool, reads: Bool = false) {
    let (articles, subscriptions, inbox) = (articles, subscriptions, inbox)
    start(nil) { [weak self] in
      do {
        let article = try await articles.existing(id)
        let own = try await subscriptions.settings(of: article.feedID).browser
        guard let url = article.entry.url else {
          throw SourceError(
            .address, stage: .address, subject: "", message: "this article has no address")
        }
        await self?.open(url, own, inBackground: inBackground, reading: reads ? id : nil)
      } catch { inbox.send(.workFailed(SourceError(describing: error))) }
    }
  }

  /// - Parameter own: the command of the feed; nil for the browser of the settings.
  private func open(_ url: String, _ own: String?, inBackground: Bool, reading article: ArticleID?)
  {
    guard inBackground else {
      return open(url, by: own.map(browser.running), reading: article)
    }
    openBeside([url])
  }

  /// - Parameter article: is read where the browser takes it.
  private func open(_ url: String, by other: Browser? = nil, reading article: ArticleID? = nil) {
    let (browser, moments) = ((other ?? browser).opening(url), FirstMoments())
    do {
      try program.open(url, with: browser) { moments.note($0) }
      inbox.send(.linkOpened(url))
    } catch {
      return inbox.send(.workFailed(SourceError(describing: error)))
    }
    guard !browser.usesTerminal else {
      if let article { inbox.send(.openedToRead(article)) }
      return
    }
    watch(moments, of: browser, reading: article)
  }

  /// Tells that a browser beside the reader has failed, and marks the article unless it has.
  private func watch(_ moments: FirstMoments, of browser: Browser, reading article: ArticleID?) {
    let inbox = inbox
    if let article { opening[article, default: 0] += 1 }
    start(nil) { [weak self] in
      var end = await moments.end(within: .seconds(1))
      if let article {
        await self?.endOpening(of: article)
        if end.flatMap(browser.failure) == nil { inbox.send(.openedToRead(article)) }
      }
      if end == nil { end = await moments.end(within: .seconds(2)) }
      if let failure = end.flatMap(browser.failure) { inbox.send(.workFailed(failure)) }
    }
  }

  private func endOpening(of article: ArticleID) {
    opening[article] = opening[article].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Opens pages with a browser that has a window of its own.
  private func openBeside(_ urls: [String]) {
    do {
      for url in urls {
        guard let browser = browser.opening(url).beside else {
          throw SourceError(
            .address, stage: .config, subject: "",
            message:
              "the browser uses the terminal, so that it cannot open pages in the background",
            next: "name another one with browser.background in the configuration")
        }
        let moments = FirstMoments()
        try browser.open(url, onEnd: { moments.note($0) })
        watch(moments, of: browser, reading: nil)
      }
      inbox.send(urls.count == 1 ? .linkOpened(urls[0]) : .linksOpened(urls.count))
    } catch { inbox.send(.workFailed(SourceError(describing: error))) }
  }

  private func open(_ file: Enclosure, of article: Article, at path: String?) throws {
    guard let command = try place.opener.command(for: file, at: path) else {
      return open(file.url)
    }
    var arguments = command.arguments
    if let link = PlayerLink(to: arguments) {
      arguments = link.arguments(arguments, from: article.playback[file.url])
      let (id, url) = (article.id, file.url)
      link.follow { [weak self] _, playback in
        Task { @MainActor in self?.keep(playback, of: url, in: id) }
      }
    }
    if command.usesTerminal {
      try program.lendTerminal {
        try FileOpener.run(arguments, usesTerminal: true, stop: $0)
      }
    } else {
      try FileOpener.run(arguments, usesTerminal: false)
    }
    inbox.send(.fileOpened(path ?? file.url))
  }

  /// Lets the user write a comment, and sends it. Its file goes as soon as the outbox has it.
  private func write(_ draft: CommentDraft) {
    let (inbox, file, comments) = (
      inbox, DraftFile(draft, store: place.folder), Comments(composition)
    )
    func fail(_ error: any Error) {
      inbox.send(.commentWritten(draft, .failed(SourceError(describing: error))))
    }
    do {
      let text = try program.lendTerminal { try file.edit(stop: $0) }
      guard let text, text != draft.changed?.text else {
        file.discard()
        return inbox.send(.commentWritten(draft, .empty))
      }
      startKeeping { noteKept in
        let noteKept = { @Sendable in
          file.discard()
          noteKept()
        }
        do {
          let waiting =
            if let number = draft.waiting?.id {
              try await comments.rewrite(number, to: text, noteKept: noteKept)
            } else if let comment = draft.changed {
              try await comments.edit(
                comment.id, on: draft.article, to: text, from: comment.version, noteKept: noteKept)
            } else {
              try await comments.send(
                text, answering: draft.parent, on: draft.article, noteKept: noteKept)
            }
          inbox.send(
            .commentWritten(draft, waiting.map { .waits($0.error) } ?? .sent))
        } catch {
          var error = SourceError(describing: error)
          if access(file.path, F_OK) == 0 { error.next = file.kept }
          inbox.send(.commentWritten(draft, .failed(error)))
        }
      }
    } catch { fail(error) }
  }

  private func keep(_ playback: Playback, of url: String, in id: ArticleID) {
    let (articles, inbox) = (articles, inbox)
    change {
      do { try await articles.keepPlayback(playback, of: url, in: id) } catch {
        inbox.send(.storeFailed(SourceError(describing: error)))
      }
    }
  }

  /// Plays files of the queue one after the other: by mpv from where each was stopped, and what was played to its
  /// end leaves the queue.
  private func play(_ files: [QueuedFile], at paths: [String?]) throws {
    guard let first = files.first else { return }
    let list = try place.opener.playlist(of: zip(files.map(\.file), paths).map { ($0, $1) })
    var arguments = list.player + list.targets
    if let link = PlayerLink(to: list.player) {
      arguments = link.arguments(
        list.player, playing: Array(zip(list.targets, files.map(\.playback))))
      link.follow { [weak self] index, playback in
        guard files.indices.contains(index) else { return }
        let file = files[index]
        Task { @MainActor in self?.keep(playback, of: file.file.url, in: file.article) }
      }
    }
    if list.usesTerminal {
      try program.lendTerminal {
        try FileOpener.run(arguments, usesTerminal: true, stop: $0)
      }
    } else {
      try FileOpener.run(arguments, usesTerminal: false)
    }
    inbox.send(.fileOpened(first.title))
  }

  /// By the terminal, or tmux, and by a program where the settings name one.
  private func copy(_ text: String) {
    guard TmuxBuffer.isThere(ProcessInfo.processInfo.environment) else {
      return copy(text, isTaken: program.copy(text))
    }
    let hasCommand = place.copyCommand != nil
    if hasCommand { copy(text, isTaken: true) }
    start(nil) { [weak self] in
      let isTaken = await TmuxBuffer.take(text)
      await self?.copyBehindTmux(text, isTaken: isTaken, isTold: !hasCommand)
    }
  }

  private func copyBehindTmux(_ text: String, isTaken: Bool, isTold: Bool) {
    let isHandedOn = isTaken || program.copy(text)
    guard isTold else { return }
    guard isHandedOn else { return copy(text, isTaken: false) }
    inbox.send(.copied(text, by: isTaken ? .tmux : .terminalBehindTmux))
  }

  private func copy(_ text: String, isTaken: Bool) {
    guard let words = place.copyCommand else {
      guard !isTaken else { return inbox.send(.copied(text)) }
      return inbox.send(
        .workFailed(
          SourceError(
            .address, stage: .config, subject: "",
            message: "this terminal cannot copy",
            next: "name a program with screen.copy_command in the configuration")))
    }
    let inbox = inbox
    start(nil) {
      let end = await ChildProgram(words[0], words).run(input: Array(text.utf8)) { _ in }
      guard end != .exited(0) else { return inbox.send(.copied(text)) }
      inbox.send(
        .workFailed(
          SourceError(
            .file, stage: .config, subject: words[0], message: "it could not copy the address",
            next: "check screen.copy_command in the configuration")))
    }
  }

  private func runInTerminal(_ prepared: ArticleProgram, name: String) throws {
    let message: String
    switch try program.lendTerminal({ try prepared.runInTerminal(stop: $0) }) {
    // The user has ended it by Ctrl-C.
    case .exited(0), .killed(SIGINT): return
    case .exited(let status): message = "it has ended with status \(status)"
    case .killed(let signal): message = "it was ended by signal \(signal)"
    case .failed(let reason): message = reason
    }
    inbox.send(
      .workFailed(SourceError(.file, stage: .config, subject: name, message: message)))
  }

  private func pixelSupport() async -> PixelSupport? {
    await program.pixelSupport(isThroughTmux: passesTmux())
  }

  /// Whether this is tmux that lets pictures through. It is asked once, and not for the one picture alone.
  private func passesTmux() async -> Bool {
    guard [.auto, .kitty].contains(composition.settings.pictures.drawing) else { return false }
    if let tmuxQuestion { return await tmuxQuestion.value }
    let question = Task {
      await TmuxAnswer.get(ProcessInfo.processInfo.environment)?.passesPictures == true
    }
    tmuxQuestion = question
    return await question.value
  }

  private func start(_ id: EffectID?, _ work: @escaping @Sendable () async -> Void) {
    nextNumber += 1
    let number = nextNumber
    let task = Task { [weak self] in
      await work()
      self?.ended(id, number)
    }
    guard let id else { return }
    tasks.updateValue((number, task), forKey: id)?.task.cancel()
  }

  /// Starts what keeps something of the user's, and then asks a server. The end of the program waits for the first part,
  /// as for any other change, and cancels the second.
  private func startKeeping(
    _ work: @escaping @Sendable (_ noteKept: @escaping @Sendable () -> Void) async -> Void
  ) {
    let (kept, keeping) = AsyncStream.makeStream(of: Void.self)
    startErrand {
      await work { keeping.finish() }
      keeping.finish()
    }
    change { for await _ in kept {} }
  }

  /// Starts what asks a server.
  private func startErrand(_ work: @escaping @Sendable () async -> Void) {
    nextNumber += 1
    let number = nextNumber
    errands[number] = Task { [weak self] in
      await work()
      self?.errands[number] = nil
    }
  }

  private func ended(_ id: EffectID?, _ number: Int) {
    guard let id, tasks[id]?.number == number else { return }
    tasks[id] = nil
  }

  private func change(_ work: @escaping @Sendable () async -> Void) {
    let before = lastChange
    lastChange = Task {
      await before?.value
      await work()
    }
  }
}

/// The parts of the program that effects control.
@MainActor
protocol ProgramControl: AnyObject {
  func suspend()
  func quit()
  /// - Parameter onEnd: gets the end of a browser that is not waited for.
  func open(
    _ url: String, with browser: Browser, onEnd: @escaping @Sendable (ProgramEnd) -> Void) throws
  /// Shows addresses on the ordinary screen until a key is pressed.
  func show(_ addresses: [ShownAddress])
  /// Which pixels the terminal shows, which is asked the first time; nil for none.
  ///
  /// - Parameter isThroughTmux: whether tmux passes pictures on.
  func pixelSupport(isThroughTmux: Bool) async -> PixelSupport?
  /// Gives a text to the terminal, to be copied.
  ///
  /// - Returns: whether the terminal knows how.
  func copy(_ text: String) -> Bool
  /// Tells the user of something by the terminal.
  func signal(_ signal: NewArticleRule.Signal, _ text: String)
  /// Gives the terminal away for as long as the work takes, which gets a way to stop this program.
  func lendTerminal<Result>(_ work: (_ stop: () -> Void) throws -> Result) rethrows -> Result
}

/// Does some work, and reports why it fails.
private func telling(_ inbox: Inbox, _ work: () async throws -> Void) async {
  do { try await work() } catch { inbox.send(.workFailed(SourceError(describing: error))) }
}

/// Lays an article out off the main actor: a long one takes long.
///
/// - Parameter begin: gets the first lines of a long one, before the others are laid out.
@concurrent
private func layOut(
  _ article: Article, width: Int, clock: WallClock, _ show: PictureShow,
  with other: OtherText? = nil, begin: ((ArticlePage) -> Void)? = nil
) async -> ArticlePage {
  var setting = ArticleSetting(
    article, width: width, clock: clock, with: other, pictures: await show.room(in: article.feedID))
  if let begin, let beginning = setting.beginning() { begin(beginning) }
  return setting.whole()
}

/// Makes a card of an article off the main actor.
@concurrent
private func deal(
  _ article: Article, _ wish: CardWish, clock: WallClock, _ show: PictureShow
) async -> ArticleCard {
  ArticleCard(
    article, width: wish.width, rows: wish.rows, clock: clock,
    pictures: await show.room(in: article.feedID))
}

/// Runs a program of the user's own for an article, and reports what it prints in the way it is wished for.
private func run(
  _ id: ProgramID, _ program: OwnProgram, _ prepared: ArticleProgram, _ article: Article?,
  width: Int, _ clock: WallClock, _ show: PictureShow, _ inbox: Inbox
) async -> ProgramEnd {
  guard program.output != .page else {
    return await prepared.run { inbox.send(.programPrinted(id, $0)) }
  }
  let printed = Mutex("")
  let end = await prepared.run { part in printed.withLock { $0 += part } }
  let text = printed.withLock { $0 }
  guard end == .exited(0) else {
    inbox.send(.programPrinted(id, text))
    return end
  }
  guard program.output != .none, let article else { return end }
  guard !text.allSatisfy(\.isWhitespace) else {
    return .failed("\(program.name) has printed nothing; the article's own text stays")
  }
  let other = OtherText(by: program.name, text, isHTML: program.output == .articleHTML)
  inbox.send(.articleArrived(await layOut(article, width: width, clock: clock, show, with: other)))
  return end
}

/// The unread articles that have come since one of an id, for each query; those of feeds that had none before are no
/// news.
private func findNew(
  _ queries: [ArticleQuery?], since: Int64, _ snapshots: LiveSnapshots, _ articles: Articles
) async throws -> (articles: [NewArticles], lastID: Int64) {
  var (found, lastID): ([NewArticles], Int64) = ([], since)
  for (rule, wanted) in queries.enumerated() {
    let query = TimelineQuery(
      wanted.map { .matching($0, in: .all) } ?? .all, unreadOnly: true, mergesDuplicates: true,
      olderCount: 1,
      arrivedAfter: since)
    var arrivals: Arrivals?
    for try await snapshot in snapshots.timeline(query) {
      arrivals = snapshot.arrivals
      break
    }
    guard let arrivals else { continue }
    lastID = max(lastID, arrivals.lastID)
    let news = arrivals.articles.filter { !$0.isFromNewFeed }.map(\.position)
    guard let newest = news.max(), let article = try await articles.find(ArticleID(newest.id))
    else { continue }
    found.append(
      NewArticles(
        rule: rule, count: news.count, article: article.id,
        title: article.entry.title ?? article.feedTitle, feed: article.feedTitle))
  }
  return (found, lastID)
}

/// Reports that a feed could not be added, unless the task was cancelled.
private func notAdded(_ address: String, _ error: any Error, _ inbox: Inbox) {
  guard !Task.isCancelled else { return }
  inbox.send(.feedNotAdded(address, SourceError(describing: error)))
}

private func refresh(
  _ wish: Effect.Wish, _ refresh: FeedRefresh, _ inbox: Inbox
) async {
  let (scope, wasAsked): (FeedRefresh.Scope, Bool) =
    switch wish {
    case .asked(let timeline): (.timeline(timeline), true)
    case .askedFeeds(let feeds): (.feeds(feeds), true)
    case .due: (.due, false)
    case .unreachable: (.unreachable, false)
    }
  do {
    let report = try await refresh.run(scope)
    inbox.send(
      .refreshEnded(
        failed: report.failedCount, gone: report.goneCount, inserted: report.inserted,
        wasAsked: wasAsked, wasDue: !report.isEmpty, resting: report.restLine))
  } catch is CancellationError {
  } catch { inbox.send(.refreshFailed(SourceError(describing: error))) }
}
