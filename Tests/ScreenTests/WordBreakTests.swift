import Screen
import Testing

/// Lines of scripts that have no spaces between words.
@Suite struct WordBreakTests {
  @Test(arguments: [
    "ภาษา|ไทย|เป็น|ภาษา|ที่|มี|ระดับ|เสียง|ของ|คำ|แน่นอน",
    "ພາສາ|ລາວ|ເປັນ|ພາສາ|ທີ່|ໃຊ້|ໃນ|ປະເທດ|ລາວ",
    "ភាសាខ្មែរ|គឺជា|ភាសាជាតិ|របស់|ប្រទេស|កម្ពុជា",
    "မြန်မာဘာသာ|စကား|သည်|မြန်မာနိုင်ငံ၏ရုံးသုံးဘာသာ|စကား",
  ])
  func `Lines end between words that no space separates`(text: String) {
    let words = text.split(separator: "|")
    let longest = words.map { TextWidth.columns(of: $0) }.max() ?? 0
    var ends: Set<Int> = [0]
    for word in words { ends.insert((ends.max() ?? 0) + word.utf8.count) }
    for width in [longest, longest + 5] {
      let lines = TextWrapping.lines(of: words.joined(), width: width)
      #expect(lines.count > 1)
      #expect(lines.allSatisfy { ends.contains($0.end) && $0.columns <= width })
    }
  }

  @Test func `Words of such a script end beside other letters, too`() {
    #expect(
      TextWrapping.wrap("Swift คือภาษาโปรแกรม (2014)", width: 16).map(String.init) == [
        "Swift คือภาษา", "โปรแกรม (2014)",
      ])
  }

  @Test(arguments: [
    // A vowel that has a column, and belongs to the letter before it.
    "กำกำกำกำกำกำกำ",
    // A consonant below another one.
    "ក្កក្កក្កក្កក្កក្ក", "က္ကက္ကက္ကက္ကက္က",
    // Spacing vowel signs.
    "किकिकिकिकिकि",
  ])
  func `A word longer than the line is broken between characters only`(text: String) {
    for width in 2...7 {
      let lines = TextWrapping.wrap(text, width: width)
      #expect(lines.joined() == text)
      for line in lines {
        #expect(TextWidth.columns(of: line) <= width)
        #expect(line.first == text.first, "width \(width): \(line)")
      }
    }
  }
}
