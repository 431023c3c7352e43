import Repository
import Testing

@Suite struct FetchQueueTests {
  private typealias Queue = FetchQueue<String>

  private static func drained(_ queue: Queue) -> [String] {
    var queue = queue
    var taken: [String] = []
    while let request = queue.next() { taken.append(request) }
    return taken
  }

  @Test func `What was asked for goes first, each lane in its order`() {
    var queue = Queue()
    for request in ["a", "b", "c"] { queue.add(request, in: .ahead) }
    for request in ["1", "2"] { queue.add(request, in: .asked) }
    #expect(queue.count == 5)
    #expect(Self.drained(queue) == ["1", "2", "a", "b", "c"])
  }

  @Test func `A request waits once`() {
    var queue = Queue()
    // It is not moved back.
    let answers = [Queue.Lane.asked, .asked, .ahead].map { queue.add("a", in: $0) }
    #expect(answers == [true, false, false])
    #expect(queue.lane(of: "a") == .asked)
    #expect(Self.drained(queue) == ["a"])
  }

  @Test func `A request that waits ahead is promoted behind those that were asked for`() {
    var queue = Queue()
    for request in ["a", "b", "c"] { queue.add(request, in: .ahead) }
    queue.add("1", in: .asked)
    let isPromoted = queue.add("b", in: .asked)
    #expect(isPromoted)
    #expect(queue.lane(of: "b") == .asked)
    #expect(queue.count == 4)
    #expect(Self.drained(queue) == ["1", "b", "a", "c"])
  }

  @Test func `What was taken may wait again, behind the others`() {
    var queue = Queue()
    for request in ["a", "b", "c"] { queue.add(request, in: .asked) }
    let taken = queue.next()
    #expect(taken == "a")
    #expect(queue.lane(of: "a") == nil)
    let waits = queue.add("a", in: .asked)
    #expect(waits)
    #expect(Self.drained(queue) == ["b", "c", "a"])
  }

  @Test func `What may not be fetched now keeps its place`() {
    var queue = Queue()
    for request in ["x1", "y1", "x2", "y2"] { queue.add(request, in: .asked) }
    queue.add("y3", in: .ahead)
    let taken = [
      queue.next { $0.hasPrefix("y") }, queue.next { $0 == "y3" },
      queue.next { $0.hasPrefix("z") },
    ]
    #expect(taken == ["y1", "y3", nil])
    #expect(queue.count == 3)
    #expect(Self.drained(queue) == ["x1", "x2", "y2"])
  }

  /// Against a list that is searched from its beginning.
  @Test func `Whatever is done, it goes like a plain list`() {
    var dice = SystemRandomNumberGenerator()
    var queue = FetchQueue<Int>()
    var asked: [Int] = []
    var ahead: [Int] = []
    for _ in 0..<20_000 {
      let request = Int.random(in: 0..<200, using: &dice)
      switch Int.random(in: 0..<10, using: &dice) {
      case 0..<3:
        if !asked.contains(request) {
          ahead.removeAll { $0 == request }
          asked.append(request)
        }
        queue.add(request, in: .asked)
      case 3..<7:
        if !asked.contains(request), !ahead.contains(request) { ahead.append(request) }
        queue.add(request, in: .ahead)
      case 7..<9:
        let isAllowed = { (other: Int) in other % 3 == request % 3 }
        var expected: Int?
        if let index = asked.firstIndex(where: isAllowed) {
          expected = asked.remove(at: index)
        } else if let index = ahead.firstIndex(where: isAllowed) {
          expected = ahead.remove(at: index)
        }
        let taken = queue.next(where: isAllowed)
        #expect(taken == expected)
      default:
        let first = asked.isEmpty ? ahead.first : asked.removeFirst()
        if first == ahead.first, !ahead.isEmpty { ahead.removeFirst() }
        let taken = queue.next()
        #expect(taken == first)
      }
      #expect(queue.count == asked.count + ahead.count)
    }
  }
}
