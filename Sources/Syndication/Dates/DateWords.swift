/// Vocabulary of dates: months in the languages of feeds, halves of the day, and time zones.
enum DateWords {
  /// The number of a month from 1 to 12. Words are folded as in `DateTokens`.
  static func month(_ word: String) -> Int? { months[word] }

  /// Names of months that are weekdays in another language: `mar. 7 mai`, `Paz, 5 May`.
  static let ambiguousMonths: Set<String> = ["mar", "paz"]

  /// False before noon, true after noon. Ambiguous words count only in capitals.
  static func isAfternoon(_ word: String, isUppercase: Bool) -> Bool? {
    switch word {
    case "am", "오전", "πμ", "ص", "صباحا": false
    case "pm", "오후", "μμ", "م", "مساء": true
    // Vietnamese and Turkish.
    case "sa", "oo": isUppercase ? false : nil
    case "ch", "os": isUppercase ? true : nil
    default: nil
    }
  }

  /// Offset in minutes east of UTC. Military letters but Z have no meaning (RFC 2822 §4.3).
  ///
  /// Shared names have the meaning of RFC 822, or the most frequent one: `IST` is Indian time.
  static func zone(_ word: String, isUppercase: Bool) -> Int? {
    switch word {
    case "z", "gmt", "utc", "ut": 0
    default: isUppercase ? zones[word] : nil
    }
  }

  /// The number of a weekday by its English name, from 1 for Monday to 7 for Sunday.
  static func weekday(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    return names.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
  }

  /// The year before the first year of a Japanese or Taiwanese era.
  static func era(_ name: String) -> Int? {
    switch name {
    case "令和": 2018
    case "平成": 1988
    case "昭和": 1925
    case "大正": 1911
    case "民國", "民国": 1911
    default: nil
    }
  }

  static func isAmerican(zone: String) -> Bool {
    ["edt", "est", "cdt", "mdt", "mst", "pdt", "pst", "akst", "akdt", "hst"].contains(zone)
  }

  /// Standard offset in minutes of a North American zone without a mark of DST: `ET`, `EST5EDT`.
  static func americanZone(_ word: String, next: String?, isUppercase: Bool) -> Int? {
    let isSpelled = next == "time" || next == "standard" || next == "daylight"
    return switch word {
    case "at" where isUppercase, "atlantic" where isSpelled: -240
    case "et" where isUppercase, "eastern" where isSpelled: -300
    case "ct" where isUppercase, "central" where isSpelled: -360
    case "mt" where isUppercase, "mountain" where isSpelled: -420
    case "pt" where isUppercase, "pacific" where isSpelled: -480
    default: nil
    }
  }

  /// Meaning of the number before a word, in Chinese, Japanese and Korean.
  enum Part { case year, month, day, hour, minute, second }

  static func part(_ word: String) -> Part? {
    switch word {
    case "年", "년": .year
    case "月", "월": .month
    case "日", "號", "号", "일": .day
    case "時", "时", "點", "点", "시": .hour
    case "分", "분": .minute
    case "秒", "초": .second
    default: nil
    }
  }

  private static let zones: [String: Int] = [
    "wet": 0, "west": 60, "bst": 60, "ist": 330, "cet": 60, "met": 60, "mez": 60,
    "cest": 120, "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240,
    "trt": 180, "pkt": 300, "npt": 345, "ict": 420, "wib": 420, "jst": 540, "kst": 540, "hkt": 480,
    "sgt": 480, "pht": 480, "myt": 480, "awst": 480, "acst": 570, "aest": 600, "acdt": 630,
    "aedt": 660, "nzst": 720, "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "ast": -240, "adt": -180, "nst": -210,
    "ndt": -150, "akst": -540, "akdt": -480, "hst": -600, "brt": -180, "brst": -120, "art": -180,
    "clt": -240, "cot": -300, "pet": -300, "sast": 120, "cat": 120, "eat": 180, "wat": 60,
    "idt": 180, "gst": 240, "uzt": 300, "yekt": 300, "wita": 480, "wit": 540, "chst": 600,
  ]

  private static let months: [String: Int] = {
    var months: [String: Int] = [:]
    for line in monthNames.split(separator: "\n") {
      for (month, variants) in line.split(separator: " ").enumerated().dropFirst() {
        // If languages use one name for different months, the first language in the list wins.
        for name in variants.split(separator: "|") where months[folded(name)] == nil {
          months[folded(name)] = month
        }
      }
    }
    return months
  }()

  private static func folded(_ name: Substring) -> String {
    var output = ""
    for scalar in name.unicodeScalars {
      if case .letter(let letter, _) = FoldedScalar(scalar) { output.unicodeScalars.append(letter) }
    }
    return output
  }

  /// A line for each language: its name, and the months from January on with bars between variants.
  /// German has Austria's names, Arabic those of Egypt, the Maghreb and the Levant.
  private static let monthNames = """
    English: january|jan february|feb march|mar april|apr may june|jun july|jul august|aug \
    september|sept|sep october|oct november|nov december|dec
    German: januar|jänner|jän februar|feber märz|maerz|mrz|mär april mai juni juli august \
    september oktober|okt november dezember|dez
    French: janvier|janv février|févr|fév mars avril|avr mai juin juillet|juil août|aou septembre \
    octobre novembre décembre|déc
    Spanish: enero|ene febrero marzo abril|abr mayo junio julio agosto|ago \
    septiembre|setiembre|set octubre noviembre diciembre|dic
    Portuguese: janeiro fevereiro|fev março abril maio junho julho agosto setembro outubro|out \
    novembro dezembro
    Italian: gennaio|genn|gen febbraio|febbr marzo aprile maggio|mag giugno|giu luglio|lug agosto \
    settembre|sett ottobre|ott novembre dicembre
    Catalan: gener febrer|febr març abril maig juny juliol agost setembre octubre novembre \
    desembre|des
    Dutch: januari februari maart|mrt april mei juni juli augustus september oktober november \
    december
    Scandinavian: januar|januari februar|februari marts|mars april maj|mai juni juli \
    august|augusti september oktober november desember
    Finnish: tammikuu|tammikuuta|tammikuun|tammi helmikuu|helmikuuta|helmikuun|helmi \
    maaliskuu|maaliskuuta|maaliskuun|maalis huhtikuu|huhtikuuta|huhtikuun|huhti \
    toukokuu|toukokuuta|toukokuun|touko kesäkuu|kesäkuuta|kesäkuun|kesä \
    heinäkuu|heinäkuuta|heinäkuun|heinä elokuu|elokuuta|elokuun|elo \
    syyskuu|syyskuuta|syyskuun|syys lokakuu|lokakuuta|lokakuun|loka \
    marraskuu|marraskuuta|marraskuun|marras joulukuu|joulukuuta|joulukuun|joulu
    Polish: styczeń|stycznia|sty luty|lutego|lut marzec|marca kwiecień|kwietnia|kwi maj|maja \
    czerwiec|czerwca|cze lipiec|lipca|lip sierpień|sierpnia|sie wrzesień|września|wrz \
    październik|października|paź listopad|listopada|lis grudzień|grudnia|gru
    Czech-Slovak: leden|ledna|led|január|januára únor|února|úno|február|februára \
    březen|března|bře|marec duben|dubna|dub|apríla květen|května|kvě|máj|mája \
    červen|června|čvn|jún|júna červenec|července|čvc|júl|júla srpen|srpna|srp|augusta \
    září|zář|septembra říjen|října|říj|októbra listopadu|novembra prosinec|prosince|pro|decembra
    Hungarian: január február március|márc április|ápr május|máj június|jún július|júl augusztus \
    szeptember|szept|szep október november december
    Romanian: ianuarie|ian februarie martie|mart aprilie mai iunie|iun iulie|iul august \
    septembrie octombrie noiembrie|noi decembrie
    Turkish: ocak|oca şubat|şub mart nisan|nis mayıs haziran|haz temmuz|tem ağustos|ağu eylül|eyl \
    ekim|eki kasım|kas aralık|ara
    Indonesian: januari februari maret april mei juni juli agustus|agt september oktober november \
    desember
    Russian: январь|января|янв февраль|февраля|фев|февр март|марта|мар апрель|апреля|апр май|мая \
    июнь|июня|июн июль|июля|июл август|августа|авг сентябрь|сентября|сент|сен октябрь|октября|окт \
    ноябрь|ноября|нояб|ноя декабрь|декабря|дек
    Ukrainian: січень|січня|січ лютий|лютого|лют березень|березня|бер|берез \
    квітень|квітня|кві|квіт травень|травня|тра|трав червень|червня|чер|черв липень|липня|лип \
    серпень|серпня|сер|серп вересень|вересня|вер жовтень|жовтня|жов|жовт \
    листопад|листопада|лис|листоп грудень|грудня|гру|груд
    Bulgarian: януари|яну февруари март април май юни юли август септември октомври ноември|ное \
    декември
    Greek: ιανουάριος|ιανουαρίου|ιαν φεβρουάριος|φεβρουαρίου|φεβ μάρτιος|μαρτίου|μαρ \
    απρίλιος|απριλίου|απρ μάιος|μαΐου|μάι ιούνιος|ιουνίου|ιουν ιούλιος|ιουλίου|ιουλ \
    αύγουστος|αυγούστου|αυγ σεπτέμβριος|σεπτεμβρίου|σεπ οκτώβριος|οκτωβρίου|οκτ \
    νοέμβριος|νοεμβρίου|νοε δεκέμβριος|δεκεμβρίου|δεκ
    Arabic: يناير|جانفي فبراير|فيفري|شباط مارس|آذار أبريل|أفريل|نيسان مايو|ماي|أيار \
    يونيو|يونيه|جوان|حزيران يوليو|يوليه|جويلية|تموز أغسطس|أوت|آب سبتمبر|شتنبر|أيلول أكتوبر نوفمبر \
    ديسمبر
    Persian: ژانویه فوریه مارس آوریل مه ژوئن ژوئیه|جولای اوت سپتامبر اکتبر نوامبر دسامبر
    Hebrew: ינואר|בינואר פברואר|בפברואר מרץ|במרץ אפריל|באפריל מאי|במאי יוני|ביוני יולי|ביולי \
    אוגוסט|באוגוסט ספטמבר|בספטמבר אוקטובר|באוקטובר נובמבר|בנובמבר דצמבר|בדצמבר
    """

  /// Two-word months of the Levant.
  static func month(_ first: String, _ second: String) -> Int? {
    let isFirst = second == "الاول"
    guard isFirst || second == "الثاني" else { return nil }
    switch first {
    case "تشرين": return isFirst ? 10 : 11
    case "كانون": return isFirst ? 12 : 1
    default: return nil
    }
  }
}
