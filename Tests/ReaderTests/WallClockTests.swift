internal import Testing

@testable import Reader

struct WallClockTests {
  /// Berlin in 2026: summer time from 29 March to 25 October, each at 01:00 UTC.
  private static let berlin = [
    WallClock.ZoneOffset(from: 1_761_440_400, seconds: 3_600),
    WallClock.ZoneOffset(from: 1_774_746_000, seconds: 7_200),
    WallClock.ZoneOffset(from: 1_792_890_000, seconds: 3_600),
  ]

  @Test(arguments: [
    (1_774_745_999, "Sun 29 Mar 2026, 01:59"), (1_774_746_000, "Sun 29 Mar 2026, 03:00"),
    (1_792_889_999, "Sun 25 Oct 2026, 02:59"), (1_792_890_000, "Sun 25 Oct 2026, 02:00"),
    (1_795_269_720, "Sat 21 Nov 2026, 15:02"), (1_709_164_800, "Thu 29 Feb 2024, 01:00"),
    // Before the first offset that is known, that one holds.
    (0, "Thu 1 Jan 1970, 01:00"), (-86_400, "Wed 31 Dec 1969, 01:00"),
    (-2_203_891_201, "Thu 1 Mar 1900, 00:59"),
  ])
  func `A moment is told in the local zone`(_ time: Int64, _ text: String) {
    #expect(WallClock(now: Sample.now, offsets: Self.berlin).long(time) == text)
  }

  @Test(arguments: [
    (1_795_269_720, "21 Nov, 15:02"), (1_767_222_000, "1 Jan, 00:00"),
    (1_767_221_999, "31 Dec 2025, 23:59"),
  ])
  func `The head of an article tells another year alone`(_ time: Int64, _ text: String) {
    #expect(WallClock(now: Sample.now, offsets: Self.berlin).dated(time) == text)
  }

  @Test(arguments: [
    (0, "14:02"), (-60, "14:03"), (50_400, "00:02"), (50_580, "20 Nov"), (1_728_000, " 1 Nov"),
    (27_993_600, " 1 Jan"), (28_080_000, "Dec’25"), (-4_320_000, "10 Jan"), (-34_560_000, "Dec’27"),
  ])
  func `A list tells the time, the day or the month`(_ secondsAgo: Int64, _ text: String) {
    #expect(Sample.clock.short(Sample.now - secondsAgo) == text)
  }

  @Test func `In January the days of December are still days`() {
    let clock = WallClock(now: 1_767_312_000)
    #expect(clock.short(1_766_966_400) == "29 Dec")
    #expect(clock.short(1_751_500_800) == "Jul’25")
  }

  @Test(arguments: [
    (-5, "just now"), (0, "just now"), (59, "just now"), (60, "1 min ago"), (3_599, "59 min ago"),
    (3_600, "1 h ago"), (172_799, "47 h ago"), (172_800, "2 days ago"), (864_000, "10 days ago"),
  ])
  func `An age is rounded down`(_ seconds: Int64, _ text: String) {
    #expect(Sample.clock.age(Sample.now - seconds) == text)
  }

  @Test(arguments: [
    (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_600, "1 h"), (172_800, "2 days"),
  ])
  func `A duration is rounded down`(_ seconds: Int64, _ text: String) {
    #expect(Sample.clock.duration(since: Sample.now - seconds) == text)
  }

  @Test(arguments: [
    (-5, "0 s"), (1, "1 s"), (89, "89 s"), (90, "2 min"), (121, "3 min"), (5_399, "90 min"),
    (5_400, "2 h"), (7_201, "3 h"),
  ])
  func `A wait is rounded up`(_ seconds: Int64, _ text: String) {
    #expect(Sample.clock.wait(Sample.now + seconds) == text)
  }

  @Test(arguments: [Int64.min, -1 << 40, 1 << 40, Int64.max])
  func `Times beyond the calendar are told too`(_ time: Int64) {
    #expect(!Sample.clock.long(time).isEmpty)
    #expect(!Sample.clock.short(time).isEmpty)
    #expect(!Sample.clock.age(time).isEmpty)
    #expect(!Sample.clock.wait(time).isEmpty)
    #expect(!Sample.clock.duration(since: time).isEmpty)
  }
}
