/// Something that a server of the Google Reader API gets wrong, on demand, beside what any server does
/// (`Fault`).
package enum GoogleReaderFault: Sendable, Hashable {
  /// What happens to the answer on its way.
  case wire(Fault)
  /// Each id of the page comes twice.
  case repeatedIDs
  /// The page names the continuation that it was asked with; the first page, the one to itself.
  case repeatedContinuation
  /// So many items of the newest are marked read just before the page is made, so that offsets shift.
  case shiftedOffset(Int)
  /// The item that the continuation names is marked read just before the page is made, so that a server
  /// which passes over the first of the items from there on passes over another.
  case readContinuation
  /// So many new items come just before the page is made.
  case insertedItems(Int)
  /// Half of the page, and no word of it: well-formed, with the continuation that the whole page had.
  case truncatedPage
  /// Half of the text of the answer, with the length of that half: no longer JSON.
  case cutText
  /// A page for browsers with status 200.
  case html
  /// An empty list of JSON in the place of the answer.
  case emptyArray
  /// One entry of the list is no entry.
  case badItem
  /// All sign-ins have ended by the time the request comes.
  case endedSignIns
  /// All write tokens have.
  case endedWriteTokens
  /// Says `OK` and keeps nothing.
  case ignoredMark
  /// Keeps the first half of what it is told and says `OK`.
  case halfMark
  /// Does what it is told, and the connection ends before the answer.
  case lostAnswer
  /// `OK` is not what the answer says.
  case error(String)
}

/// Which requests go wrong, and how often: as `FaultPlan` for routes of the API.
struct GoogleReaderFaultPlan: Sendable {
  private struct Rule {
    let route: String
    let fault: GoogleReaderFault
    var skip: Int
    var left: Int?
  }

  private var rules: [Rule] = []

  mutating func add(_ fault: GoogleReaderFault, route: String, skipping: Int, times: Int?) {
    rules.append(Rule(route: route, fault: fault, skip: skipping, left: times))
  }

  mutating func clear() { rules = [] }

  /// The faults for a request whose path contains the route, in the order they were planned; each counts
  /// as used.
  mutating func take(for path: some StringProtocol) -> [GoogleReaderFault] {
    var faults: [GoogleReaderFault] = []
    for index in rules.indices where path.contains(rules[index].route) {
      if rules[index].skip > 0 {
        rules[index].skip -= 1
      } else if rules[index].left != 0 {
        rules[index].left = rules[index].left.map { $0 - 1 }
        faults.append(rules[index].fault)
      }
    }
    return faults
  }
}
