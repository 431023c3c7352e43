/// Words that say little of what an article is about, in the languages that most feeds are in. The comparison works
/// without them too: in other languages it joins less.
enum CommonWords {
  /// `StoryWords.hash`.
  static let hashes: Set<UInt32> = Set(
    words.split(whereSeparator: \.isWhitespace).map { StoryWords.hash(of: $0.unicodeScalars) })

  // Without accents, as they are compared.
  private static let words = """
    the and for with that this from have has had was were been are its their his her they them will would could
    should after before about into over under more most than then when where which while what who whose says said
    say also only just not but out off one two three first new news amid against between during because since until
    there here other some such each both being does did our your you all any how why may can per via year day
    week month hour minute today yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday january
    february march april june july august september october november december people official according report
    least many much very well back down still made make like take get got now late later early earlier near around
    told asked added latest update

    der die das den dem des ein eine einer einem einen eines und oder aber auch auf aus bei mit nach von vor zum zur
    uber unter fur durch gegen ohne nicht noch nur schon wird werden wurde wurden worden ist sind war waren sein
    seine seiner ihr ihre hat haben hatte hatten sich als wie dass wenn weil bis seit mehr sagte laut montag
    dienstag mittwoch donnerstag freitag samstag sonntag uhr sowie gab gibt jahr jahren prozent rund

    les des une aux dans par pour sur avec sans sous entre chez qui que dont est sont etait ete ont avait plus moins
    leur son cette ces selon apres avant depuis lundi mardi mercredi jeudi vendredi samedi dimanche annee

    los las una unos unas del con por para sin sobre como mas menos han fue fueron era esta estan segun tras desde
    hasta este estos lunes martes miercoles jueves viernes sabado domingo

    gli della delle dello degli nella nelle per che non sono stato stata dopo anche come dal dalla alla lunedi
    martedi mercoledi giovedi venerdi sabato domenica

    het een van voor met door naar zijn heeft hebben werd worden niet ook maar uit dat deze volgens maandag dinsdag
    woensdag donderdag vrijdag zaterdag zondag

    och att det som med till fran har den ett inte var efter enligt mandag tisdag onsdag torsdag fredag lordag sondag

    uma dos das pelo pela com mais foi nao sao segundo apos segunda terca quarta quinta sexta

    oraz jest nie sie przez dla pod nad przed ktory ktora ktore zostal zostala bylo byla jak poniedzialek wtorek
    sroda czwartek piatek sobota niedziela

    что как это для при или его она они был была были после также который которая которые года году

    що або його вона вони була були пiсля також який яка якi року
    """
}
