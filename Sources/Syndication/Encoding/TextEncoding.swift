internal import Text

enum TextEncoding: Hashable {
  case utf8
  /// Includes ISO-8859-1 and ASCII, as on the web (WHATWG Encoding).
  case windows1252
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  /// Any other encoding by its display name.
  case named(String)

  /// Fails for an unknown label, and for UTF-7. Only letters and digits count, ignoring case
  /// (WHATWG Encoding, "Names and labels", and the code pages of DOS).
  init?(label: String) {
    guard label.utf8.count <= 64 else { return nil }
    let letters = label.lowercased().utf8.filter { $0.isASCIIDigit || $0.isASCIILetter }
    let key = String(decoding: letters, as: UTF8.self)
    switch key {
    case "utf8", "unicode11utf8", "unicode20utf8", "xunicode20utf8", "utf8n", "cp65001":
      self = .utf8
    // ISO/IEC 10646 has no byte order in its names; big-endian is the default (RFC 2781 §4.3).
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

  var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .windows1252: "windows-1252"
    case .utf16: "UTF-16"
    case .utf32: "UTF-32"
    case .named(let name): name
    }
  }

  /// Names in iconv in order of preference. Web encodings are supersets of what their labels mean
  /// in iconv: its `SHIFT_JIS` lacks the characters of Windows.
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

  var isASCIICompatible: Bool { unitWidth == 1 }

  /// Many documents declare a Western European encoding and have another.
  var isWestern: Bool { self == .windows1252 || self == .named("ISO-8859-15") }

  var unitWidth: Int {
    switch self {
    case .utf16: 2
    case .utf32: 4
    default: 1
    }
  }

  /// Nil for single-byte encodings and for those with escape sequences.
  var doubleByteFamily: DoubleByteFamily? {
    if case .named(let name) = self { DoubleByteFamily(rawValue: name) } else { nil }
  }
}

private let encodingNames: [String: String] = {
  var names: [String: String] = [:]
  for row in webEncodingLabels + otherEncodingLabels {
    for label in row.labels.split(separator: " ") { names[String(label)] = row.name }
  }
  return names
}()

/// Labels of IANA, iconv, Windows and DOS, and misspellings, by hand.
private let otherEncodingLabels: [(name: String, labels: String)] = [
  ("windows-1252", "ansix341986 us iso646us iso646irv1991 isoir6 csascii"),
  ("windows-1252", "cp367 ibm367 win1252 ansi 88591"),
  ("ISO-8859-2", "88592"),
  ("ISO-8859-3", "88593"),
  ("ISO-8859-4", "88594"),
  ("ISO-8859-5", "88595"),
  ("ISO-8859-6", "88596"),
  ("ISO-8859-7", "iso885972003 88597"),
  ("ISO-8859-8", "88598"),
  ("ISO-8859-10", "iso8859101992"),
  ("ISO-8859-13", "isoir179 l7 latin7"),
  ("ISO-8859-14", "isoir199 l8 latin8 isoceltic"),
  ("ISO-8859-15", "csiso885915 isoir203 latin9 latin0"),
  ("ISO-8859-16", "isoir226 l10 latin10"),
  ("windows-874", "tis62025331 cp874 csiso885911"),
  ("windows-1250", "win1250"),
  ("windows-1251", "win1251 1251"),
  ("windows-1253", "win1253"),
  ("windows-1254", "win1254 88599"),
  ("windows-1255", "win1255"),
  ("windows-1256", "win1256"),
  ("windows-1257", "win1257"),
  ("windows-1258", "win1258"),
  ("IBM866", "dos866"),
  ("macintosh", "macroman"),
  ("x-mac-cyrillic", "maccyrillic"),
  ("x-mac-ce", "xmacce maccentraleurope"),
  ("GB18030", "gb23121980 euccn cngb cp936 ms936 windows936 csgb18030 csgbk"),
  ("Big5", "cp950 ms950 windows950 big5eten csbig5hkscs bigfive"),
  ("Shift_JIS", "cp932 cswindows31j windows932"),
  ("EUC-JP", "xeuc eucjpms cp51932 ujis"),
  ("ISO-2022-JP", "csiso2022jp2 iso2022jp2 cp50220 cp50221 jis"),
  ("EUC-KR", "cp949 ms949 uhc xwindows949 ks5601"),
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
