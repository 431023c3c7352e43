/// How much two articles of different feeds have in common, as a measure of whether they tell one story.
///
/// The measure is a sum of what they share and of what sets them apart, each by a weight that was fitted to labelled
/// articles (`Fixtures/stories`). What sets apart counts much: accidents on one day are told in the same words, and
/// differ in the names and numbers of their titles.
struct StoryComparison: Sendable {
  /// What is measured.
  enum Trait: Int, CaseIterable {
    /// Of the words of both titles, those that both have: 0…1.
    case titles
    /// Of the words of the shorter article, those that the other has: 0…1.
    case shorter
    /// Of the words of both articles, those that both have: 0…1.
    case words
    /// How many words both have.
    case common
    /// Of the words of each title, those that stand anywhere in the other article; the smaller of both: 0…1.
    case mutual
    /// Names in each title that the other article does not have; the smaller count of both.
    case otherNames
    /// Numbers in each title that the other article does not have; the smaller count, at most 3.
    case otherTitleNumbers
    /// Names and numbers that both titles have.
    case titleNames
    /// Of the names of the article with fewer, those that the other has: 0…1.
    case names
    /// Numbers that both have, at most 3.
    case numbers
    /// Numbers of each that the other does not have; the smaller count, at most 3.
    case otherNumbers
    /// Days between them, at most 3.
    case days
  }

  /// By the raw values of `Trait`.
  let values: [Double]
  /// Of the phrases of the shorter text, those that the other has: 0…1.
  let phrases: Double
  /// Phrases of the shorter text.
  let phraseCount: Int

  /// - Parameter seconds: between the dates of both.
  init(_ one: StoryText, _ other: StoryText, seconds: UInt64) {
    let common = Self.common(one.all, other.all).count
    let (ours, theirs) = (one.title.map(\.hash), other.title.map(\.hash))
    let titles = Self.common(ours, theirs).count
    let otherNames = min(
      one.ownTitleNames(beside: other), other.ownTitleNames(beside: one))
    let otherTitleNumbers = min(
      one.ownTitleNumbers(beside: other), other.ownTitleNumbers(beside: one))
    let sharedNames = one.names.intersection(other.names).count
    let numbers = Self.common(one.numbers, other.numbers).count
    let both = Set(one.titleNames(beside: other)).intersection(other.titleNames(beside: one)).count
    phraseCount = min(one.phrases.count, other.phrases.count)
    phrases = Self.share(Self.common(one.phrases, other.phrases).count, of: phraseCount)
    values = [
      Self.share(titles, of: ours.count + theirs.count - titles),
      Self.share(common, of: min(one.all.count, other.all.count)),
      Self.share(common, of: one.all.count + other.all.count - common),
      Double(common),
      min(
        Self.share(Self.common(ours, other.all).count, of: ours.count),
        Self.share(Self.common(theirs, one.all).count, of: theirs.count)),
      Double(otherNames),
      Double(min(otherTitleNumbers, 3)),
      Double(both),
      Self.share(sharedNames, of: min(one.names.count, other.names.count)),
      Double(min(numbers, 3)),
      Double(min(one.numbers.count - numbers, other.numbers.count - numbers, 3)),
      min(Double(seconds) / 86_400, 3),
    ]
  }

  /// Whether both tell one story. In doubt they do not.
  var isOneStory: Bool { isReprint || measure > 0 }

  /// What was added up; above zero for one story.
  var measure: Double {
    zip(values, Self.weights).reduce(Self.threshold) { $0 + $1.0 * $1.1 }
  }

  /// Whether both print one text, shortened maybe and under another title, as newspapers do with that of an agency.
  ///
  /// Forms that are filled in print one text as well. Their titles are alike but for a word or a number each, and so are
  /// no title of the same text; or they have nothing to do with the text, as that which an episode begins with.
  private var isReprint: Bool {
    guard phrases >= 0.6, phraseCount >= 8 else { return false }
    if value(.titles) == 1 { return value(.otherNumbers) == 0 || phrases == 1 }
    return value(.titles) < 0.5 && value(.mutual) >= 0.3 && value(.otherNames) == 0
      && value(.otherTitleNumbers) == 0 && value(.days) < 3
  }

  private func value(_ trait: Trait) -> Double { values[trait.rawValue] }

  /// By the raw values of `Trait`: a logistic regression. `titles` and `words` count against: of two articles that share
  /// as many words, those that hardly differ otherwise are bulletins and other forms that are filled in.
  private static let weights = [
    -9.5, 7.5, -22, 0.5, 4.4, -1, -2.1, 1, 1.2, 1.2, -1.3, -3.2,
  ]
  /// Set so that of the labelled articles none is joined with another story.
  private static let threshold = -4.2

  private static func share(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? Double(part) / Double(whole) : 0
  }

  /// What two lists in order have in common.
  fileprivate static func common(_ one: [UInt32], _ other: [UInt32]) -> [UInt32] {
    var found: [UInt32] = []
    var place = other.startIndex
    for word in one {
      while place < other.endIndex, other[place] < word { place += 1 }
      guard place < other.endIndex else { break }
      if other[place] == word { found.append(word) }
    }
    return found
  }
}

extension StoryText {
  /// Names and numbers of the title. A name is known by a capital letter within a sentence of one of both.
  fileprivate func titleNames(beside other: StoryText) -> [UInt32] {
    title.filter { $0.isNumber || isName($0, beside: other) }.map(\.hash)
  }

  private func isName(_ word: TitleWord, beside other: StoryText) -> Bool {
    guard !word.isNumber, !word.isUncased else { return false }
    if namesOfText.contains(word.hash) || other.namesOfText.contains(word.hash) { return true }
    return word.seemsName && !uncapitalized.contains(word.hash)
      && !other.uncapitalized.contains(word.hash)
  }

  /// How many names of the title the other article does not have.
  fileprivate func ownTitleNames(beside other: StoryText) -> Int {
    let names = title.filter { isName($0, beside: other) }.map(\.hash)
    return names.count - StoryComparison.common(names, other.all).count
  }

  fileprivate func ownTitleNumbers(beside other: StoryText) -> Int {
    let numbers = title.filter(\.isNumber).map(\.hash)
    return numbers.count - StoryComparison.common(numbers, other.all).count
  }
}
