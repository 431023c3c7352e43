internal import struct Foundation.Date

/// What happened to the articles, in order, for those who listen: as much of it as may still be
/// asked for.
struct LiveJournal: Sendable {
  struct Event: Sendable {
    let number: Int
    /// `article`, `updated`, `deleted` or `comment`.
    let name: String
    let data: JSONText
    let section: String
  }

  /// Where a listener begins.
  struct Beginning: Sendable {
    var number: Int
    /// The id is not one of this journal, or too old: what came after it cannot be told.
    var hasGap: Bool
  }

  private static let capacity = 1_000

  /// Ids are of use to this journal only, not to that of another run of the server.
  private let name: String
  private var events: [Event] = []
  private(set) var lastNumber = 0

  init(now: Date) { name = String(Int(now.timeIntervalSince1970), radix: 36) }

  mutating func record(_ name: String, _ data: [(String, JSONText)], section: String) {
    lastNumber += 1
    events.append(Event(number: lastNumber, name: name, data: .object(data), section: section))
    if events.count > Self.capacity { events.removeFirst(events.count - Self.capacity) }
  }

  /// - Parameter section: nil for all.
  func events(after number: Int, in section: String?) -> [Event] {
    let first = events.firstIndex { $0.number > number } ?? events.endIndex
    return events[first...].filter { section == nil || $0.section == section }
  }

  func id(_ number: Int) -> String { "\(name)-\(number)" }

  /// - Parameter id: the client's `Last-Event-ID`; without one it begins with what comes next.
  func beginning(after id: String?) -> Beginning {
    guard let id, !id.isEmpty else { return Beginning(number: lastNumber, hasGap: false) }
    let parts = id.split(separator: "-")
    guard parts.count == 2, parts[0] == name, let number = Int(parts[1]),
      (lastNumber - events.count...lastNumber).contains(number)
    else { return Beginning(number: lastNumber, hasGap: true) }
    return Beginning(number: number, hasGap: false)
  }
}
