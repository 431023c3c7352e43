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
      bytes: hexadecimal(
        """
        48657574652066616E6420696E204DFC6E6368656E2065696E65204B6F6E666572656E7A20FC6265 \
        7220556D77656C7473636875747A2073746174742E2084C475DF657273749320736368F66E3A2047 \
        72F6DF652C20537061DF2C20DC6265726D61DF2E
        """)),
    RightLabel(
      label: "iso-8859-15", language: "de",
      text:
        "Heute fand in München eine Konferenz über Umweltschutz statt. Äußerst schön: Größe, Spaß, Übermaß.",
      bytes: hexadecimal(
        """
        48657574652066616E6420696E204DFC6E6368656E2065696E65204B6F6E666572656E7A20FC6265 \
        7220556D77656C7473636875747A2073746174742E20C475DF6572737420736368F66E3A204772F6 \
        DF652C20537061DF2C20DC6265726D61DF2E
        """)),
    RightLabel(
      label: "windows-1252", language: "fr",
      text: "L’ÉTÉ À ORLÉANS : ÉLÈVES RÉCOMPENSÉS, ŒUVRES CRÉÉES, DÉÇUS, HÔPITAL FERMÉ, «À LA UNE»",
      bytes: hexadecimal(
        """
        4C92C954C920C0204F524CC9414E53203A20C94CC85645532052C9434F4D50454E53C9532C208C55 \
        56524553204352C9C945532C2044C9C755532C2048D4504954414C204645524DC92C20ABC0204C41 \
        20554E45BB
        """)),
    RightLabel(
      label: "windows-1250", language: "pl",
      text: "Dzisiaj w Łodzi odbyła się konferencja: żółte gęsi i źdźbło. ŻÓŁĆ ŚWIĘŻE ŁÓDŹ",
      bytes: hexadecimal(
        """
        447A697369616A207720A36F647A69206F646279B361207369EA206B6F6E666572656E636A613A20 \
        BFF3B374652067EA73692069209F649F62B36F2E20AFD3A3C6208C5749CAAF4520A3D3448F
        """)),
    RightLabel(
      label: "iso-8859-2", language: "pl",
      text: "Dzisiaj w Łodzi odbyła się konferencja: żółte gęsi i źdźbło. ŻÓŁĆ ŚWIĘŻE ŁÓDŹ",
      bytes: hexadecimal(
        """
        447A697369616A207720A36F647A69206F646279B361207369EA206B6F6E666572656E636A613A20 \
        BFF3B374652067EA7369206920BC64BC62B36F2E20AFD3A3C620A65749CAAF4520A3D344AC
        """)),
    RightLabel(
      label: "windows-1254", language: "tr",
      text: "Bugün İstanbul’da çevre konulu bir konferans düzenlendi, ığdır şişli, GÜÇLÜ ÖĞÜŞ",
      bytes: hexadecimal(
        """
        427567FC6E20DD7374616E62756C92646120E765767265206B6F6E756C7520626972206B6F6E6665 \
        72616E732064FC7A656E6C656E64692C20FDF064FD7220FE69FE6C692C2047DCC74CDC20D6D0DCDE
        """)),
    RightLabel(
      label: "windows-1253", language: "el",
      text: "Σήμερα στην Αθήνα έγινε συνέδριο για θέματα οικολογίας και ανάπτυξης. ΝΕΑ ΤΗΣ ΗΜΕΡΑΣ",
      bytes: hexadecimal(
        """
        D3DEECE5F1E120F3F4E7ED20C1E8DEEDE120DDE3E9EDE520F3F5EDDDE4F1E9EF20E3E9E120E8DDEC \
        E1F4E120EFE9EAEFEBEFE3DFE1F220EAE1E920E1EDDCF0F4F5EEE7F22E20CDC5C120D4C7D320C7CC \
        C5D1C1D3
        """)),
    RightLabel(
      label: "iso-8859-7", language: "el",
      text: "Σήμερα στην Αθήνα έγινε συνέδριο για θέματα οικολογίας και ανάπτυξης. ΝΕΑ ΤΗΣ ΗΜΕΡΑΣ",
      bytes: hexadecimal(
        """
        D3DEECE5F1E120F3F4E7ED20C1E8DEEDE120DDE3E9EDE520F3F5EDDDE4F1E9EF20E3E9E120E8DDEC \
        E1F4E120EFE9EAEFEBEFE3DFE1F220EAE1E920E1EDDCF0F4F5EEE7F22E20CDC5C120D4C7D320C7CC \
        C5D1C1D3
        """)),
    RightLabel(
      label: "windows-1251", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: hexadecimal(
        """
        D1C5C3CEC4CDDF20C220CCCED1CAC2C520CFD0CED8CBC020CACECDD4C5D0C5CDD6C8DF20CFCE20C2 \
        CECFD0CED1C0CC20DDCACECBCEC3C8C820C820D0C0C7C2C8D2C8DF
        """)),
    RightLabel(
      label: "koi8-r", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: hexadecimal(
        """
        F3E5E7EFE4EEF120F720EDEFF3EBF7E520F0F2EFFBECE120EBEFEEE6E5F2E5EEE3E9F120F0EF20F7 \
        EFF0F2EFF3E1ED20FCEBEFECEFE7E9E920E920F2E1FAF7E9F4E9F1
        """)),
    RightLabel(
      label: "ibm866", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: hexadecimal(
        """
        9185838E848D9F2082208C8E918A8285208F908E988B80208A8E8D948590858D96889F208F8E2082 \
        8E8F908E91808C209D8A8E8B8E838888208820908087828892889F
        """)),
    RightLabel(
      label: "x-mac-cyrillic", language: "ru",
      text: "СЕГОДНЯ В МОСКВЕ ПРОШЛА КОНФЕРЕНЦИЯ ПО ВОПРОСАМ ЭКОЛОГИИ И РАЗВИТИЯ",
      bytes: hexadecimal(
        """
        9185838E848D9F2082208C8E918A8285208F908E988B80208A8E8D948590858D96889F208F8E2082 \
        8E8F908E91808C209D8A8E8B8E838888208820908087828892889F
        """)),
    RightLabel(
      label: "windows-1255", language: "he",
      text: "היום התקיים בירושלים כנס בנושא איכות הסביבה והפיתוח.",
      bytes: hexadecimal(
        """
        E4E9E5ED20E4FAF7E9E9ED20E1E9F8E5F9ECE9ED20EBF0F120E1F0E5F9E020E0E9EBE5FA20E4F1E1 \
        E9E1E420E5E4F4E9FAE5E72E
        """)),
    RightLabel(
      label: "windows-874", language: "th",
      text: "วันนี้มีการประชุมเรื่องสิ่งแวดล้อมและการพัฒนาที่กรุงเทพ นายกรัฐมนตรีกล่าวว่า รัฐบาลจะดำเนินการ",
      bytes: hexadecimal(
        """
        C7D1B9B9D5E9C1D5A1D2C3BBC3D0AAD8C1E0C3D7E8CDA7CAD4E8A7E1C7B4C5E9CDC1E1C5D0A1D2C3 \
        BED1B2B9D2B7D5E8A1C3D8A7E0B7BE20B9D2C2A1C3D1B0C1B9B5C3D5A1C5E8D2C7C7E8D220C3D1B0 \
        BAD2C5A8D0B4D3E0B9D4B9A1D2C3
        """)),
    RightLabel(
      label: "gbk", language: "zh",
      text: "动漫歌词：さくらさくらやよいのそらはみわたすかぎり 日本樱花歌曲下载试听",
      bytes: hexadecimal(
        """
        B6AFC2FEB8E8B4CAA3BAA4B5A4AFA4E9A4B5A4AFA4E9A4E4A4E8A4A4A4CEA4BDA4E9A4CFA4DFA4EF \
        A4BFA4B9A4ABA4AEA4EA20C8D5B1BED3A3BBA8B8E8C7FACFC2D4D8CAD4CCFD
        """)),
    RightLabel(
      label: "gb2312", language: "zh",
      text: "饕餮魑魅魍魉氤氲旖旎龃龉蹒跚踟蹰彳亍耄耋囹圄",
      bytes: hexadecimal(
        """
        F7D2F7D1F7CEF7C8F7CDF7CBEBB3EBB5ECBDECBBF6B4F6B9F5E7F5C7F5D8F5E9E1DCD8A1EBA3F1F3 \
        E0F2E0F4
        """)),
    RightLabel(
      label: "shift_jis", language: "ja",
      text: "ﾆｭｰｽ ﾄｳｷｮｳ ｶｲｷﾞ ｷｮｳﾉ ﾃﾝｷ ﾊ ﾊﾚ ｺﾄｼ ﾉ ｼﾝﾌﾞﾝ",
      bytes: hexadecimal(
        """
        C6ADB0BD20C4B3B7AEB320B6B2B7DE20B7AEB3C920C3DDB720CA20CADA20BAC4BC20C920BCDDCCDE \
        DD
        """)),
    RightLabel(
      label: "euc-jp", language: "ja",
      text: "ﾆｭｰｽ ﾄｳｷｮｳ ｶｲｷﾞ ｷｮｳﾉ ﾃﾝｷ ﾊ ﾊﾚ ｺﾄｼ ﾉ ｼﾝﾌﾞﾝ",
      bytes: hexadecimal(
        """
        8EC68EAD8EB08EBD208EC48EB38EB78EAE8EB3208EB68EB28EB78EDE208EB78EAE8EB38EC9208EC3 \
        8EDD8EB7208ECA208ECA8EDA208EBA8EC48EBC208EC9208EBC8EDD8ECC8EDE8EDD
        """)),
    RightLabel(
      label: "euc-kr", language: "ko",
      text: "大韓民國 憲法 前文 悠久한 歷史와 傳統에 빛나는 우리 大韓國民은",
      bytes: hexadecimal(
        """
        D3DEF9DBDAC5CFD020FACADBF620EEF1D9FE20EAEDCEF9C7D120D5F6DEC8BFCD20EEEEF7D6BFA120 \
        BAFBB3AAB4C220BFECB8AE20D3DEF9DBCFD0DAC5C0BA
        """)),
    // Lines and shades of code page 437.
    RightLabel(
      label: "windows-1252", language: "",
      text:
        "ÚÄÄÄÄÄÄÂÄÄÄÄÄÄ¿³ Name ³ a ³ÃÄÄÄÄÄÄÅÄÄÄÄÄÄ´³ °±²Û ³ ÜßÜß ³ÀÄÄÄÄÄÄÁÄÄÄÄÄÄÙÉÍÍÍ»º a ºÈÍÍÍ¼",
      bytes: hexadecimal(
        """
        DAC4C4C4C4C4C4C2C4C4C4C4C4C4BFB3204E616D6520B3206120B3C3C4C4C4C4C4C4C5C4C4C4C4C4 \
        C4B4B320B0B1B2DB20B320DCDFDCDF20B3C0C4C4C4C4C4C4C1C4C4C4C4C4C4D9C9CDCDCDBBBA2061 \
        20BAC8CDCDCDBC
        """)),
    RightLabel(
      label: "windows-1252", language: "is",
      text:
        "Bærinn tilkynnti að nýja línan yrði ekki tilbúin fyrir veturinn. Íbúar spyrja hvað verkið þurfi mikið fé og hvort brúin yfir ána sé opin; Þýðandi: Jón Müller.",
      bytes: hexadecimal(
        """
        42E672696E6E2074696C6B796E6E74692061F0206EFD6A61206CED6E616E207972F06920656B6B69 \
        2074696C62FA696E206679726972207665747572696E6E2E20CD62FA617220737079726A61206876 \
        61F0207665726B69F020FE75726669206D696B69F02066E9206F672068766F7274206272FA696E20 \
        7966697220E16E612073E9206F70696E3B20DEFDF0616E64693A204AF36E204DFC6C6C65722E
        """)),
    RightLabel(
      label: "windows-1252", language: "et",
      text:
        "Linn teatas, et uus trammiliin ei saa enne talve valmis. Õhtuti küsivad inimesed, kui kaua tööd veel kestavad ja kas sõit üle jõe on nädala lõpus võimalik.",
      bytes: hexadecimal(
        """
        4C696E6E207465617461732C20657420757573207472616D6D696C69696E2065692073616120656E \
        6E652074616C76652076616C6D69732E20D56874757469206BFC736976616420696E696D65736564 \
        2C206B7569206B6175612074F6F664207665656C206B65737461766164206A61206B61732073F569 \
        7420FC6C65206AF565206F6E206EE464616C61206CF57075732076F5696D616C696B2E
        """)),
    RightLabel(
      label: "windows-1252", language: "pt",
      text:
        "A câmara anunciou que a nova linha não estará pronta antes do verão. Os moradores perguntam até quando durarão as obras e se a ligação à estação já está aberta. Camões, Conceição, Brandão.",
      bytes: hexadecimal(
        """
        412063E26D61726120616E756E63696F75207175652061206E6F7661206C696E6861206EE36F2065 \
        73746172E12070726F6E746120616E74657320646F20766572E36F2E204F73206D6F7261646F7265 \
        732070657267756E74616D206174E9207175616E646F206475726172E36F206173206F6272617320 \
        652073652061206C696761E7E36F20E02065737461E7E36F206AE120657374E1206162657274612E \
        2043616DF565732C20436F6E636569E7E36F2C204272616E64E36F2E
        """)),
    RightLabel(
      label: "windows-1252", language: "fr",
      text:
        "La mairie a annoncé que la nouvelle ligne ne serait pas prête à Noël. Où va-t-on ? Là-haut, près du château, « à côté » de l’hôpital : ça coûte 3 millions d’œuvres, naïve Zoë.",
      bytes: hexadecimal(
        """
        4C61206D6169726965206120616E6E6F6E63E920717565206C61206E6F7576656C6C65206C69676E \
        65206E652073657261697420706173207072EA746520E0204E6FEB6C2E204FF92076612D742D6F6E \
        203F204CE02D686175742C207072E873206475206368E2746561752C20AB20E02063F474E920BB20 \
        6465206C9268F4706974616C203A20E76120636FFB74652033206D696C6C696F6E732064929C7576 \
        7265732C206E61EF7665205A6FEB2E
        """)),
    RightLabel(
      label: "windows-1252", language: "da",
      text:
        "Kommunen oplyser, at den nye linje ikke bliver færdig før vinteren. Beboerne spørger, hvor længe arbejdet på broen over åen varer, og hvornår »café Søløven« åbner igen.",
      bytes: hexadecimal(
        """
        4B6F6D6D756E656E206F706C797365722C2061742064656E206E7965206C696E6A6520696B6B6520 \
        626C697665722066E6726469672066F8722076696E746572656E2E204265626F65726E65207370F8 \
        726765722C2068766F72206CE66E676520617262656A6465742070E52062726F656E206F76657220 \
        E5656E2076617265722C206F672068766F726EE57220BB636166E92053F86CF876656EAB20E5626E \
        6572206967656E2E
        """)),
    RightLabel(
      label: "windows-1252", language: "es",
      text:
        "¿Cuándo abrirá la línea? ¡Qué pregunta! El alcalde dijo que el año próximo, según el señor Muñoz, la vía de 5 m² y 10³ kg costará 1¼ millones; ¿y mañana?",
      bytes: hexadecimal(
        """
        BF4375E16E646F206162726972E1206C61206CED6E65613F20A15175E92070726567756E74612120 \
        456C20616C63616C64652064696A6F2071756520656C2061F16F207072F378696D6F2C20736567FA \
        6E20656C207365F16F72204D75F16F7A2C206C612076ED612064652035206DB22079203130B3206B \
        6720636F73746172E12031BC206D696C6C6F6E65733B20BF79206D61F1616E613F
        """)),
    RightLabel(
      label: "windows-1252", language: "ca",
      text:
        "L’ajuntament anuncia que la nova línia no serà a punt abans de l’hivern: la gent pregunta què passarà amb el pont, la plaça i el col·legi, i per què és tan car.",
      bytes: hexadecimal(
        """
        4C92616A756E74616D656E7420616E756E63696120717565206C61206E6F7661206CED6E6961206E \
        6F20736572E020612070756E74206162616E73206465206C9268697665726E3A206C612067656E74 \
        2070726567756E7461207175E820706173736172E020616D6220656C20706F6E742C206C6120706C \
        61E761206920656C20636F6CB76C6567692C206920706572207175E820E9732074616E206361722E
        """)),
    RightLabel(
      label: "windows-1252", language: "it",
      text:
        "Il comune ha annunciato che la nuova linea non sarà pronta: perché più così? Lunedì la città chiuderà il ponte, già però è metà finito, e ciò è tutto. Virtù, 1ª e 2º.",
      bytes: hexadecimal(
        """
        496C20636F6D756E6520686120616E6E756E636961746F20636865206C61206E756F7661206C696E \
        6561206E6F6E20736172E02070726F6E74613A207065726368E9207069F920636F73EC3F204C756E \
        6564EC206C612063697474E02063686975646572E020696C20706F6E74652C206769E020706572F2 \
        20E8206D6574E02066696E69746F2C2065206369F220E820747574746F2E2056697274F92C2031AA \
        20652032BA2E
        """)),
    RightLabel(
      label: "windows-1252", language: "fo",
      text:
        "Kommunan sigur, at nýggja linjan verður ikki liðug áðrenn vetur. Fólk spyrja, hvussu leingi arbeiðið á brúnni um ánna fer at vara; søgan ið øll kenna.",
      bytes: hexadecimal(
        """
        4B6F6D6D756E616E2073696775722C206174206EFD67676A61206C696E6A616E20766572F0757220 \
        696B6B69206C69F0756720E1F072656E6E2076657475722E2046F36C6B20737079726A612C206876 \
        75737375206C65696E6769206172626569F069F020E1206272FA6E6E6920756D20E16E6E61206665 \
        7220617420766172613B2073F867616E2069F020F86C6C206B656E6E612E
        """)),
    RightLabel(
      label: "windows-1252", language: "sq",
      text:
        "Bashkia njoftoi se linja e re nuk do të jetë gati para dimrit. Banorët pyesin sa kohë do të zgjasin ende punimet, çfarë kushton dhe kur hapet ura.",
      bytes: hexadecimal(
        """
        426173686B6961206E6A6F66746F69207365206C696E6A612065207265206E756B20646F2074EB20 \
        6A6574EB206761746920706172612064696D7269742E2042616E6F72EB742070796573696E207361 \
        206B6F68EB20646F2074EB207A676A6173696E20656E64652070756E696D65742C20E7666172EB20 \
        6B757368746F6E20646865206B7572206861706574207572612E
        """)),
    // A footnote's figures, units and signs beside letters.
    RightLabel(
      label: "windows-1252", language: "",
      text:
        "Café¹ sells 5 m² of H³ at ½ price, Windows® costs £3 or ¥5 a µm; see §2 and ¶4, José² and Zoë³, n°5 ±1, ×2, “naïve”.",
      bytes: hexadecimal(
        """
        436166E9B92073656C6C732035206DB2206F662048B320617420BD2070726963652C2057696E646F \
        7773AE20636F73747320A333206F7220A535206120B56D3B2073656520A73220616E6420B6342C20 \
        4A6F73E9B220616E64205A6FEBB32C206EB03520B1312C20D7322C20936E61EF7665942E
        """)),
  ]
}

/// From two digits each.
func hexadecimal(_ text: String) -> [UInt8] {
  let digits = text.filter { $0 != " " }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] * 16 + digits[$0 + 1])
  }
}
