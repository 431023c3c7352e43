internal import TestSupport

/// A course of marks, syncs and faults, as a value: the same seed gives the same course, and a course that
/// fails is made smaller by leaving steps out.
struct Course: Sendable, CustomStringConvertible {
  var world: CourseWorld
  var steps: [CourseStep]

  var description: String {
    (["\(world)"] + steps.map { "  \($0)" }).joined(separator: "\n")
  }

  init(seed: Int, on wire: CourseWorld.Wire) {
    var random = SplitMix(seed: UInt64(seed))
    world = CourseWorld(wire, &random)
    var maker = StepMaker(world: world)
    steps = (0..<Int.random(in: 12...30, using: &random)).map { _ in maker.step(&random) }
  }
}

/// What a course begins with.
struct CourseWorld: Sendable, CustomStringConvertible {
  /// How readers reach their server.
  enum Wire: Sendable, CaseIterable {
    /// As calls of a server in memory.
    case direct
    /// Through the clients of the program, over a transport in memory.
    case googleReader, miniflux, fever, feedbin, nextcloudNews, newsBlur, tinyTinyRSS
  }

  var wire: Wire
  /// Chooses the dialect of a protocol.
  var dialect: Int
  var readers: Int
  /// Feeds that the account has, with an article each.
  var feeds = 4
  /// Further articles, in the first feeds.
  var articles: Int
  /// Ids in one page; for the direct wire.
  var pageSize: Int
  /// Articles that one call hands out by id; for the direct wire.
  var limit: Int
  /// Marks that one call takes; for the direct wire.
  var marksPerCall: Int

  init(_ wire: Wire, _ random: inout SplitMix) {
    self.wire = wire
    dialect = Int.random(in: 0..<100, using: &random)
    readers = Int.random(in: 1...3, using: &random)
    articles = Int.random(in: 0...3, using: &random)
    pageSize = Int.random(in: 2...6, using: &random)
    limit = Int.random(in: 2...6, using: &random)
    marksPerCall = Int.random(in: 1...4, using: &random)
  }

  var description: String {
    "\(wire), dialect \(dialect), readers \(readers), articles \(feeds + articles), "
      + "pages of \(pageSize), \(limit) articles and \(marksPerCall) marks a call"
  }
}

/// One step of a course. Readers, feeds and articles are meant modulo those there are.
indirect enum CourseStep: Hashable, Sendable {
  case publish(feed: Int)
  case mark(reader: Int, article: Int, isStar: Bool, value: Bool)
  /// A feed, or the whole account for nil.
  case markAll(reader: Int, feed: Int?)
  case undo(reader: Int)
  /// As on the server's own pages.
  case markThere(article: Int, isStar: Bool, value: Bool)
  case restart(reader: Int)
  case deliver(reader: Int, CourseFault?)
  /// Another step, a change or a delivery, happens at one of the calls of the sync, if it comes so far.
  case sync(reader: Int, CourseFault?, during: CourseStep?, atCall: Int)
  case unsubscribe(reader: Int, feed: Int)
  /// As on the server's own pages.
  case unsubscribeThere(feed: Int)
}

/// What the server, or the way to it, gets wrong during one step.
enum CourseFault: Hashable, Sendable {
  /// The call of this number fails, and is not done.
  case fails(Int)
  /// The call of this number is done, and its answer is lost.
  case losesAnswer(Int)
  /// The list of unread articles ends early, and says so; for the direct wire.
  case capsUnread(Int)
  /// Pages lead round in a circle.
  case circles
  /// Ids are listed that are never handed out, or twice.
  case strangeIDs
  /// The call of this number gets a page for browsers.
  case html(Int)
  /// The server has forgotten who is signed in.
  case endsSignIns
}

/// Draws steps one after the other.
private struct StepMaker {
  let world: CourseWorld
  private var removals = 1

  init(world: CourseWorld) { self.world = world }

  mutating func step(_ random: inout SplitMix) -> CourseStep {
    let reader = Int.random(in: 0..<world.readers, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<48: return change(by: reader, &random)
    case 48..<53: return .publish(feed: Int.random(in: 0..<world.feeds, using: &random))
    case 53..<56: return .restart(reader: reader)
    case 56..<66: return .deliver(reader: reader, fault(&random))
    case 66..<68 where removals > 0:
      removals -= 1
      let feed = Int.random(in: 0..<world.feeds, using: &random)
      return Bool.random(using: &random)
        ? .unsubscribe(reader: reader, feed: feed) : .unsubscribeThere(feed: feed)
    default:
      let fault = fault(&random)
      let isDisturbed = Int.random(in: 0..<3, using: &random) == 0
      return .sync(
        reader: reader, fault, during: isDisturbed ? disturbance(of: reader, &random) : nil,
        atCall: Int.random(in: 0..<8, using: &random))
    }
  }

  private func disturbance(of reader: Int, _ random: inout SplitMix) -> CourseStep {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .deliver(reader: reader, nil)
    case 1: .deliver(reader: Int.random(in: 0..<world.readers, using: &random), nil)
    default: change(by: reader, &random)
    }
  }

  /// A mark by somebody.
  private func change(by reader: Int, _ random: inout SplitMix) -> CourseStep {
    let article = Int.random(in: 0..<8, using: &random)
    let isStar = Int.random(in: 0..<4, using: &random) == 0
    let value = Bool.random(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      let feed = Bool.random(using: &random) ? Int.random(in: 0..<world.feeds, using: &random) : nil
      return .markAll(reader: reader, feed: feed)
    case 2: return .undo(reader: reader)
    case 3, 4: return .markThere(article: article, isStar: isStar, value: value)
    default: return .mark(reader: reader, article: article, isStar: isStar, value: value)
    }
  }

  private func fault(_ random: inout SplitMix) -> CourseFault? {
    let call = Int.random(in: 0..<10, using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return .fails(call)
    case 2, 3: return .losesAnswer(call)
    case 4: return .capsUnread(call % 4)
    case 5: return .circles
    case 6: return .strangeIDs
    case 7: return .html(call)
    case 8: return .endsSignIns
    default: return nil
    }
  }
}

extension Course {
  /// The smallest course found that still fails, by leaving out ever smaller runs of steps.
  ///
  /// - Parameter fails: whether a course fails.
  func shrunk(_ fails: (Course) async throws -> Bool) async throws -> Course {
    var smallest = self
    var length = max(1, steps.count / 2)
    while true {
      var start = 0
      var isSmaller = false
      while start < smallest.steps.count {
        var shorter = smallest
        shorter.steps.removeSubrange(start..<min(start + length, smallest.steps.count))
        if try await fails(shorter) {
          smallest = shorter
          isSmaller = true
        } else {
          start += length
        }
      }
      if length == 1 {
        guard isSmaller else { return smallest }
      } else {
        length /= 2
      }
    }
  }

}
