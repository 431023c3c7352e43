package import News

/// Settings of the screen: the preferences that the settings of the program have too, and what is made of others.
@dynamicMemberLookup
package struct ReaderSettings: Hashable, Sendable {
  package var preferences = ReadingPreferences()
  /// Whether signs are of ASCII.
  package var usesAsciiSigns = false
  package var showsPictures = true
  /// The level of unasked fetches on a metered connection, for feeds without a setting of their own.
  package var metered = FeedSettings.Metered.text
  /// Whether feeds have their icons, where the terminal shows pixels.
  package var showsIcons = false
  package var highlights: [Highlight] = []
  package var events = ReaderEvents()
  package var verbs: [Verb] = []
  package var keys = KeyScheme.standard

  package struct Verb: Hashable, Sendable {
    package var name: String
    package var help: String

    package init(_ name: String, help: String) {
      self.name = name
      self.help = help
    }
  }

  package init() {}

  package subscript<Value>(
    dynamicMember path: WritableKeyPath<ReadingPreferences, Value>
  ) -> Value {
    get { preferences[keyPath: path] }
    set { preferences[keyPath: path] = newValue }
  }
}
