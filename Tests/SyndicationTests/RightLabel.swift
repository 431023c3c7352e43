import Testing

/// Text whose bytes are in the encoding that its label names.
struct RightLabel: CustomTestStringConvertible, Sendable {
  var label: String
  var language: String
  var text: String
  var bytes: [UInt8]

  var languages: [String] { ["", "en", language] }
  var testDescription: String { "\(text.prefix(24)) by \(label)" }

  static let all = [
    RightLabel(
      label: "windows-1252", language: "de",
      text:
        "Heute fand in München eine Konferenz über Umweltschutz statt. „Äußerst“ schön: Größe, Spaß, Übermaß.",
      bytes: bytes(
        """
        48657574652066616E6420696E204DFC6E6368656E2065696E65204B6F6E666572656E7A20FC6265 \
        7220556D77656C7473636875747A2073746174742E2084C475DF657273749320736368F66E3A2047 \
        72F6DF652C20537061DF2C20DC6265726D61DF2E
        """)),
    RightLabel(
      label: "iso-8859-15", language: "de",
      text:
        "Heute fand in München eine Konferenz über Umweltschutz statt. Äußerst schön: Größe, Spaß, Übermaß.",
      bytes: bytes(
        """
        48657574652066616E6420696E204DFC6E6368656E2065696E65204B6F6E666572656E7A20FC6265 \
        7220556D77656C7473636875747A2073746174742E20C475DF6572737420736368F66E3A204772F6 \
        DF652C20537061DF2C20DC6265726D61DF2E
        """)),
    RightLabel(
      label: "windows-1252", language: "fr",
      text: "L’ÉTÉ À ORLÉANS : ÉLÈVES RÉCOMPENSÉS, ŒUVRES CRÉÉES, DÉÇUS, HÔPITAL FERMÉ, «À LA UNE»",
      bytes: bytes(
        """
        4C92C954C920C0204F524CC9414E53203A20C94CC85645532052C9434F4D50454E53C9532C208C55 \
        56524553204352C9C945532C2044C9C755532C2048D4504954414C204645524DC92C20ABC0204C41 \
        20554E45BB
        """)),
    RightLabel(
      label: "windows-1250", language: "pl",
      text: "Dzisiaj w Łodzi odbyła się konferencja: żółte gęsi i źdźbło. ŻÓŁĆ ŚWIĘŻE ŁÓDŹ",
      bytes: bytes(
        """
        447A697369616A207720A36F647A69206F646279B361207369EA206B6F6E666572656E636A613A20 \
        BFF3B374652067EA73692069209F649F62B36F2E20AFD3A3C6208C5749CAAF4520A3D3448F
        """)),
    RightLabel(
      label: "iso-8859-2", language: "pl",
      text: "Dzisiaj w Łodzi odbyła się konferencja: żółte gęsi i źdźbło. ŻÓŁĆ ŚWIĘŻE ŁÓDŹ",
      bytes: bytes(
        """
        447A697369616A207720A36F647A69206F646279B361207369EA206B6F6E666572656E636A613A20 \
        BFF3B374652067EA7369206920BC64BC62B36F2E20AFD3A3C620A65749CAAF4520A3D344AC
        """)),
    RightLabel(
      label: "windows-1254", language: "tr",
      text: "Bugün İstanbul’da çevre konulu bir konferans düzenlendi, ığdır şişli, GÜÇLÜ ÖĞÜŞ",
      bytes: bytes(
        """
        427567FC6E20DD7374616E62756C92646120E765767265206B6F6E756C7520626972206B6F6E6665 \
        72616E732064FC7A656E6C656E64692C20FDF064FD7220FE69FE6C692C2047DCC74CDC20D6D0DCDE
        """)),
    RightLabel(
      label: "windows-1253", language: "el",
      text: "Σήμερα στην Αθήνα έγινε συνέδριο για θέματα οικολογίας και ανάπτυξης. ΝΕΑ ΤΗΣ ΗΜΕΡΑΣ",
      bytes: bytes(
        """
        D3DEECE5F1E120F3F4E7ED20C1E8DEEDE120DDE3E9EDE520F3F5EDDDE4F1E9EF20E3E9E120E8DDEC \
        E1F4E120EFE9EAEFEBEFE3DFE1F220EAE1E920E1EDDCF0F4F5EEE7F22E20CDC5C120D4C7D320C7CC \
        C5D1C1D3
        """)),
    RightLabel(
      label: "iso-8859-7", language: "el",
      text: "Σήμερα στην Αθήνα έγινε συνέδριο για θέματα οικολογίας και ανάπτυξης. ΝΕΑ ΤΗΣ ΗΜΕΡΑΣ",
      bytes: bytes(
        """
        D3DEECE5F1E120F3F4E7ED20C1E8DEEDE120DDE3E9EDE520F3F5EDDDE4F1E9EF20E3E9E120E8DDEC \
        E1F4E120EFE9EAEFEBEFE3DFE1F220EAE1E920E1EDDCF0F4F5EEE7F22E20CDC5C120D4C7D320C7CC \
        C5D1C1D3
        """)),
    RightLabel(
      label: "windows-1251", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: bytes(
        """
        D1C5C3CEC4CDDF20C220CCCED1CAC2C520CFD0CED8CBC020CACECDD4C5D0C5CDD6C8DF20CFCE20C2 \
        CECFD0CED1C0CC20DDCACECBCEC3C8C820C820D0C0C7C2C8D2C8DF
        """)),
    RightLabel(
      label: "koi8-r", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: bytes(
        """
        F3E5E7EFE4EEF120F720EDEFF3EBF7E520F0F2EFFBECE120EBEFEEE6E5F2E5EEE3E9F120F0EF20F7 \
        EFF0F2EFF3E1ED20FCEBEFECEFE7E9E920E920F2E1FAF7E9F4E9F1
        """)),
    RightLabel(
      label: "ibm866", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: bytes(
        """
        9185838E848D9F2082208C8E918A8285208F908E988B80208A8E8D948590858D96889F208F8E2082 \
        8E8F908E91808C209D8A8E8B8E838888208820908087828892889F
        """)),
    RightLabel(
      label: "x-mac-cyrillic", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: bytes(
        """
        9185838E848D9F2082208C8E918A8285208F908E988B80208A8E8D948590858D96889F208F8E2082 \
        8E8F908E91808C209D8A8E8B8E838888208820908087828892889F
        """)),
    RightLabel(
      label: "windows-1255", language: "he",
      text: "היום התקיים בירושלים כנס בנושא איכות הסביבה והפיתוח.",
      bytes: bytes(
        """
        E4E9E5ED20E4FAF7E9E9ED20E1E9F8E5F9ECE9ED20EBF0F120E1F0E5F9E020E0E9EBE5FA20E4F1E1 \
        E9E1E420E5E4F4E9FAE5E72E
        """)),
    RightLabel(
      label: "windows-874", language: "th",
      text: "วันนี้มีการประชุมเรื่องสิ่งแวดล้อมและการพัฒนาที่กรุงเทพ นายกรัฐมนตรีกล่าวว่า รัฐบาลจะดำเนินการ",
      bytes: bytes(
        """
        C7D1B9B9D5E9C1D5A1D2C3BBC3D0AAD8C1E0C3D7E8CDA7CAD4E8A7E1C7B4C5E9CDC1E1C5D0A1D2C3 \
        BED1B2B9D2B7D5E8A1C3D8A7E0B7BE20B9D2C2A1C3D1B0C1B9B5C3D5A1C5E8D2C7C7E8D220C3D1B0 \
        BAD2C5A8D0B4D3E0B9D4B9A1D2C3
        """)),
    RightLabel(
      label: "gbk", language: "zh",
      text: "动漫歌词：さくらさくらやよいのそらはみわたすかぎり 日本樱花歌曲下载试听",
      bytes: bytes(
        """
        B6AFC2FEB8E8B4CAA3BAA4B5A4AFA4E9A4B5A4AFA4E9A4E4A4E8A4A4A4CEA4BDA4E9A4CFA4DFA4EF \
        A4BFA4B9A4ABA4AEA4EA20C8D5B1BED3A3BBA8B8E8C7FACFC2D4D8CAD4CCFD
        """)),
    RightLabel(
      label: "gb2312", language: "zh",
      text: "饕餮魑魅魍魉氤氲旖旎龃龉蹒跚踟蹰彳亍耄耋囹圄",
      bytes: bytes(
        """
        F7D2F7D1F7CEF7C8F7CDF7CBEBB3EBB5ECBDECBBF6B4F6B9F5E7F5C7F5D8F5E9E1DCD8A1EBA3F1F3 \
        E0F2E0F4
        """)),
    RightLabel(
      label: "shift_jis", language: "ja",
      text: "ﾆｭｰｽ ﾄｳｷｮｳ ｶｲｷﾞ ｷｮｳﾉ ﾃﾝｷ ﾊ ﾊﾚ ｺﾄｼ ﾉ ｼﾝﾌﾞﾝ",
      bytes: bytes(
        """
        C6ADB0BD20C4B3B7AEB320B6B2B7DE20B7AEB3C920C3DDB720CA20CADA20BAC4BC20C920BCDDCCDE \
        DD
        """)),
    RightLabel(
      label: "euc-jp", language: "ja",
      text: "ﾆｭｰｽ ﾄｳｷｮｳ ｶｲｷﾞ ｷｮｳﾉ ﾃﾝｷ ﾊ ﾊﾚ ｺﾄｼ ﾉ ｼﾝﾌﾞﾝ",
      bytes: bytes(
        """
        8EC68EAD8EB08EBD208EC48EB38EB78EAE8EB3208EB68EB28EB78EDE208EB78EAE8EB38EC9208EC3 \
        8EDD8EB7208ECA208ECA8EDA208EBA8EC48EBC208EC9208EBC8EDD8ECC8EDE8EDD
        """)),
    RightLabel(
      label: "euc-kr", language: "ko",
      text: "大韓民國 憲法 前文 悠久한 歷史와 傳統에 빛나는 우리 大韓國民은",
      bytes: bytes(
        """
        D3DEF9DBDAC5CFD020FACADBF620EEF1D9FE20EAEDCEF9C7D120D5F6DEC8BFCD20EEEEF7D6BFA120 \
        BAFBB3AAB4C220BFECB8AE20D3DEF9DBCFD0DAC5C0BA
        """)),
    // Lines and shades of code page 437.
    RightLabel(
      label: "windows-1252", language: "",
      text:
        "ÚÄÄÄÄÄÄÂÄÄÄÄÄÄ¿³ Name ³ a ³ÃÄÄÄÄÄÄÅÄÄÄÄÄÄ´³ °±²Û ³ ÜßÜß ³ÀÄÄÄÄÄÄÁÄÄÄÄÄÄÙÉÍÍÍ»º a ºÈÍÍÍ¼",
      bytes: bytes(
        """
        DAC4C4C4C4C4C4C2C4C4C4C4C4C4BFB3204E616D6520B3206120B3C3C4C4C4C4C4C4C5C4C4C4C4C4 \
        C4B4B320B0B1B2DB20B320DCDFDCDF20B3C0C4C4C4C4C4C4C1C4C4C4C4C4C4D9C9CDCDCDBBBA2061 \
        20BAC8CDCDCDBC
        """)),
  ]

  /// From two hexadecimal digits each.
  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }
}
