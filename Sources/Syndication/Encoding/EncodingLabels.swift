// Made by Tools/make-encoding-labels from the list of WHATWG Encoding, “Names and labels”.

/// The encodings of the web and their labels, as letters and digits only, without UTF-8 and UTF-16.
let webEncodingLabels: [(name: String, labels: String)] = [
  ("Big5", "big5 big5hkscs cnbig5 csbig5 xxbig5"),
  ("EUC-JP", "cseucpkdfmtjapanese eucjp xeucjp"),
  (
    "EUC-KR",
    """
    cseuckr csksc56011987 euckr isoir149 korean ksc5601 ksc56011987 ksc56011989 windows949
    """
  ),
  ("GB18030", "chinese csgb2312 csiso58gb231280 gb18030 gb2312 gb231280 gbk isoir58 xgbk"),
  ("IBM866", "866 cp866 csibm866 ibm866"),
  ("ISO-2022-JP", "csiso2022jp iso2022jp"),
  ("ISO-8859-10", "csisolatin6 iso885910 isoir157 l6 latin6"),
  ("ISO-8859-13", "iso885913"),
  ("ISO-8859-14", "iso885914"),
  ("ISO-8859-15", "csisolatin9 iso885915 l9"),
  ("ISO-8859-16", "iso885916"),
  ("ISO-8859-2", "csisolatin2 iso88592 iso885921987 isoir101 l2 latin2"),
  ("ISO-8859-3", "csisolatin3 iso88593 iso885931988 isoir109 l3 latin3"),
  ("ISO-8859-4", "csisolatin4 iso88594 iso885941988 isoir110 l4 latin4"),
  ("ISO-8859-5", "csisolatincyrillic cyrillic iso88595 iso885951988 isoir144"),
  (
    "ISO-8859-6",
    """
    arabic asmo708 csiso88596e csiso88596i csisolatinarabic ecma114 iso88596 iso885961987 \
    iso88596e iso88596i isoir127
    """
  ),
  (
    "ISO-8859-7",
    """
    csisolatingreek ecma118 elot928 greek greek8 iso88597 iso885971987 isoir126 suneugreek
    """
  ),
  (
    "ISO-8859-8",
    """
    csiso88598e csiso88598i csisolatinhebrew hebrew iso88598 iso885981988 iso88598e iso88598i \
    isoir138 logical visual
    """
  ),
  ("KOI8-R", "cskoi8r koi koi8 koi8r"),
  ("KOI8-U", "koi8ru koi8u"),
  ("Shift_JIS", "csshiftjis ms932 mskanji shiftjis sjis windows31j xsjis"),
  ("macintosh", "csmacintosh mac macintosh xmacroman"),
  ("windows-1250", "cp1250 windows1250 xcp1250"),
  ("windows-1251", "cp1251 windows1251 xcp1251"),
  (
    "windows-1252",
    """
    ansix341968 ascii cp1252 cp819 csisolatin1 ibm819 iso88591 iso885911987 isoir100 l1 latin1 \
    usascii windows1252 xcp1252
    """
  ),
  ("windows-1253", "cp1253 windows1253 xcp1253"),
  (
    "windows-1254",
    """
    cp1254 csisolatin5 iso88599 iso885991989 isoir148 l5 latin5 windows1254 xcp1254
    """
  ),
  ("windows-1255", "cp1255 windows1255 xcp1255"),
  ("windows-1256", "cp1256 windows1256 xcp1256"),
  ("windows-1257", "cp1257 windows1257 xcp1257"),
  ("windows-1258", "cp1258 windows1258 xcp1258"),
  ("windows-874", "dos874 iso885911 tis620 windows874"),
  ("x-mac-cyrillic", "xmaccyrillic xmacukrainian"),
]
