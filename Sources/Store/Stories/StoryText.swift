/// What an article is about, in a form in which two of them can be compared: the words of its title and of the
/// beginning of its text.
struct StoryText: Sendable {
  /// A word of the title.
  struct TitleWord: Sendable {
    var hash: UInt32
    var isNumber: Bool
    /// Whether it is a name by its capital letter, as far as the title tells.
    var seemsName: Bool
    var isUncased: Bool
  }

  /// Each once, in the order of their digests.
  let title: [TitleWord]
  /// Digests of the words of title and text, in order.
  let all: [UInt32]
  /// Those of numbers.
  let numbers: [UInt32]
  /// Those of the names in the text, and in title and text.
  let (namesOfText, names): (Set<UInt32>, Set<UInt32>)
  /// Those that stand somewhere without a capital letter.
  let uncapitalized: Set<UInt32>
  /// Digests of three words each that follow each other in the text, in order.
  let phrases: [UInt32]
  /// What articles of one story are likely to have in common, to be found by.
  let keys: [UInt32]

  /// Bytes of a text that are worth giving to `init`.
  static let leadBytes = 900
  /// Letters of a title and of a text that are looked at, and words of each.
  private static let (titleLetters, titleWords, leadLetters, leadWords) = (300, 40, 700, 60)

  /// - Parameter lead: the beginning of the text, without markup.
  init(title: String, lead: String) {
    let titleWords = StoryWords(title, limit: Self.titleLetters).lazy.filter { !$0.isCommon }
      .prefix(Self.titleWords)
    let leadWords = StoryWords(lead, limit: Self.leadLetters).lazy.filter { !$0.isCommon }
      .prefix(Self.leadWords)
    let (inTitle, inText) = (Array(titleWords), Array(leadWords))
    let isTitleCase = Self.isTitleCase(inTitle)
    func isName(_ word: StoryWords.Word) -> Bool { word.isCapital && !word.isFirst }
    namesOfText = Set(inText.lazy.filter(isName).map(\.hash))
    names =
      isTitleCase
      ? namesOfText : namesOfText.union(inTitle.lazy.filter(isName).map(\.hash))
    uncapitalized = Set(
      (inTitle + inText).lazy.filter { !$0.isCapital && !$0.isNumber && !$0.isUncased }
        .map(\.hash))
    var known: Set<UInt32> = []
    self.title = inTitle.filter { known.insert($0.hash).inserted }
      .map {
        TitleWord(
          hash: $0.hash, isNumber: $0.isNumber, seemsName: $0.isCapital && !isTitleCase,
          isUncased: $0.isUncased)
      }.sorted { $0.hash < $1.hash }
    all = Set((inTitle + inText).map(\.hash)).sorted()
    numbers = Set((inTitle + inText).lazy.filter(\.isNumber).map(\.hash)).sorted()
    phrases = Set(
      inText.indices.dropFirst(2).map { place in
        inText[place - 2...place].reduce(0) { ($0 &* 0x9E37_79B1) ^ ($1.hash &* 0x85EB_CA77) }
      }
    ).sorted()
    keys = Self.keys(title: self.title, names: names, phrases: phrases, text: inText)
  }

  /// Whether a title is written with a capital letter at each word, which says nothing of the words then.
  private static func isTitleCase(_ words: [StoryWords.Word]) -> Bool {
    let within = words.filter { !$0.isFirst && !$0.isNumber && !$0.isUncased }
    return within.count >= 3 && within.count { $0.isCapital } * 4 > within.count * 3
  }

  /// Names and numbers of the title, the rest of its words, then phrases and names of the text: as many of each.
  private static func keys(
    title: [TitleWord], names: Set<UInt32>, phrases: [UInt32], text: [StoryWords.Word]
  ) -> [UInt32] {
    func isTelling(_ word: TitleWord) -> Bool { word.isNumber || names.contains(word.hash) }
    var keys: [UInt32] = []
    func take(_ hashes: some Sequence<UInt32>, _ count: Int) {
      var left = count
      for hash in hashes where left > 0 && !keys.contains(hash) {
        keys.append(hash)
        left -= 1
      }
    }
    take(title.lazy.filter(isTelling).map(\.hash), 4)
    take(title.lazy.filter { !isTelling($0) }.map(\.hash), 7 - keys.count)
    // The smallest digests: texts that share half of their phrases are likely to share one of these.
    take(phrases, 2)
    take(text.lazy.filter { $0.isCapital && !$0.isFirst }.map(\.hash), 3)
    return keys
  }
}
