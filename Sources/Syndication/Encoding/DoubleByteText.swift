internal import Text

/// Multi-byte encodings in which the order of bytes shows whether they are text.
enum DoubleByteFamily: String, CaseIterable {
  case shiftJIS = "Shift_JIS"
  case eucJP = "EUC-JP"
  case eucKR = "EUC-KR"
  case gb18030 = "GB18030"
  case big5 = "Big5"

  var encoding: TextEncoding { .named(rawValue) }

  static func ofLanguage(_ language: String) -> [DoubleByteFamily] {
    switch language {
    case "ja": [.shiftJIS, .eucJP]
    case "zh": [.gb18030, .big5]
    case "ko": [.eucKR]
    default: []
    }
  }
}

/// Statistics of bytes that are decoded as text of one family.
struct DoubleByteText {
  let family: DoubleByteFamily
  private(set) var characters = 0
  private(set) var errors = 0
  /// 1 for the usual range, more for frequent characters, negative for rare ones.
  private(set) var score = 0
  private(set) var frequent = 0
  /// Characters beside another non-ASCII one: most in East Asian text, few in Western text.
  private(set) var inRows = 0
  var variety: Int { seen.count }

  private var seen: Set<UInt16> = []

  /// - Parameter isCut: whether the text continues after the bytes.
  init(_ bytes: ByteBuffer, as family: DoubleByteFamily, isCut: Bool) {
    self.family = family
    let common = commonCharacters[family] ?? []
    var index = 0
    var row = 0
    while true {
      let isEnd = index >= bytes.count
      if isEnd || bytes[index] < 0x80 {
        if row >= 2 { inRows += row }
        row = 0
        if isEnd { return }
        index += 1
        continue
      }
      let lead = bytes[index]
      let trail = index + 1 < bytes.count ? bytes[index + 1] : nil
      let length = family.length(lead, trail ?? 0)
      if length != 1, trail == nil {
        // The last character of the sample may be incomplete.
        if !isCut { errors += 1 }
        index += 1
        continue
      }
      guard length > 0 else {
        errors += 1
        index += 1
        continue
      }
      characters += 1
      row += 1
      let code = length == 2 ? UInt16(lead) << 8 | UInt16(trail ?? 0) : UInt16(lead)
      seen.insert(code)
      if length <= 2, common.contains(code) {
        frequent += 1
        score += 3
      } else {
        score += family.weight(lead, trail ?? 0, length: length)
        if family.isKana(lead, trail ?? 0) { frequent += 1 }
      }
      index += length
    }
  }

  /// Score of a character in hundredths.
  var average: Int { characters == 0 ? 0 : score * 100 / characters }

  /// At most one character in fifty is invalid, as single bytes are lost now and then.
  var isPossible: Bool { characters > 0 && errors * 50 <= characters }

  var isInRows: Bool { inRows * 10 >= characters * 6 }

  /// Whether the bytes cannot be other text: there are many distinct characters.
  var isPlain: Bool {
    isPossible && characters >= 12 && variety >= 8 && inRows * 10 >= characters * 8
      && average >= 120 && frequent * 8 >= characters
  }
}

extension DoubleByteFamily {
  /// Length in bytes of the character with these first two bytes; 0 for none.
  fileprivate func length(_ lead: UInt8, _ trail: UInt8) -> Int {
    switch self {
    case .shiftJIS:
      if (0xA1...0xDF).contains(lead) { return 1 }
      let isLead = (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead)
      return isLead && trail >= 0x40 && trail != 0x7F && trail <= 0xFC ? 2 : 0
    case .eucJP:
      if lead == 0x8E { return (0xA1...0xDF).contains(trail) ? 2 : 0 }
      if lead == 0x8F { return trail >= 0xA1 ? 3 : 0 }
      return lead >= 0xA1 && lead != 0xFF && trail >= 0xA1 && trail != 0xFF ? 2 : 0
    case .eucKR:
      guard lead >= 0x81, lead <= 0xFE, trail <= 0xFE else { return 0 }
      if trail >= 0xA1 { return 2 }
      // Syllables that Windows has added (Unified Hangul Code).
      let isAdded =
        (0x41...0x5A).contains(trail) || (0x61...0x7A).contains(trail) || trail >= 0x81
      return lead <= 0xC6 && isAdded ? 2 : 0
    case .gb18030:
      guard lead >= 0x81, lead <= 0xFE else { return 0 }
      if trail.isASCIIDigit { return 4 }
      return trail >= 0x40 && trail != 0x7F && trail <= 0xFE ? 2 : 0
    case .big5:
      guard lead >= 0x81, lead <= 0xFE else { return 0 }
      return (0x40...0x7E).contains(trail) || (0xA1...0xFE).contains(trail) ? 2 : 0
    }
  }

  /// Score of an infrequent character: the first levels of hanzi and kanji and the syllables of KS
  /// X 1001 are usual, signs are neutral, and all others are rare.
  fileprivate func weight(_ lead: UInt8, _ trail: UInt8, length: Int) -> Int {
    if isKana(lead, trail) { return 2 }
    switch self {
    case .shiftJIS:
      if length == 1 { return -1 }
      if (0x88...0x97).contains(lead) || lead == 0x98 && trail <= 0x72 { return 1 }
      return (0x81...0x82).contains(lead) ? 0 : -1
    case .eucJP:
      if length == 3 || lead == 0x8E { return -2 }
      if (0xB0...0xCF).contains(lead) { return 1 }
      return (0xA1...0xA3).contains(lead) ? 0 : -1
    case .eucKR:
      if trail < 0xA1 { return -2 }
      if (0xB0...0xC8).contains(lead) { return 1 }
      return lead == 0xA1 || lead == 0xA3 ? 0 : -1
    case .gb18030:
      if length == 4 { return -2 }
      if trail < 0xA1 { return -1 }
      // The kana have the same bytes as in EUC-JP, so they distinguish neither encoding.
      if lead == 0xA4 || lead == 0xA5 { return 2 }
      if (0xB0...0xD7).contains(lead) { return 1 }
      return lead == 0xA1 || lead == 0xA3 ? 0 : -1
    case .big5:
      if (0xA4...0xC6).contains(lead) { return 1 }
      return (0xA1...0xA3).contains(lead) ? 0 : -1
    }
  }

  fileprivate func isKana(_ lead: UInt8, _ trail: UInt8) -> Bool {
    switch self {
    case .shiftJIS:
      lead == 0x82 && (0x9F...0xF1).contains(trail) || lead == 0x83 && (0x40...0x96).contains(trail)
    case .eucJP: (lead == 0xA4 || lead == 0xA5) && trail >= 0xA1
    case .eucKR, .gb18030, .big5: false
    }
  }
}

/// The most frequent characters, about half of a news text. Written by hand for Telex.
private let commonCharacters: [DoubleByteFamily: Set<UInt16>] = {
  let simplified = """
    的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能\
    好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法\
    此实回二理美点月明其种全工己话者向情部正名定女问力机给等几很业最间新打便位因重被走电四第门相次东政海口使教西再平真世气信\
    北少关并内加化由军产入先山五万水市京议闻报社区网记总统今举参今技术
    """
  let traditional = """
    的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能\
    好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法\
    此實回二理美點月明其種全工己話者向情部正名定女問力機給等幾很業最間新打便位因重被走電四第門相次東政海口使教西再平真世氣信\
    北少關並內加化由軍產入先山五萬水市京議聞報社區網記總統今舉參技術臺灣
    """
  let kanji = """
    日一国人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開\
    手米力学問高代明実円関決子動京全目表戦経通外最言現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七期公野\
    協取都和以機平総加山思家話世受区多県進正安設保改数記初女北指権心界支第産結百点教報書府活原先共得解名交資向際査勝面会電車
    """
  let syllables = """
    이다는에의을가고하를로은지한도서사기자인리어시대부아정전해수나들원스일보그라국으성주장제만여공있조것게소상구면비과동요\
    관업경미문신연진당세화생모등계선회통무거안물니우발와적합치까했민학명방금위점행오개년월
    """
  let marks = "，。、"
  let japanese = kanji + "、。ーのにはをたがでてとしれさいるなも"
  let texts: [(DoubleByteFamily, String)] = [
    (.gb18030, simplified + traditional + marks), (.big5, traditional + marks),
    (.shiftJIS, japanese), (.eucJP, japanese), (.eucKR, syllables),
  ]
  return Dictionary(
    uniqueKeysWithValues: texts.map { family, text in
      let pairs = codes(of: text, in: family.encoding).filter { $0.count == 2 }
      return (family, Set(pairs.map { UInt16($0[0]) << 8 | UInt16($0[1]) }))
    })
}()
