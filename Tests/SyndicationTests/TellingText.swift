import Testing

/// Text whose bytes show what encoding they are in, whatever is claimed.
struct TellingText: CustomTestStringConvertible, Sendable {
  /// As warnings name it.
  var encoding: String
  var language: String
  var text: String
  var bytes: [UInt8]

  var testDescription: String { "\(language) in \(encoding)" }

  static let all = [
    TellingText(
      encoding: "windows-1250", language: "pl",
      text:
        "Rada miasta ogłosiła dziś, że nowa linia tramwajowa nie będzie gotowa przed zimą. Mieszkańcy pytają, jak długo potrwają jeszcze prace i czy już można jeździć przez most.",
      bytes: hexadecimal(
        """
        52616461206D6961737461206F67B36F7369B36120647A699C2C20BF65206E6F7761206C696E6961 \
        207472616D77616A6F7761206E69652062EA647A696520676F746F77612070727A6564207A696DB9 \
        2E204D6965737A6B61F1637920707974616AB92C206A616B2064B375676F20706F747277616AB920 \
        6A65737A637A65207072616365206920637A79206A75BF206D6FBF6E61206A659F647A69E6207072 \
        7A657A206D6F73742E
        """)),
    TellingText(
      encoding: "ISO-8859-2", language: "pl",
      text:
        "Rada miasta ogłosiła dziś, że nowa linia tramwajowa nie będzie gotowa przed zimą. Mieszkańcy pytają, jak długo potrwają jeszcze prace i czy już można jeździć przez most.",
      bytes: hexadecimal(
        """
        52616461206D6961737461206F67B36F7369B36120647A69B62C20BF65206E6F7761206C696E6961 \
        207472616D77616A6F7761206E69652062EA647A696520676F746F77612070727A6564207A696DB1 \
        2E204D6965737A6B61F1637920707974616AB12C206A616B2064B375676F20706F747277616AB120 \
        6A65737A637A65207072616365206920637A79206A75BF206D6FBF6E61206A65BC647A69E6207072 \
        7A657A206D6F73742E
        """)),
    TellingText(
      encoding: "windows-1250", language: "cs",
      text:
        "Město oznámilo, že nová tramvajová trať nebude hotová před zimou. Obyvatelé se ptají, jak dlouho práce ještě potrvají a která ulice je příští týden otevřená.",
      bytes: hexadecimal(
        """
        4DEC73746F206F7A6EE16D696C6F2C209E65206E6F76E1207472616D76616A6F76E1207472619D20 \
        6E656275646520686F746F76E12070F86564207A696D6F752E204F6279766174656CE92073652070 \
        74616AED2C206A616B20646C6F75686F207072E16365206A659A74EC20706F747276616AED206120 \
        6B746572E120756C696365206A652070F8ED9A74ED2074FD64656E206F746576F8656EE12E
        """)),
    TellingText(
      encoding: "ISO-8859-2", language: "cs",
      text:
        "Město oznámilo, že nová tramvajová trať nebude hotová před zimou. Obyvatelé se ptají, jak dlouho práce ještě potrvají a která ulice je příští týden otevřená.",
      bytes: hexadecimal(
        """
        4DEC73746F206F7A6EE16D696C6F2C20BE65206E6F76E1207472616D76616A6F76E120747261BB20 \
        6E656275646520686F746F76E12070F86564207A696D6F752E204F6279766174656CE92073652070 \
        74616AED2C206A616B20646C6F75686F207072E16365206A65B974EC20706F747276616AED206120 \
        6B746572E120756C696365206A652070F8EDB974ED2074FD64656E206F746576F8656EE12E
        """)),
    TellingText(
      encoding: "ISO-8859-2", language: "sk",
      text:
        "Mesto oznámilo, že nová električková trať nebude hotová pred zimou. Ľudia sa pýtajú, ako dlho ešte potrvajú práce a ktorá ulica je budúci týždeň otvorená. Električky však nemôžu byť v prevádzke večer, keďže chýbajú vodiči a oneskorená súťaž na vozidlá sa ešte neskončila.",
      bytes: hexadecimal(
        """
        4D6573746F206F7A6EE16D696C6F2C20BE65206E6F76E120656C656B747269E86B6F76E120747261 \
        BB206E656275646520686F746F76E12070726564207A696D6F752E20A5756469612073612070FD74 \
        616AFA2C20616B6F20646C686F2065B9746520706F747276616AFA207072E163652061206B746F72 \
        E120756C696361206A6520627564FA63692074FDBE6465F2206F74766F72656EE12E20456C656B74 \
        7269E86B792076B9616B206E656DF4BE75206279BB20762070726576E1647A6B65207665E865722C \
        206B65EFBE65206368FD62616AFA20766F6469E8692061206F6E65736B6F72656EE12073FABB61BE \
        206E6120766F7A69646CE12073612065B97465206E65736B6F6EE8696C612E
        """)),
    TellingText(
      encoding: "windows-1250", language: "sl",
      text:
        "Občina je sporočila, da nova tramvajska proga še ne bo končana pred zimo. Ljudje se sprašujejo, kako dolgo bodo dela še trajala in ali bo cesta čez reko že odprta. Župan je odločno povedal, da bodo končno začeli tudi z načrti za naslednje mesece, če bo mogoče.",
      bytes: hexadecimal(
        """
        4F62E8696E61206A652073706F726FE8696C612C206461206E6F7661207472616D76616A736B6120 \
        70726F6761209A65206E6520626F206B6F6EE8616E612070726564207A696D6F2E204C6A75646A65 \
        20736520737072619A756A656A6F2C206B616B6F20646F6C676F20626F646F2064656C61209A6520 \
        7472616A616C6120696E20616C6920626F20636573746120E8657A2072656B6F209E65206F647072 \
        74612E208E7570616E206A65206F646C6FE86E6F20706F766564616C2C20646120626F646F206B6F \
        6EE86E6F207A61E8656C692074756469207A206E61E8727469207A61206E61736C65646E6A65206D \
        65736563652C20E86520626F206D6F676FE8652E
        """)),
    TellingText(
      encoding: "ISO-8859-2", language: "hr",
      text:
        "Grad je priopćio da nova tramvajska pruga neće biti gotova prije zime. Građani se pitaju koliko će radovi još trajati i što će biti s mostom koji se gradi već šest godina.",
      bytes: hexadecimal(
        """
        47726164206A65207072696F70E6696F206461206E6F7661207472616D76616A736B612070727567 \
        61206E65E665206269746920676F746F7661207072696A65207A696D652E20477261F0616E692073 \
        6520706974616A75206B6F6C696B6F20E665207261646F7669206A6FB9207472616A617469206920 \
        B9746F20E66520626974692073206D6F73746F6D206B6F6A69207365206772616469207665E620B9 \
        65737420676F64696E612E
        """)),
    TellingText(
      encoding: "windows-1250", language: "hu",
      text:
        "A város közölte, hogy az új villamosvonal nem készül el a tél előtt. Az emberek azt kérdezik, meddig tartanak még a munkák, és mikor lesz kész a híd a folyó fölött, amely évek óta épül. Az első szerelvények csak jövőre indulhatnak, és a fűtésük sem működik még. A jövő héten döntő ülést tartanak erről, a szerződésről és a költségekről, mondta az első kerület vezetője.",
      bytes: hexadecimal(
        """
        412076E1726F73206BF67AF66C74652C20686F677920617A20FA6A2076696C6C616D6F73766F6E61 \
        6C206E656D206BE9737AFC6C20656C20612074E96C20656CF574742E20417A20656D626572656B20 \
        617A74206BE97264657A696B2C206D65646469672074617274616E616B206DE9672061206D756E6B \
        E16B2C20E973206D696B6F72206C65737A206BE9737A20612068ED64206120666F6C79F32066F66C \
        F674742C20616D656C7920E976656B20F3746120E970FC6C2E20417A20656C73F520737A6572656C \
        76E96E79656B206373616B206AF676F5726520696E64756C6861746E616B2C20E97320612066FB74 \
        E973FC6B2073656D206DFB6BF664696B206DE9672E2041206AF676F52068E974656E2064F66E74F5 \
        20FC6CE973742074617274616E616B20657272F56C2C206120737A65727AF564E97372F56C20E973 \
        2061206BF66C7473E967656B72F56C2C206D6F6E64746120617A20656C73F5206B6572FC6C657420 \
        76657A6574F56A652E
        """)),
    TellingText(
      encoding: "windows-1250", language: "ro",
      text:
        "Primăria a anunţat că noua linie de tramvai nu va fi gata înainte de iarnă. Oamenii se întreabă cât vor mai dura lucrările şi care este strada pe care vor circula maşinile săptămâna viitoare.",
      bytes: hexadecimal(
        """
        5072696DE3726961206120616E756EFE61742063E3206E6F7561206C696E6965206465207472616D \
        766169206E75207661206669206761746120EE6E61696E7465206465206961726EE32E204F616D65 \
        6E696920736520EE6E7472656162E32063E27420766F72206D61692064757261206C756372E37269 \
        6C6520BA692063617265206573746520737472616461207065206361726520766F72206369726375 \
        6C61206D61BA696E696C652073E37074E36DE26E6120766969746F6172652E
        """)),
    TellingText(
      encoding: "windows-1254", language: "tr",
      text:
        "Belediye, yeni tramvay hattının kıştan önce hazır olmayacağını açıkladı. Vatandaşlar çalışmaların daha ne kadar süreceğini ve köprünün bu hafta için açık olup olmadığını soruyor.",
      bytes: hexadecimal(
        """
        42656C65646979652C2079656E69207472616D7661792068617474FD6EFD6E206BFDFE74616E20F6 \
        6E63652068617AFD72206F6C6D6179616361F0FD6EFD2061E7FD6B6C6164FD2E20566174616E6461 \
        FE6C617220E7616CFDFE6D616C6172FD6E2064616861206E65206B616461722073FC72656365F069 \
        6E69207665206BF67072FC6EFC6E2062752068616674612069E7696E2061E7FD6B206F6C7570206F \
        6C6D6164FDF0FD6EFD20736F7275796F722E
        """)),
    TellingText(
      encoding: "windows-1257", language: "lt",
      text:
        "Miestas pranešė, kad nauja tramvajaus linija nebus baigta iki žiemos. Žmonės klausia, kiek dar truks darbai ir ar tiltas per upę jau yra atidarytas, nes kitą savaitę čia vyks šventė.",
      bytes: hexadecimal(
        """
        4D696573746173207072616E65F0EB2C206B6164206E61756A61207472616D76616A617573206C69 \
        6E696A61206E656275732062616967746120696B6920FE69656D6F732E20DE6D6F6EEB73206B6C61 \
        757369612C206B69656B20646172207472756B73206461726261692069722061722074696C746173 \
        20706572207570E6206A61752079726120617469646172797461732C206E6573206B6974E0207361 \
        76616974E620E869612076796B7320F076656E74EB2E
        """)),
    TellingText(
      encoding: "windows-1257", language: "lv",
      text:
        "Pilsēta paziņoja, ka jaunā tramvaja līnija nebūs gatava līdz ziemai. Cilvēki jautā, cik ilgi vēl turpināsies darbi un vai tilts pār upi ir atvērts, bet atbildes nav un arī mērs klusē. Tas ir svarīgi, lai svētki, kas tur būs nākamnedēļ, varētu notikt.",
      bytes: hexadecimal(
        """
        50696C73E774612070617A69F26F6A612C206B61206A61756EE2207472616D76616A61206CEE6E69 \
        6A61206E6562FB7320676174617661206CEE647A207A69656D61692E2043696C76E76B69206A6175 \
        74E22C2063696B20696C67692076E76C2074757270696EE27369657320646172626920756E207661 \
        692074696C74732070E2722075706920697220617476E77274732C2062657420617462696C646573 \
        206E617620756E206172EE206DE77273206B6C7573E72E205461732069722073766172EE67692C20 \
        6C6169207376E7746B692C206B6173207475722062FB73206EE26B616D6E6564E7EF2C20766172E7 \
        7475206E6F74696B742E
        """)),
    TellingText(
      encoding: "windows-1253", language: "el",
      text:
        "Ο δήμος ανακοίνωσε ότι η νέα γραμμή του τραμ δεν θα είναι έτοιμη πριν από τον χειμώνα. Οι κάτοικοι ρωτούν πόσο θα διαρκέσουν ακόμη τα έργα.",
      bytes: hexadecimal(
        """
        CF20E4DEECEFF220E1EDE1EAEFDFEDF9F3E520FCF4E920E720EDDDE120E3F1E1ECECDE20F4EFF520 \
        F4F1E1EC20E4E5ED20E8E120E5DFEDE1E920DDF4EFE9ECE720F0F1E9ED20E1F0FC20F4EFED20F7E5 \
        E9ECFEEDE12E20CFE920EADCF4EFE9EAEFE920F1F9F4EFFDED20F0FCF3EF20E8E120E4E9E1F1EADD \
        F3EFF5ED20E1EAFCECE720F4E120DDF1E3E12E
        """)),
    TellingText(
      encoding: "ISO-8859-7", language: "el",
      text:
        "Ο δήμος ανακοίνωσε ότι η νέα γραμμή του τραμ δεν θα είναι έτοιμη πριν από τον χειμώνα. Άλλοι κάτοικοι ρωτούν πόσο θα διαρκέσουν ακόμη τα έργα.",
      bytes: hexadecimal(
        """
        CF20E4DEECEFF220E1EDE1EAEFDFEDF9F3E520FCF4E920E720EDDDE120E3F1E1ECECDE20F4EFF520 \
        F4F1E1EC20E4E5ED20E8E120E5DFEDE1E920DDF4EFE9ECE720F0F1E9ED20E1F0FC20F4EFED20F7E5 \
        E9ECFEEDE12E20B6EBEBEFE920EADCF4EFE9EAEFE920F1F9F4EFFDED20F0FCF3EF20E8E120E4E9E1 \
        F1EADDF3EFF5ED20E1EAFCECE720F4E120DDF1E3E12E
        """)),
    TellingText(
      encoding: "windows-1255", language: "he",
      text:
        "העירייה הודיעה כי קו הרכבת הקלה החדש לא יהיה מוכן לפני החורף. התושבים שואלים כמה זמן עוד יימשכו העבודות.",
      bytes: hexadecimal(
        """
        E4F2E9F8E9E9E420E4E5E3E9F2E420EBE920F7E520E4F8EBE1FA20E4F7ECE420E4E7E3F920ECE020 \
        E9E4E9E420EEE5EBEF20ECF4F0E920E4E7E5F8F32E20E4FAE5F9E1E9ED20F9E5E0ECE9ED20EBEEE4 \
        20E6EEEF20F2E5E320E9E9EEF9EBE520E4F2E1E5E3E5FA2E
        """)),
    TellingText(
      encoding: "windows-1256", language: "ar",
      text:
        "أعلنت البلدية أن خط الترام الجديد لن يكون جاهزا قبل الشتاء، ويسأل السكان كم من الوقت ستستمر الأعمال في هذا الشارع.",
      bytes: hexadecimal(
        """
        C3DAE1E4CA20C7E1C8E1CFEDC920C3E420CED820C7E1CAD1C7E320C7E1CCCFEDCF20E1E420EDDFE6 \
        E420CCC7E5D2C720DEC8E120C7E1D4CAC7C1A120E6EDD3C3E120C7E1D3DFC7E420DFE320E3E420C7 \
        E1E6DECA20D3CAD3CAE3D120C7E1C3DAE3C7E120DDED20E5D0C720C7E1D4C7D1DA2E
        """)),
    TellingText(
      encoding: "ISO-8859-6", language: "ar",
      text:
        "أعلنت البلدية أن خط الترام الجديد لن يكون جاهزا قبل الشتاء، ويسأل السكان كم من الوقت ستستمر الأعمال في هذا الشارع.",
      bytes: hexadecimal(
        """
        C3D9E4E6CA20C7E4C8E4CFEAC920C3E620CED720C7E4CAD1C7E520C7E4CCCFEACF20E4E620EAE3E8 \
        E620CCC7E7D2C720E2C8E420C7E4D4CAC7C1AC20E8EAD3C3E420C7E4D3E3C7E620E3E520E5E620C7 \
        E4E8E2CA20D3CAD3CAE5D120C7E4C3D9E5C7E420E1EA20E7D0C720C7E4D4C7D1D92E
        """)),
    TellingText(
      encoding: "windows-874", language: "th",
      text:
        "เทศบาลประกาศว่ารถรางสายใหม่จะไม่เสร็จก่อนฤดูหนาว ชาวเมืองถามว่างานจะใช้เวลาอีกนานเท่าไร",
      bytes: hexadecimal(
        """
        E0B7C8BAD2C5BBC3D0A1D2C8C7E8D2C3B6C3D2A7CAD2C2E3CBC1E8A8D0E4C1E8E0CAC3E7A8A1E8CD \
        B9C4B4D9CBB9D2C720AAD2C7E0C1D7CDA7B6D2C1C7E8D2A7D2B9A8D0E3AAE9E0C7C5D2CDD5A1B9D2 \
        B9E0B7E8D2E4C3
        """)),
    TellingText(
      encoding: "CP855", language: "ru",
      text:
        "Город сообщил, что новая трамвайная линия не будет готова до зимы. Жители спрашивают, сколько ещё продлятся работы.",
      bytes: hexadecimal(
        """
        ADD6E1D6A620E3D6D6A2F9B7D02C20FBE5D620D4D6EBA0DE20E5E1A0D2EBA0BDD4A0DE20D0B7D4B7 \
        DE20D4A820A2E7A6A8E520ACD6E5D6EBA020A6D620F3B7D2F12E20EAB7E5A8D0B720E3D8E1A0F5B7 \
        EBA09CE52C20E3C6D6D0EDC6D620A8F98420D8E1D6A6D0DEE5E3DE20E1A0A2D6E5F12E
        """)),
    TellingText(
      encoding: "x-mac-cyrillic", language: "ru",
      text:
        "Город сообщил, что новая трамвайная линия не будет готова до зимы. Говорят, что вся следующая неделя занята: мосты проверяются, и вторая очередь стоит.",
      bytes: hexadecimal(
        """
        83EEF0EEE420F1EEEEE1F9E8EB2C20F7F2EE20EDEEE2E0DF20F2F0E0ECE2E0E9EDE0DF20EBE8EDE8 \
        DF20EDE520E1F3E4E5F220E3EEF2EEE2E020E4EE20E7E8ECFB2E2083EEE2EEF0DFF22C20F7F2EE20 \
        E2F1DF20F1EBE5E4F3FEF9E0DF20EDE5E4E5EBDF20E7E0EDDFF2E03A20ECEEF1F2FB20EFF0EEE2E5 \
        F0DFFEF2F1DF2C20E820E2F2EEF0E0DF20EEF7E5F0E5E4FC20F1F2EEE8F22E
        """)),
  ]
}
