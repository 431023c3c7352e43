internal import News

/// The dumps of the kernel, in the order in which they are requested: it answers one at a time.
enum NetlinkDump: CaseIterable, Hashable, Sendable {
  case links, addresses, routes
}

/// Questions to the kernel and reports to the observer: a state machine without a socket, a thread or a clock.
///
/// News is only a hint to ask for everything again once it has been quiet for a moment: a picture put together from
/// news alone would stay wrong after one lost message.
struct NetlinkWatch {
  typealias Instant = ContinuousClock.Instant

  enum Action: Hashable, Sendable {
    case ask(NetlinkDump, sequence: UInt32)
    /// Somebody else knows; the answer comes with `learned`.
    case askWhetherMetered
    case tell(Connectivity)
  }

  /// After the last piece of news.
  static let pause: Duration = .milliseconds(50)
  /// After the first, so that a link that comes and goes all the time does not silence the rest.
  static let longestPause: Duration = .milliseconds(250)
  /// How long the first report of a connection waits for whether it is metered.
  static let patience: Duration = .milliseconds(600)

  private enum Phase {
    case quiet
    case settling(since: Instant, until: Instant)
    case asking(NetlinkDump)
  }

  private struct Question {
    var deadline: Instant
    /// Whether the network has changed since: the answer may be about the one before.
    var isStale = false
    var isOverdue = false
  }

  private var phase = Phase.quiet
  private var sequence: UInt32 = 0
  /// The results so far of the dumps under way.
  private var draft = NetworkPicture()
  private var isInterrupted = false
  /// Whether news has come since the dumps began.
  private var isStale = false
  private var picture = NetworkPicture()
  private var question: Question?
  private var isMetered: Bool?
  private var told: Connectivity?

  /// When `passed` is to be called at the latest.
  var wakeUp: Instant? {
    var settled: Instant?
    if case .settling(_, let until) = phase { settled = until }
    let answered = question.flatMap { $0.isOverdue ? nil : $0.deadline }
    return [settled, answered].compactMap { $0 }.min()
  }

  mutating func started() -> [Action] { ask(.links) }

  mutating func received(_ messages: [NetlinkMessage], at now: Instant) -> [Action] {
    messages.flatMap { received($0, at: now) }
  }

  /// Messages did not fit into the socket's buffer, or could not be parsed.
  mutating func missedSomething(at now: Instant) -> [Action] {
    // The end of the dump may be among what was lost: it is begun anew.
    phase = .quiet
    settle(at: now)
    return []
  }

  /// Whether the network is metered; nil where nobody knows.
  mutating func learned(_ isMetered: Bool?, at now: Instant) -> [Action] {
    let wasStale = question?.isStale == true
    question = nil
    if wasStale { return askWhetherMetered(at: now) }
    self.isMetered = isMetered ?? false
    return tell()
  }

  mutating func passed(at now: Instant) -> [Action] {
    var actions: [Action] = []
    if let open = question, !open.isOverdue, open.deadline <= now {
      question?.isOverdue = true
      actions += tell()
    }
    if case .settling(_, let until) = phase, until <= now { actions += ask(.links) }
    return actions
  }

  mutating func failed() -> [Action] {
    phase = .quiet
    return tell(.unknown)
  }

  // MARK: Asking the kernel

  private mutating func received(_ message: NetlinkMessage, at now: Instant) -> [Action] {
    guard message.isAnswer else {
      if message.body == .lost { return missedSomething(at: now) }
      if case .asking = phase { isStale = true } else { settle(at: now) }
      return []
    }
    guard case .asking(let dump) = phase, message.sequence == sequence else { return [] }
    isInterrupted = isInterrupted || message.isInterrupted
    switch message.body {
    case .link(let link): draft.links.append(link)
    case .address(let address): draft.addresses.append(address)
    case .defaultRoute(let route): draft.defaultRoutes.append(route)
    case .done: return finished(dump, at: now)
    // The kernel has refused: what is the case is not known until there is news.
    case .failed: return failed()
    case .lost: return missedSomething(at: now)
    case .other: break
    }
    return []
  }

  private mutating func ask(_ dump: NetlinkDump) -> [Action] {
    if dump == .links {
      draft = NetworkPicture()
      (isStale, isInterrupted) = (false, false)
    }
    phase = .asking(dump)
    sequence &+= 1
    return [.ask(dump, sequence: sequence)]
  }

  private mutating func finished(_ dump: NetlinkDump, at now: Instant) -> [Action] {
    switch dump {
    case .links: return ask(.addresses)
    case .addresses: return ask(.routes)
    case .routes:
      phase = .quiet
      if isStale || isInterrupted { settle(at: now) }
      // Pieces of two states may come to one that never was.
      return isInterrupted ? [] : adopt(draft, at: now)
    }
  }

  private mutating func settle(at now: Instant) {
    var first = now
    if case .settling(let since, _) = phase { first = since }
    let until = min(now.advanced(by: Self.pause), first.advanced(by: Self.longestPause))
    phase = .settling(since: first, until: until)
  }

  // MARK: Telling

  private mutating func adopt(_ new: NetworkPicture, at now: Instant) -> [Action] {
    let isOther = new != picture
    picture = new
    guard new.reach == .online, isOther || isMetered == nil else { return tell() }
    // Another network may cost something else.
    return askWhetherMetered(at: now) + tell()
  }

  private mutating func askWhetherMetered(at now: Instant) -> [Action] {
    guard question == nil else {
      question?.isStale = true
      return []
    }
    question = Question(deadline: now.advanced(by: Self.patience))
    return [.askWhetherMetered]
  }

  private mutating func tell() -> [Action] {
    switch picture.reach {
    case .unknown: return tell(.unknown)
    case .offline: return tell(.offline)
    case .online:
      // A moment's wait for the answer, so that nothing is fetched ahead on a connection that
      // turns out to cost.
      if let question, !question.isOverdue { return [] }
      return tell(.online(isMetered: isMetered ?? false))
    }
  }

  private mutating func tell(_ connectivity: Connectivity) -> [Action] {
    guard connectivity != told else { return [] }
    told = connectivity
    return [.tell(connectivity)]
  }
}
