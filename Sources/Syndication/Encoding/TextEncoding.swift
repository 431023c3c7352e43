internal import Text

/// An encoding that a feed can arrive in.
enum TextEncoding: Hashable {
  case utf8
  /// Stands for ISO-8859-1 and ASCII too, as on the web (WHATWG Encoding).
  case windows1252
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  /// Any other, by the name that is shown; `converterNames` tells what iconv knows it by.
  case named(String)

  /// What a label in a declaration or a media type stands for (WHATWG Encoding, "Names and labels",
  /// and the code pages of DOS); nil for what is not known or, as UTF-7, is not to be read.
  ///
  /// Case, quotes, spaces, hyphens and underscores make no difference.
  init?(label: String) {
    guard label.utf8.count <= 64 else { return nil }
    let letters = label.lowercased().utf8.filter { $0.isASCIIDigit || $0.isASCIILetter }
    let key = String(decoding: letters, as: UTF8.self)
    switch key {
    case "utf8", "unicode11utf8", "unicode20utf8", "xunicode20utf8", "utf8n", "cp65001":
      self = .utf8
    // ISO/IEC 10646's names say no byte order; what has no mark and no pattern is big-endian
    // (RFC 2781 §4.3).
    case "utf16", "utf16be", "ucs2", "iso10646ucs2", "csunicode", "unicodefffe":
      self = .utf16(isBigEndian: true)
    case "utf16le", "unicode", "unicodefeff": self = .utf16(isBigEndian: false)
    case "utf32", "utf32be", "ucs4", "iso10646ucs4", "ucs4be": self = .utf32(isBigEndian: true)
    case "utf32le", "ucs4le": self = .utf32(isBigEndian: false)
    default:
      guard let name = encodingNames[key] else { return nil }
      self = name == "windows-1252" ? .windows1252 : .named(name)
    }
  }

  /// The name that is shown to the user.
  var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .windows1252: "windows-1252"
    case .utf16: "UTF-16"
    case .utf32: "UTF-32"
    case .named(let name): name
    }
  }

  /// What iconv may know the encoding by, the best first.
  ///
  /// The web's encodings are supersets of what their labels once named, and what iconv calls by
  /// those labels is the strict old set: `SHIFT_JIS` does not have the characters of Windows.
  var converterNames: [String] {
    guard case .named(let name) = self else { return [] }
    return switch name {
    case "Shift_JIS": ["CP932", "SHIFT_JIS"]
    case "EUC-JP": ["EUC-JP-MS", "EUC-JP"]
    case "ISO-2022-JP": ["ISO-2022-JP-3", "ISO-2022-JP-2", "ISO-2022-JP"]
    case "EUC-KR": ["CP949", "EUC-KR"]
    case "Big5": ["CP950", "BIG5", "BIG5-HKSCS"]
    case "windows-874": ["CP1162", "WINDOWS-874", "CP874", "TIS-620"]
    case "macintosh": ["MACINTOSH", "MACROMAN"]
    case "x-mac-cyrillic": ["MAC-UK", "MACUKRAINE", "MAC-CYRILLIC", "MACCYRILLIC"]
    case "x-mac-ce": ["MAC-CENTRALEUROPE", "MACCENTRALEUROPE"]
    case "IBM866": ["CP866", "IBM866"]
    default: name.hasPrefix("windows-") ? ["CP" + name.dropFirst(8), name] : [name]
    }
  }

  /// Whether every ASCII byte stands for itself, so that a document in it begins like one in UTF-8.
  var isASCIICompatible: Bool { unitWidth == 1 }

  /// Whether its letters are those of Western Europe. Many documents claim it that are in another.
  var isWestern: Bool { self == .windows1252 || self == .named("ISO-8859-15") }

  /// How many bytes an ASCII character takes.
  var unitWidth: Int {
    switch self {
    case .utf16: 2
    case .utf32: 4
    default: 1
    }
  }

  /// How its characters of several bytes are made; nil where there are none, or by escapes.
  var doubleByteFamily: DoubleByteFamily? {
    switch self {
    case .named("Shift_JIS"): .shiftJIS
    case .named("EUC-JP"): .eucJP
    case .named("EUC-KR"): .eucKR
    case .named("GB18030"): .gb18030
    case .named("Big5"): .big5
    default: nil
    }
  }
}

/// The labels without all that is no letter or digit, and the encodings they stand for.
private let encodingNames: [String: String] = {
  let table: [(name: String, labels: String)] = [
    (
      "windows-1252",
      """
      ansix341968 ansix341986 ascii usascii us iso646us iso646irv1991 isoir6 csascii cp367 ibm367 \
      cp1252 windows1252 win1252 xcp1252 ansi cp819 ibm819 csisolatin1 iso88591 iso885911987 isoir100 \
      l1 latin1 88591
      """
    ),
    ("ISO-8859-2", "csisolatin2 iso88592 iso885921987 isoir101 l2 latin2 88592"),
    ("ISO-8859-3", "csisolatin3 iso88593 iso885931988 isoir109 l3 latin3 88593"),
    ("ISO-8859-4", "csisolatin4 iso88594 iso885941988 isoir110 l4 latin4 88594"),
    ("ISO-8859-5", "csisolatincyrillic cyrillic iso88595 iso885951988 isoir144 88595"),
    (
      "ISO-8859-6",
      """
      arabic asmo708 csiso88596e csiso88596i csisolatinarabic ecma114 iso88596 iso885961987 \
      iso88596e iso88596i isoir127 88596
      """
    ),
    (
      "ISO-8859-7",
      """
      csisolatingreek ecma118 elot928 greek greek8 iso88597 iso885971987 iso885972003 isoir126 \
      suneugreek 88597
      """
    ),
    (
      "ISO-8859-8",
      """
      csiso88598e csiso88598i csisolatinhebrew hebrew iso88598 iso885981988 iso88598e iso88598i \
      isoir138 visual logical 88598
      """
    ),
    ("ISO-8859-10", "csisolatin6 iso885910 iso8859101992 isoir157 l6 latin6"),
    ("ISO-8859-13", "iso885913 isoir179 l7 latin7"),
    ("ISO-8859-14", "iso885914 isoir199 l8 latin8 isoceltic"),
    ("ISO-8859-15", "csisolatin9 csiso885915 iso885915 isoir203 l9 latin9 latin0"),
    ("ISO-8859-16", "iso885916 isoir226 l10 latin10"),
    ("windows-874", "dos874 iso885911 tis620 tis62025331 windows874 cp874 csiso885911"),
    ("windows-1250", "cp1250 windows1250 win1250 xcp1250"),
    ("windows-1251", "cp1251 windows1251 win1251 xcp1251 1251"),
    ("windows-1253", "cp1253 windows1253 win1253 xcp1253"),
    (
      "windows-1254",
      "cp1254 windows1254 win1254 xcp1254 csisolatin5 iso88599 iso885991989 isoir148 l5 latin5 88599"
    ),
    ("windows-1255", "cp1255 windows1255 win1255 xcp1255"),
    ("windows-1256", "cp1256 windows1256 win1256 xcp1256"),
    ("windows-1257", "cp1257 windows1257 win1257 xcp1257"),
    ("windows-1258", "cp1258 windows1258 win1258 xcp1258"),
    ("KOI8-R", "cskoi8r koi koi8 koi8r"),
    ("KOI8-U", "koi8u koi8ru"),
    ("IBM866", "866 cp866 csibm866 ibm866 dos866"),
    ("macintosh", "csmacintosh mac macintosh xmacroman macroman"),
    ("x-mac-cyrillic", "xmaccyrillic xmacukrainian maccyrillic"),
    ("x-mac-ce", "xmacce maccentraleurope"),
    (
      "GB18030",
      """
      gb18030 gbk xgbk gb2312 gb23121980 chinese csgb2312 csiso58gb231280 gb231280 isoir58 euccn \
      cngb cp936 ms936 windows936 csgb18030 csgbk
      """
    ),
    (
      "Big5",
      "big5 big5hkscs cnbig5 csbig5 xxbig5 cp950 ms950 windows950 big5eten csbig5hkscs bigfive"
    ),
    (
      "Shift_JIS",
      "csshiftjis ms932 mskanji shiftjis sjis windows31j xsjis cp932 cswindows31j windows932"
    ),
    ("EUC-JP", "cseucpkdfmtjapanese eucjp xeucjp xeuc eucjpms cp51932 ujis"),
    ("ISO-2022-JP", "csiso2022jp iso2022jp csiso2022jp2 iso2022jp2 cp50220 cp50221 jis"),
    (
      "EUC-KR",
      """
      cseuckr csksc56011987 euckr isoir149 korean ksc56011987 ksc56011989 ksc5601 windows949 cp949 \
      ms949 uhc xwindows949 ks5601
      """
    ),
    ("CP437", "cp437 ibm437 437 cspc8codepage437"),
    ("CP850", "cp850 ibm850 850 cspc850multilingual"),
    ("CP852", "cp852 ibm852 852 cspcp852"),
    ("CP855", "cp855 ibm855 855"),
    ("CP857", "cp857 ibm857 857"),
    ("CP858", "cp858 ibm858"),
    ("CP862", "cp862 ibm862"),
    ("CP865", "cp865 ibm865"),
    ("CP737", "cp737 ibm737"),
    ("CP775", "cp775 ibm775"),
    ("VISCII", "viscii csviscii"),
    ("TCVN", "tcvn tcvn57121 tcvn57121993"),
    ("ARMSCII-8", "armscii8"),
    ("KOI8-T", "koi8t"),
  ]
  var names: [String: String] = [:]
  for row in table {
    for label in row.labels.split(separator: " ") { names[String(label)] = row.name }
  }
  return names
}()
