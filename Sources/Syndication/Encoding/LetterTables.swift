internal import CIconv
internal import Text

/// Letter statistics of a script other than Latin in one encoding, written by hand for Telex.
struct Script {
  var encoding: TextEncoding
  var frequent: Set<UInt8>
  var letters: Set<UInt8>
  /// Usual percentage of the frequent letters among the bytes from 0x80.
  var usualShare: Int

  init(_ name: String, frequent: String, letters: String, usualShare: Int) {
    encoding = .named(name)
    self.frequent = bytes(of: frequent, in: encoding)
    self.letters = bytes(of: letters, in: encoding)
    self.usualShare = usualShare
  }

  static let all: [Script] = {
    let greek = "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"
    let hebrew = "אבגדהוזחטיכלמנסעפצקרשתםןץףך"
    let arabic = "ابتثجحخدذرزسشصضطظعغفقكلمنهويءأإآؤئىةپچژگکٹڈڑںھہے،؟ـ"
    let thai = String(
      String.UnicodeScalarView((0xE01...0xE3A).compactMap { Unicode.Scalar($0) })
        + String.UnicodeScalarView((0xE40...0xE4E).compactMap { Unicode.Scalar($0) }))
    let commonArabic = "اليمنورتبه"
    return [
      Script(
        "windows-1253", frequent: "αοιετσνηυρςάέήίόύώ", letters: greek + greek.uppercased(),
        usualShare: 71),
      Script("windows-1255", frequent: "יוהלארתשמב", letters: hebrew, usualShare: 68),
      Script("windows-1256", frequent: commonArabic, letters: arabic, usualShare: 62),
      Script("ISO-8859-6", frequent: commonArabic, letters: arabic, usualShare: 62),
      Script("windows-874", frequent: "านรอกเง่มยล้ัวทสตีคไ", letters: thai, usualShare: 68),
    ]
  }()
}

/// Non-ASCII letters and frequent words of a language in Latin script, written by hand for Telex.
/// The words of languages outside windows-1252 occur in no Western European language.
struct LatinLanguage {
  var code: String
  var encoding: TextEncoding
  var letters: Set<UInt8>
  /// Letters whose bytes are other characters in windows-1252.
  var tellingLetters: Set<UInt8>
  var words: [[UInt8]]

  init(_ code: String, _ encoding: TextEncoding, letters: String, words: String) {
    self.code = code
    self.encoding = encoding
    let both = letters + letters.uppercased()
    self.letters = bytes(of: both, in: encoding)
    let scalars = Set(both.unicodeScalars.map(\.value))
    tellingLetters = self.letters.filter { !scalars.contains(scalar1252($0)) }
    let text = codes(of: words, in: encoding).flatMap { $0 }
    self.words = text.split(separator: UInt8(ascii: " ")).map(Array.init)
  }

  /// Languages that windows-1252 does not cover.
  static let others =
    languages(
      in: [.named("windows-1250"), .named("ISO-8859-2")],
      """
      pl ąćęłńóśźż nie się jest że przez oraz jak dla może tym już który został więc są
      cs áčďéěíňóřšťúůýž že jako jsou podle které který není byl až při jsem nebo bude jeho jen
      sk áäčďéíľĺňóôŕšťúýž že ako sú podľa ktoré ktorý bol aj pri alebo však kde bude iba bola
      sl čšž ki bi pri tudi kot še že za ter tako lahko bil bila samo
      hr čćđšž koji što kao nije iz bi će za su koja samo prema nakon kako
      hu áéíóöőúüű és az hogy nem egy volt csak már vagy ez még új kell után lesz azt szerint
      ro ăâîşţ şi în din pe pentru că sau fost după prin această către nu cu
      """)
    + languages(
      in: [.named("windows-1254")],
      """
      tr çğıöşüâîİ ve bir bu için ile çok daha olarak olan gibi kadar sonra değil
      """)
    + languages(
      in: [.named("windows-1257")],
      """
      lt ąčęėįšųūž kad yra iš kaip apie buvo nuo jau dėl taip jis tik bus
      lv āčēģīķļņšūž kas arī nav uz tika pēc jau tiek bija kā vai tās ir
      """)

  /// The code of a language in the table. Bosnian and Serbian share the entry of Croatian.
  static func code(of language: String?) -> String? {
    guard let language else { return nil }
    let code = language == "bs" || language == "sr" ? "hr" : language
    return others.contains { $0.code == code } ? code : nil
  }

  /// English contains names of all languages, so any letter may occur.
  static let english = LatinLanguage(
    "en", .windows1252, letters: "",
    words: "the of and for with that this are was has its from by be it an")

  /// Languages that windows-1252 covers.
  static let western = languages(
    in: [.windows1252],
    """
    de äöüß der die und ist das nicht mit von den für ein auf
    fr àâæçéèêëîïôùûüœÿ le la les des est une dans pour que qui pas sur
    es áéíóúñüªº la los las que con una por para del como está
    pt áâãàçéêíóôõúüªº que não uma com para os do da em dos mais
    it àèéìíòóùúîªº il di che la per una non del con sono della più
    ca àçèéíïòóúü la que els amb per una del les als
    nl éëïöüèáóç het een en dat niet met voor op zijn wordt
    sv åäöéàü och att det som en på är för inte av
    fi åäöšž ja on ei että se oli mutta kun ovat
    da æøåéèêóòôü og at det er en på som til for ikke af av
    is áðéíóúýþæö og að er í á sem ekki við um til
    et äöõüšž on ja ei see et kui oma ka mis
    sq çë të dhe për në një që me nga
    fo áðíóúýæø og at er í á sum ikki við um til
    ga áéíóú an na agus ar go mar
    gd àèìòùé an na agus air tha
    cy âêîôûáéïäëö yn mae ar ac gan wedi
    af êëéïôûöüè die en van nie het met vir op
    gl áéíóúñüçïªº que do da para non os as unha
    br êñùôéâüî ar an ha gant war hag zo
    oc àáèéíïòóúçüñ lo los las amb per que dins
    lb äëéüöèêîôû an den ass fir net vun mat och
    rm àèéìòùöüäâêî da il la per che cun ina
    wa åâçéèêîôû les des po dins ene est avou
    fur àâçèêìîòôùû il di che la par une cun dal lis no
    """)

  /// - Parameter table: a line for each language: its code, letters and words.
  private static func languages(in encodings: [TextEncoding], _ table: String) -> [LatinLanguage] {
    table.split(separator: "\n").flatMap { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      return encodings.map { LatinLanguage(parts[0], $0, letters: parts[1], words: parts[2]) }
    }
  }
}

/// The codes of the characters that the encoding has.
func codes(of text: String, in encoding: TextEncoding) -> [[UInt8]] {
  let names = encoding == .windows1252 ? ["CP1252"] : encoding.converterNames
  guard let descriptor = names.lazy.compactMap({ openConverter(to: $0, from: "UTF-8") }).first
  else {
    return []
  }
  defer { iconv_close(descriptor) }
  return text.unicodeScalars.compactMap { convert(Array(String($0).utf8), with: descriptor) }
}

/// Non-ASCII codes in a single-byte encoding: the capital of “ß” is “SS”.
private func bytes(of text: String, in encoding: TextEncoding) -> Set<UInt8> {
  Set(codes(of: text, in: encoding).filter { $0.count == 1 && $0[0] >= 0x80 }.flatMap { $0 })
}
