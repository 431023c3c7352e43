import News
import Testing

@Suite struct PackingTests {
  private static let cases: [(budget: Int64, fetched: Int64, files: Int64, room: Int64)] = [
    (.max, 0, .max, 0), (.max, 1 << 62, 1 << 61, (1 << 61) - 1), (.max, .max, .max, -.max),
    (200, 150, 60, -10),
  ]

  @Test(arguments: cases)
  func `The room that is left is counted up to the largest budget`(
    budget: Int64, fetched: Int64, files: Int64, room: Int64
  ) {
    var report = PackingReport()
    (report.bytes, report.fileBytes) = (fetched, files)
    #expect(report.room(within: PackingBounds(seconds: 60, bytes: budget)) == room)
  }
}
