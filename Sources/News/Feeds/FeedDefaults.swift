/// The values in force where a feed has none of its own, in words: `default: 30 min`.
package struct FeedDefaults: Hashable, Sendable {
  package var settings: [FeedSetting: String]
  package var proxy: String

  package init(settings: [FeedSetting: String], proxy: String) {
    self.settings = settings
    self.proxy = proxy
  }

  /// The feed's own value, else the one in force.
  package func text(of setting: FeedSetting, in feed: FeedSettings) -> String {
    setting.text(in: feed) ?? settings[setting] ?? FeedSetting.none
  }
}
