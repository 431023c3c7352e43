internal import Foundation
internal import Testing

@testable internal import Repository

/// Random courses of marks by up to three readers and on the server's own pages, over each protocol, with answers
/// that are lost, syncs that are cut, restarts and lists that end early: in the end all agree, nobody's last word is
/// lost, and no reader has sent a mark twice over another's.
///
/// `TELEX_COURSES` is how many courses are done, `TELEX_COURSE_SEED` the first seed, and
/// `TELEX_COURSE_SECONDS` for how long instead of how many.
@Suite(.timeLimit(.minutes(240)))
struct SyncCourseTests {
  private static let count = number("TELEX_COURSES") ?? 400
  private static let first = number("TELEX_COURSE_SEED") ?? 0
  private static let end = number("TELEX_COURSE_SECONDS").map {
    ContinuousClock.now + .seconds($0)
  }
  /// Courses that are done at once.
  private static let lanes = 4

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test(arguments: CourseWorld.Wire.allCases)
  func `All agree in the end, and no last word is lost`(_ wire: CourseWorld.Wire) async throws {
    let done = try await withThrowingTaskGroup(of: Int.self) { group in
      for lane in 0..<Self.lanes {
        group.addTask { try await Self.courses(on: wire, lane: lane) }
      }
      return try await group.reduce(0, +)
    }
    if Self.end != nil { print("\(done) courses on \(wire)") }
  }

  /// Does every course of a lane until one fails.
  ///
  /// - Returns: how many.
  private static func courses(on wire: CourseWorld.Wire, lane: Int) async throws -> Int {
    var done = 0
    let half = max(1, count / CourseWorld.Wire.allCases.count)
    var seed = first + lane
    while end.map({ ContinuousClock.now < $0 }) ?? (seed < first + half) {
      let course = Course(seed: seed, on: wire)
      if let problem = try await CourseRun.failure(of: course) {
        let smallest = try await course.shrunk { try await CourseRun.failure(of: $0) != nil }
        let reason = try await CourseRun.failure(of: smallest) ?? problem
        Issue.record("seed \(seed): \(reason)\n\(smallest)")
        return done
      }
      done += 1
      seed += lanes
    }
    return done
  }
}
