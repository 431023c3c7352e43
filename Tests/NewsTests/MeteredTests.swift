import Foundation
import News
import Testing

@Suite struct MeteredTests {
  @Test func `A level has those before it`() {
    let levels = FeedSettings.Metered.allCases
    for (index, level) in levels.enumerated() {
      #expect(levels.map(level.includes) == levels.indices.map { $0 <= index })
    }
  }

  @Test func `The setting of a feed takes a level, and the default`() throws {
    var settings = FeedSettings()
    try FeedSetting.metered.set("pictures", in: &settings)
    #expect(settings.metered == .pictures)
    #expect(FeedSetting.metered.text(in: settings) == "pictures")
    let stored = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(FeedSettings.self, from: stored) == settings)
    #expect(throws: SourceError.self) { try FeedSetting.metered.set("some", in: &settings) }
    try FeedSetting.metered.set("default", in: &settings)
    #expect(settings == FeedSettings())
  }
}
