internal import News
internal import TestSupport

@testable internal import Services

/// A course of changes on machines that share a folder, as a value: the same seed gives the same course, and
/// one that fails is made smaller by leaving steps out.
struct LogCourse: Sendable, CustomStringConvertible {
  var machines: Int
  /// By how much each machine's clock is wrong, in seconds.
  var clocks: [Int64]
  var steps: [LogStep]

  init(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let machines = Int.random(in: 2...4, using: &random)
    self.machines = machines
    // Hours and years off; one machine in two is right.
    let errors: [Int64] = [0, 0, 0, 3_600, -7_200, 86_400, 10 * 31_536_000, -20 * 31_536_000]
    clocks = (0..<machines).map { _ in errors.randomElement(using: &random) ?? 0 }
    var copies = 1
    let count = Int.random(in: 10...50, using: &random)
    steps = (0..<count).map { _ in
      LogStep.random(machines: machines, copies: &copies, using: &random)
    }
  }

  var description: String {
    (["\(machines) machines, clocks off by \(clocks)"] + steps.map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// The course with as many steps left out as it can do without and still fail.
  func shrunk(_ fails: (LogCourse) -> Bool) -> LogCourse {
    var smallest = self
    var width = max(1, steps.count / 2)
    while width >= 1 {
      var start = 0
      while start < smallest.steps.count {
        var shorter = smallest
        shorter.steps.removeSubrange(start..<min(start + width, shorter.steps.count))
        if fails(shorter) { smallest = shorter } else { start += width }
      }
      if width == 1 { break }
      width /= 2
    }
    return smallest
  }
}

/// One step of a course. Machines and files are meant modulo those there are.
enum LogStep: Hashable, Sendable {
  case change(machine: Int, register: Int, value: Bool)
  /// Time passes, in seconds.
  case wait(Int64)
  /// The machine's clock is set.
  case setClock(machine: Int, Int64)
  /// Killed after so many bytes of the next append, where it comes so far.
  case sync(machine: Int, killedAfter: Int?)
  /// Killed before it notes what it has written.
  case rewrite(machine: Int, isKilled: Bool)
  /// A file goes from one machine to another: all of it, or only its beginning so far.
  case carry(from: Int, to: Int, file: Int, length: Int?)
  /// The store and the folder go on on another machine as well.
  case copyStore(machine: Int)

  static func random(
    machines: Int, copies: inout Int, using random: inout SplitMix
  ) -> LogStep {
    let machine = Int.random(in: 0..<8, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35:
      return .change(
        machine: machine, register: Int.random(in: 0..<5, using: &random),
        value: Bool.random(using: &random))
    case 35..<43: return .wait(Int64.random(in: 0...5_000, using: &random))
    case 43..<45:
      return .setClock(
        machine: machine, Int64.random(in: -400_000_000...400_000_000, using: &random))
    case 45..<66:
      let isKilled = Int.random(in: 0..<4, using: &random) == 0
      return .sync(
        machine: machine, killedAfter: isKilled ? Int.random(in: 0...200, using: &random) : nil)
    case 66..<71: return .rewrite(machine: machine, isKilled: Bool.random(using: &random))
    case 71..<73 where copies > 0:
      copies -= 1
      return .copyStore(machine: machine)
    default:
      let isPart = Int.random(in: 0..<3, using: &random) == 0
      return .carry(
        from: machine, to: Int.random(in: 0..<8, using: &random),
        file: Int.random(in: 0..<12, using: &random),
        length: isPart ? Int.random(in: 0...400, using: &random) : nil)
    }
  }
}
