internal import Testing

@testable internal import Syndication

/// How long files play, as feeds write it.
@Suite struct DurationTests {
  @Test(arguments: [
    ("1:02:03", 3_723), ("62:03", 3_723), ("3723", 3_723), ("3723.4", 3_723), ("PT1H2M3S", 3_723),
    ("pt1h2m3s", 3_723), ("P0DT1H2M3S", 3_723), ("1h 2m 3s", 3_723), ("1h2m3s", 3_723),
    ("1 hr 2 min 3 sec", 3_723), ("1 hour, 2 minutes and 3 seconds", 3_723), ("62 min", 3_720),
    ("62 min.", 3_720), ("62m", 3_720), ("1.5 hours", 5_400), ("90 Minuten", 5_400), ("45s", 45),
    ("1h02", 3_720), ("1,5 h", 5_400), ("1 Std. 2 Min.", 3_720), ("2 Stunden", 7_200),
    ("1 heure 2 minutes", 3_720), ("1時間2分", 3_720), ("1小时2分钟3秒", 3_723), ("62分", 3_720),
  ])
  func `A duration is read as it is written`(_ text: String, seconds: Int) {
    #expect(EpisodeDuration.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "0", "00:00", "-5", "3,723", "62:03 min", "min", "P", "PT", "5 x", "1m30s40", "2 months",
  ])
  func `What is no duration is none`(_ text: String) {
    #expect(EpisodeDuration.seconds(text) == nil)
  }
}
