import News
import Testing

@testable import NetworkMonitor

@Suite struct NetlinkWatchTests {
  private static let loopback = NetlinkMessage.Body.link(
    .init(index: 1, isLoopback: true, isRunning: true))
  private static let cable = NetlinkMessage.Body.link(
    .init(index: 2, isLoopback: false, isRunning: true))
  private static let address = NetlinkMessage.Body.address(.init(link: 2, isGlobal: true))
  private static let route = NetlinkMessage.Body.defaultRoute(.init(links: [2]))
  private static let news = NetlinkMessage(.other)

  /// A watch and the time, with what has come of it.
  private struct Bench {
    var watch = NetlinkWatch()
    var now = ContinuousClock.now
    /// The question that waits for its answer.
    var asked: (dump: NetlinkDump, sequence: UInt32)?
    var said: [NetlinkWatch.Action] = []

    mutating func perform(_ actions: [NetlinkWatch.Action]) {
      for action in actions {
        if case .ask(let dump, let sequence) = action {
          asked = (dump, sequence)
        } else {
          said.append(action)
        }
      }
    }

    mutating func start() { perform(watch.started()) }

    mutating func answer(_ bodies: [NetlinkMessage.Body], isInterrupted: Bool = false) throws {
      let sequence = try #require(asked).sequence
      asked = nil
      let messages = (bodies + [.done]).map {
        NetlinkMessage($0, sequence: sequence, isAnswer: true, isInterrupted: isInterrupted)
      }
      perform(watch.received(messages, at: now))
    }

    /// All three dumps.
    mutating func answerAll(
      _ links: [NetlinkMessage.Body] = [loopback], _ addresses: [NetlinkMessage.Body] = [],
      _ routes: [NetlinkMessage.Body] = [], isInterrupted: Bool = false
    ) throws {
      #expect(asked?.dump == .links)
      try answer(links)
      #expect(asked?.dump == .addresses)
      try answer(addresses, isInterrupted: isInterrupted)
      #expect(asked?.dump == .routes)
      try answer(routes)
    }

    mutating func hear(_ message: NetlinkMessage = news) {
      perform(watch.received([message], at: now))
    }

    mutating func wait(_ duration: Duration) {
      now = now.advanced(by: duration)
      perform(watch.passed(at: now))
    }

    mutating func waitForWakeUp() throws {
      now = max(now, try #require(watch.wakeUp))
      perform(watch.passed(at: now))
    }

    mutating func takeSaid() -> [NetlinkWatch.Action] {
      defer { said = [] }
      return said
    }
  }

  @Test func `At the start everything is asked for, one thing after the other`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
    #expect(bench.asked == nil)
    #expect(bench.watch.wakeUp == nil)
  }

  @Test func `A connection is told once it is known what it costs`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.loopback, Self.cable], [Self.address], [Self.route])
    #expect(bench.takeSaid() == [.askWhetherMetered])
    bench.perform(bench.watch.learned(true, at: bench.now))
    #expect(bench.takeSaid() == [.tell(.online(isMetered: true))])
  }

  @Test(arguments: [(true, true), (false, false), (nil, false)] as [(Bool?, Bool)])
  func `What nobody knows the cost of is not metered`(answer: Bool?, isMetered: Bool) throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.cable], [Self.address])
    bench.perform(bench.watch.learned(answer, at: bench.now))
    #expect(bench.takeSaid() == [.askWhetherMetered, .tell(.online(isMetered: isMetered))])
  }

  @Test func `An answer that does not come is not waited for; a late one counts`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.cable], [Self.address])
    bench.wait(.milliseconds(599))
    #expect(bench.takeSaid() == [.askWhetherMetered])
    try bench.waitForWakeUp()
    #expect(bench.takeSaid() == [.tell(.online(isMetered: false))])
    #expect(bench.watch.wakeUp == nil)
    bench.perform(bench.watch.learned(true, at: bench.now))
    #expect(bench.takeSaid() == [.tell(.online(isMetered: true))])
  }

  @Test func `A burst of news is one question`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll()
    for _ in 0..<4 {
      bench.hear()
      bench.wait(.milliseconds(40))
      #expect(bench.asked == nil)
    }
    bench.wait(.milliseconds(10))
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
    #expect(bench.watch.wakeUp == nil)
  }

  @Test func `News without an end is not waited out`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll()
    let start = bench.now
    while bench.asked == nil, start.duration(to: bench.now) < .seconds(5) {
      bench.hear()
      bench.wait(.milliseconds(20))
    }
    #expect(start.duration(to: bench.now) <= .milliseconds(280))
  }

  @Test func `News during a dump asks for another after it`() throws {
    var bench = Bench()
    bench.start()
    try bench.answer([Self.loopback])
    bench.hear()
    try bench.answer([])
    try bench.answer([])
    #expect(bench.takeSaid() == [.tell(.offline)])
    try bench.waitForWakeUp()
    try bench.answerAll()
    #expect(bench.watch.wakeUp == nil)
  }

  @Test func `A dump that was disturbed is not believed`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.loopback], isInterrupted: true)
    #expect(bench.takeSaid() == [])
    try bench.waitForWakeUp()
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
  }

  @Test(arguments: [0, 1, 2])
  func `After lost messages everything is asked for again`(answered: Int) throws {
    var bench = Bench()
    bench.start()
    for _ in 0..<answered { try bench.answer([Self.loopback]) }
    let old = try #require(bench.asked)
    bench.perform(bench.watch.missedSomething(at: bench.now))
    // What still comes of the old dump is not taken for the new one's.
    bench.perform(
      bench.watch.received(
        [NetlinkMessage(.done, sequence: old.sequence, isAnswer: true)], at: bench.now))
    #expect(bench.takeSaid() == [])
    try bench.waitForWakeUp()
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
  }

  @Test func `An answer to somebody else's question is none`() throws {
    var bench = Bench()
    bench.start()
    let sequence = try #require(bench.asked).sequence
    bench.perform(
      bench.watch.received(
        [
          NetlinkMessage(Self.cable, sequence: sequence &+ 1, isAnswer: true),
          NetlinkMessage(.done, sequence: sequence &+ 1, isAnswer: true),
        ], at: bench.now))
    #expect(bench.asked?.dump == .links)
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
  }

  @Test func `A refusal makes it unknown, until there is news`() throws {
    var bench = Bench()
    bench.start()
    try bench.answer([Self.loopback])
    let sequence = try #require(bench.asked).sequence
    bench.perform(
      bench.watch.received(
        [NetlinkMessage(.failed(1), sequence: sequence, isAnswer: true)], at: bench.now))
    #expect(bench.takeSaid() == [.tell(.unknown)])
    #expect(bench.watch.wakeUp == nil)
    bench.hear()
    try bench.waitForWakeUp()
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
  }

  @Test func `The same twice is told once`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.cable], [Self.address])
    bench.perform(bench.watch.learned(nil, at: bench.now))
    #expect(bench.takeSaid() == [.askWhetherMetered, .tell(.online(isMetered: false))])
    bench.hear()
    try bench.waitForWakeUp()
    // Nothing has changed: the price has not either.
    try bench.answerAll([Self.cable], [Self.address])
    #expect(bench.takeSaid() == [])
  }

  @Test func `Another network is asked for its price again`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.cable], [Self.address])
    bench.perform(bench.watch.learned(false, at: bench.now))
    _ = bench.takeSaid()
    bench.hear()
    try bench.waitForWakeUp()
    try bench.answerAll([Self.cable], [Self.address], [Self.route])
    #expect(bench.takeSaid() == [.askWhetherMetered])
    // It changes once more before the answer is there: the answer is about a network of the past.
    bench.hear()
    try bench.waitForWakeUp()
    try bench.answerAll([Self.cable], [], [Self.route])
    #expect(bench.takeSaid() == [])
    bench.perform(bench.watch.learned(false, at: bench.now))
    #expect(bench.takeSaid() == [.askWhetherMetered])
    bench.perform(bench.watch.learned(true, at: bench.now))
    #expect(bench.takeSaid() == [.tell(.online(isMetered: true))])
  }

  @Test func `Going offline waits for no answer`() throws {
    var bench = Bench()
    bench.start()
    try bench.answerAll([Self.cable], [Self.address])
    _ = bench.takeSaid()
    bench.hear()
    try bench.waitForWakeUp()
    try bench.answerAll()
    #expect(bench.takeSaid() == [.tell(.offline)])
    // The answer that was under way comes to nothing.
    bench.perform(bench.watch.learned(true, at: bench.now))
    #expect(bench.takeSaid() == [])
  }
}
