import Foundation
import News
import Syndication
import Testing
import Text

/// One way to write dates, and what its texts are in UTC.
struct DateDialect: CustomTestStringConvertible, Sendable {
  var name: String
  var cases: [(text: String, moment: String)]

  init(_ name: String, _ cases: [(String, String)]) {
    self.name = name
    self.cases = cases.map { (text: $0.0, moment: $0.1) }
  }

  var testDescription: String { name }
}

@Suite struct FeedDateTests {
  @Test(arguments: dialects)
  func `A date is read`(_ dialect: DateDialect) {
    for (text, moment) in dialect.cases {
      #expect(FeedDate.parse(text).map(Timestamp.text(of:)) == moment, "\(text)")
    }
  }

  @Test func `The dialects are many`() {
    #expect(dialects.reduce(0) { $0 + $1.cases.count } >= 250)
  }

  @Test(arguments: [
    // No date, or not enough of one
    "", "yesterday", "3 hours ago", "soon, 2024", "Wed, 01 May", "May", "12:00:00", "12:00 GMT",
    "1 2 3 4 5", "1.2.3", "v2.0.1", "2024-05-", "May 2024 12:00", "n/a", "null",
    "undefined", "Invalid Date", "NaN-NaN-NaN", "Date()", "%a, %d %b %Y", "{{ date }}", "----",
    "+0200", "::::::", "....", "年月日", "第1期", "5月1日",
    // What the calendar or the clock does not have
    "2024-13-01", "2024-00-10", "2024-02-30", "2023-02-29T00:00:00Z", "2024-05-01T25:00:00Z",
    "2024-05-01T12:60:00Z", "2024-05-01T12:00:61Z", "2024-05-01T24:00:01Z",
    "32 May 2024 12:00:00 GMT",
    "31 June 2024", "31.06.2024", "13/13/2024", "0/5/2024", "2024-W54-1", "2023-W53-1",
    "2024-W18-8",
    "2024-367", "2023-366", "2024-000", "2024年13月1日", "Wed, 01 May 2024 12:99:00 GMT",
    // Zones beyond the world's ends
    "2024-05-01T12:00:00+99:99", "2024-05-01T12:00:00+15:00", "2024-05-01T12:00:00-13:00",
    "Wed, 01 May 2024 12:00:00 +9900", "Wed, 01 May 2024 12:00:00 +0260",
    // What programs write for a date they do not have
    "Thu, 01 Jan 1970 00:00:00 +0000", "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z",
    "1970-01-01", "Thu, 01 Jan 1970 01:00:00 +0100", "0000000000", "0000-00-00 00:00:00",
    "0000-00-00", "Mon, 30 Nov -0001 00:00:00 +0000", "0001-01-01T00:00:00Z",
    "Mon, 01 Jan 0001 00:00:00 GMT", "0000-01-01", "1.1.0001",
    // Years that are mistakes; eras that are not ours
    "9999-12-31T23:59:59Z", "2200-01-01", "1899-12-31", "Sat, 30 Dec 1899 00:00:00 GMT",
    "12024-05-01", "1 พฤษภาคม 2567", "9999999999", "1 มกราคม 2567 12:00",
    "寿永3年5月1日",
    // Numbers that are no moment
    "171456480", "17145648000", "171456480000", "99999999", "-1714564800", "1714564800x",
    "1e9", "12345", String(repeating: "1", count: 200), String(repeating: "1", count: 2000),
    "1 May 99999999999999999999", "99999999999999999999 May 2024",
    "2024-05-01T99999999999999999999:00:00Z", "1 May 2024 12:00 +99999999999999999999",
    String(repeating: "1-", count: 120), String(repeating: ":", count: 240),
  ])
  func `What is no date is nil`(_ text: String) {
    #expect(FeedDate.parse(text) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:01.25Z", 1.25),
    ("1970-01-01T00:00:01.5Z", 1.5),
    ("2024-05-01T12:00:00.125Z", 1_714_564_800.125),
    ("2024-05-01 12:00:00.125 PM", 1_714_564_800.125),
    ("1714564800125", 1_714_564_800.125),
    ("1714564800.125", 1_714_564_800.125),
  ])
  func `Fractions of a second are kept`(_ text: String, _ seconds: Double) throws {
    let date = try #require(FeedDate.parse(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
  }

  @Test func `Every day of three centuries is written and read back`() {
    for day in stride(from: -25_567.0, to: 84_005, by: 1) {
      let date = Date(timeIntervalSince1970: day * 86400 + 3661)
      guard FeedDate.parse(Timestamp.text(of: date)) != date else { continue }
      Issue.record("\(Timestamp.text(of: date)) is not \(day)")
      return
    }
  }

  @Test func `A moment of any year can be written`() {
    #expect(
      Timestamp.text(of: Date(timeIntervalSince1970: -62_135_596_800)) == "0001-01-01T00:00:00Z")
    #expect(Timestamp.text(of: Date(timeIntervalSince1970: 1e15)) == "9999-12-31T23:59:59Z")
  }

  @Test func `Broken dates are read to the end`() {
    // Each text cut all over it and with bytes changed: it must not trap, nor leave the years.
    let replacements: [UInt8] = [0x2D, 0x39, 0x20, 0x3A, 0xFF]
    for text in dialects.flatMap(\.cases).map(\.text) {
      let bytes = Array(text.utf8)
      for place in stride(from: 0, to: bytes.count, by: 2) {
        var changed = bytes
        changed[place] = replacements[place / 2 % replacements.count]
        for broken in [bytes[..<place], changed[...]] {
          let date = broken.withUnsafeBufferPointer { FeedDate.parse(bytes: $0) }
          guard let date else { continue }
          let year = Timestamp.text(of: date).prefix(4)
          #expect(year >= "1900" && year <= "2199", "\(text)")
        }
      }
    }
  }
}

private let noon = "2024-05-01T12:00:00Z"
private let midnight = "2024-05-01T00:00:00Z"
private let afternoon = "2024-05-01T15:04:00Z"

private let dialects: [DateDialect] = [
  DateDialect(
    "Numbers that spaces part",
    [
      ("Sat, 11 04 2020 08:51:49 +0100", "2020-04-11T07:51:49Z"),
      ("30 12 2024", "2024-12-30T00:00:00Z"), ("30 12 2024 15:04", "2024-12-30T15:04:00Z"),
      ("01 05 2024 12:00:00", noon), ("2024 05 01 12:00", noon), ("2024 05 01", midnight),
      // The weekday tells, and a number over 12 is no month.
      ("Wed, 05 01 2024 12:00:00", noon), ("12 30 2024", "2024-12-30T00:00:00Z"),
    ]),
  DateDialect(
    "Zones named after places",
    [
      ("Mon, 30 Dec 2024 10:15:00 Europe/Berlin", "2024-12-30T09:15:00Z"),
      ("Wed, 01 May 2024 14:00:00 Europe/Berlin", noon),
      ("2024-05-01T14:00:00 europe/berlin", noon), ("2024-05-01 08:00 America/New_York", noon),
      ("2024-05-01T12:00:00 (Europe/London)", "2024-05-01T11:00:00Z"),
      ("1 May 2024 22:00 Australia/Sydney", noon), ("1 May 2024 17:30 Asia/Kolkata", noon),
      ("1 May 2024 09:00 America/Argentina/Buenos_Aires", noon),
      ("1 May 2024 07:00 Canada/Central", noon), ("1 May 2024 07:00 US/Central", noon),
      // Russia had summer time until 2010, and other zones until 2014.
      ("1 Jul 2009 12:00 Europe/Moscow", "2009-07-01T08:00:00Z"),
      ("1 Jul 2013 12:00 Europe/Moscow", "2013-07-01T08:00:00Z"),
      ("1 Jul 2024 12:00 Europe/Moscow", "2024-07-01T09:00:00Z"),
      // The hour that comes twice, and the one that never comes.
      ("27 Oct 2024 02:30 Europe/Berlin", "2024-10-27T00:30:00Z"),
      ("27 Oct 2024 03:30 Europe/Berlin", "2024-10-27T02:30:00Z"),
      ("31 Mar 2024 01:30 Europe/Berlin", "2024-03-31T00:30:00Z"),
      ("31 Mar 2024 03:30 Europe/Berlin", "2024-03-31T01:30:00Z"),
      // Java's way of writing it: the number counts.
      ("2024-05-01T14:00:00+02:00[Europe/Paris]", noon),
      ("1 May 2024 12:00 GMT Europe/Paris", noon),
      // A place that nobody knows, and a date without a time.
      ("1 May 2024 12:00 Europe/Nowhere", noon), ("1 May 2024 Europe/Berlin", midnight),
      ("1 May 2024 12:00 a/b", noon),
    ]),
  DateDialect(
    "ISO 8601 that was cut",
    [
      ("2024-12-30T10:1", "2024-12-30T10:00:00Z"), ("2024-12-30T10:", "2024-12-30T10:00:00Z"),
      ("2024-12-30T1", "2024-12-30T00:00:00Z"), ("2024-12-30T", "2024-12-30T00:00:00Z"),
      ("2024-12-30T10:15:", "2024-12-30T10:15:00Z"),
      ("2024-12-30T10:15:3", "2024-12-30T10:15:00Z"),
      ("2024-12-30T10:15:30.", "2024-12-30T10:15:30Z"),
      ("2024-12-30T10:15:30+01:", "2024-12-30T09:15:30Z"),
      ("20241230T101", "2024-12-30T10:00:00Z"), ("20241230T10153", "2024-12-30T10:15:00Z"),
      // Without their zeros numbers are whole.
      ("2024-12-30T9:5:3", "2024-12-30T09:05:03Z"), ("2024-12-3T10:15", "2024-12-03T10:15:00Z"),
    ]),
  DateDialect(
    "The weekday tells the day from the month",
    [
      ("Wed, 05/01/2024 - 12:00", noon), ("Wednesday 05/01/2024 12:00", noon),
      ("Wed, 01/05/2024 - 12:00", noon), ("Fri, 05/01/2024 - 12:00", "2024-01-05T12:00:00Z"),
      // Right for both, and for neither: the day is first.
      ("Wed, 07/02/2018 12:00", "2018-02-07T12:00:00Z"),
      ("Sun, 05/01/2024 12:00", "2024-01-05T12:00:00Z"),
    ]),
  DateDialect(
    "North America writes the month first",
    [
      ("05/01/2024 12:00:00 EDT", "2024-05-01T16:00:00Z"),
      ("05/01/2024 12:00 PT", "2024-05-01T19:00:00Z"),
      ("01/05/2024 03:04:05 p. m.", "2024-05-01T15:04:05Z"),
      ("01/05/2024 03:04:05 CH", "2024-05-01T15:04:05Z"),
      ("1/5/2024 下午 3:04", "2024-05-01T15:04:00Z"),
    ]),
  DateDialect(
    "Zones of North America in winter and in summer",
    [
      ("Wed, 01 May 2024 12:00:00 ET", "2024-05-01T16:00:00Z"),
      ("Mon, 01 Jan 2024 12:00:00 ET", "2024-01-01T17:00:00Z"),
      ("Sat, 09 Mar 2024 12:00:00 PT", "2024-03-09T20:00:00Z"),
      ("Sun, 10 Mar 2024 12:00:00 PT", "2024-03-10T19:00:00Z"),
      ("Sat, 02 Nov 2024 12:00:00 CT", "2024-11-02T17:00:00Z"),
      ("Sun, 03 Nov 2024 12:00:00 CT", "2024-11-03T18:00:00Z"),
      ("Mon, 01 Jan 2024 12:00:00 AT", "2024-01-01T16:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 AT", "2024-07-01T15:00:00Z"),
      ("May 1, 2024 12:00 PM Atlantic Time", "2024-05-01T15:00:00Z"),
      ("MAY 1, 2024 AT 12:00", noon),
      ("May 1, 2024 12:00 PM Eastern Time", "2024-05-01T16:00:00Z"),
      ("May 1, 2024 12:00 PM Eastern Daylight Time", "2024-05-01T16:00:00Z"),
      ("May 1, 2024 12:00 PM Mountain Standard Time", "2024-05-01T19:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 IDT", "2024-05-01T09:00:00Z"),
      ("1 May 2024 12:00 EST5EDT", "2024-05-01T16:00:00Z"),
      ("05/01/2024 3:04 p.m.", "2024-05-01T15:04:00Z"),
      ("1 May 2024 12:00 AUS Eastern Standard Time", noon),
    ]),
  DateDialect(
    "Eras of Japan and Taiwan",
    [
      ("令和6年5月1日", midnight), ("平成31年4月30日", "2019-04-30T00:00:00Z"),
      ("昭和64年1月7日", "1989-01-07T00:00:00Z"), ("民國113年5月1日", midnight),
      ("令和元年5月1日", "2019-05-01T00:00:00Z"), ("令和6年5月1日 12:00", noon),
    ]),
  DateDialect(
    "ASP.NET in JSON", [("/Date(1714564800000)/", noon), ("/Date(1714564800000+0200)/", noon)]),
  DateDialect(
    "RFC 822, 1123, 2822",
    [
      ("Wed, 01 May 2024 12:00:00 GMT", noon),
      ("Wed, 1 May 2024 12:00:00 GMT", noon),
      ("01 May 2024 12:00:00 GMT", noon),
      ("01 May 2024 12:00 UT", noon),
      ("Wed, 01 May 2024 12:00 GMT", noon),
      ("Wed, 01 May 24 12:00:00 Z", noon),
      ("Fri, 01 May 98 12:00:00 GMT", "1998-05-01T12:00:00Z"),
      ("Fri, 01 May 49 12:00:00 GMT", "2049-05-01T12:00:00Z"),
      ("Mon, 01 May 50 12:00:00 GMT", "1950-05-01T12:00:00Z"),
      ("Wed, 01 May 124 12:00:00 GMT", noon),
      ("Wed, 01 May 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 -0530", "2024-05-01T17:30:00Z"),
      ("Wed, 01 May 2024 12:00:00 +02:00", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 +0000", noon),
      ("Wed, 01 May 2024 12:00:00 -0000", noon),
      ("Wed, 01 May 2024 12:00:00 UTC", noon),
      ("Wed, 01 May 2024 12:00:00", noon),
      ("Wed, 01 May 2024", midnight),
      ("Mon, 01 May 2024 12:00:00 GMT", noon),
      ("wed, 01 may 2024 12:00:00 gmt", noon),
      ("WED, 01 MAY 2024 12:00:00 GMT", noon),
      ("Wed,01 May 2024 12:00:00 GMT", noon),
      ("Wed , 01 May 2024 12:00:00 GMT", noon),
      ("Wed, 01  May  2024  12:00:00  GMT", noon),
      ("Wed, 01 May 2024 12:00:00GMT", noon),
      ("Wed, 01 May 2024, 12:00:00 GMT", noon),
      ("Wed, 01 May 2024 at 12:00:00 GMT", noon),
      ("Wednesday, 01 May 2024 12:00:00 GMT", noon),
      ("Wed 01 May 2024 12:00:00 GMT", noon),
      ("Tue, 3 September 2024 9:05:07 GMT", "2024-09-03T09:05:07Z"),
      ("Tue, 3 Sept 2024 09:05:07 GMT", "2024-09-03T09:05:07Z"),
      ("Tue, 3 Sept. 2024 09:05:07 GMT", "2024-09-03T09:05:07Z"),
      ("Thu, 29 Feb 2024 23:59:60 GMT", "2024-03-01T00:00:00Z"),
      ("Wed, 01 May 2024 24:00:00 GMT", "2024-05-02T00:00:00Z"),
      ("Wed, 01 May 2024 12:00:00.500 GMT", noon),
      ("Wed, 01 May 2024 12:00:00:500 GMT", noon),
      ("Wed, 01 May 2024 12:00:00 GMT (Greenwich)", noon),
      ("\n  Wed, 01 May 2024 12:00:00 GMT  ", noon),
      ("\t\n01 May 2024\n12:00:00\nGMT\r\n", noon),
      ("Wed,\u{A0}01\u{A0}May\u{A0}2024 12:00:00 GMT", noon),
    ]),
  DateDialect(
    "Zones by name",
    [
      ("Wed, 01 May 2024 12:00:00 EST", "2024-05-01T17:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 EDT", "2024-05-01T16:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 CST", "2024-05-01T18:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 MST", "2024-05-01T19:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 PST", "2024-05-01T20:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 PDT", "2024-05-01T19:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 CET", "2024-05-01T11:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 CEST", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 MESZ", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 BST", "2024-05-01T11:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 IST", "2024-05-01T06:30:00Z"),
      ("Wed, 01 May 2024 12:00:00 JST", "2024-05-01T03:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 KST", "2024-05-01T03:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 MSK", "2024-05-01T09:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 AEST", "2024-05-01T02:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 NZST", "2024-05-01T00:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 BRT", "2024-05-01T15:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 A", noon),
      ("Wed, 01 May 2024 12:00:00 XYZ", noon),
      ("Wed, 01 May 2024 12:00:00 Europe/Berlin", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 America/New_York", "2024-05-01T16:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 Etc/UTC", noon),
      ("Wed, 01 May 2024 12:00:00 Etc/GMT", noon),
      ("Wed, 01 May 2024 12:00:00 Etc/GMT+5", "2024-05-01T17:00:00Z"),
      ("2024-05-01 12:00:00 Etc/GMT-2", "2024-05-01T10:00:00Z"),
      ("2024-05-01 12:00:00 Europe/Berlin", "2024-05-01T10:00:00Z"),
    ]),
  DateDialect(
    "Zones by number",
    [
      ("Wed, 01 May 2024 12:00:00 GMT+0200", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 GMT +02:00", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 GMT+2", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 UTC+02:00", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 UTC-3", "2024-05-01T15:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 +2", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 +02", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 +2:00", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 -500", "2024-05-01T17:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 +0200 (CEST)", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 (UTC+2)", "2024-05-01T10:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 +0530 IST", "2024-05-01T06:30:00Z"),
      ("Wed, 01 May 2024 12:00:00 EST-0500", "2024-05-01T17:00:00Z"),
      ("Wed, 01 May 2024 12:00:00 \u{2212}0500", "2024-05-01T17:00:00Z"),
      ("2024-05-01T12:00:00\u{2212}05:00", "2024-05-01T17:00:00Z"),
      ("2024-05-01T12:00:00\u{2013}05:00", "2024-05-01T17:00:00Z"),
      ("2024-05-01T12:00:00 Z", noon),
      ("2024-05-01T12:00:00+14:00", "2024-04-30T22:00:00Z"),
      ("2024-05-01T12:00:00-12:00", "2024-05-02T00:00:00Z"),
      ("2024-05-01T12:00:00+05:45", "2024-05-01T06:15:00Z"),
    ]),
  DateDialect(
    "RFC 850, asctime, JavaScript, date(1)",
    [
      ("Wednesday, 01-May-24 12:00:00 GMT", noon),
      ("Wed, 01-May-2024 12:00:00 GMT", noon),
      ("01-May-2024", midnight),
      ("2024-May-01", midnight),
      ("Wed May  1 12:00:00 2024", noon),
      ("Wed May 1 12:00:00 EST 2024", "2024-05-01T17:00:00Z"),
      ("Wed May 01 12:00:00 +0200 2024", "2024-05-01T10:00:00Z"),
      ("Wed May  1 12:00:00 UTC 2024", noon),
      ("Wed May 01 2024 12:00:00 GMT+0200 (Central European Summer Time)", "2024-05-01T10:00:00Z"),
      ("Wed May 01 2024 12:00:00 GMT+0200 (Mitteleuropäische Sommerzeit)", "2024-05-01T10:00:00Z"),
      ("Wed  1 May 12:00:00 UTC 2024", noon),
    ]),
  DateDialect(
    "English, as people write it",
    [
      ("May 1, 2024 3:04 PM", afternoon),
      ("May 1, 2024 12:04 am", "2024-05-01T00:04:00Z"),
      ("May 1, 2024 12:04 pm", "2024-05-01T12:04:00Z"),
      ("May 1, 2024, 3:04 p.m.", afternoon),
      ("May 1, 2024 at 3:04pm", afternoon),
      ("May 1, 2024 3 PM", "2024-05-01T15:00:00Z"),
      ("May 1, 2024 3:04 PM EST", "2024-05-01T20:04:00Z"),
      ("Wednesday, May 1, 2024 - 15:04", afternoon),
      ("Wed, May 1st, 2024", midnight),
      ("1st of May 2024", midnight),
      ("2nd March 2024", "2024-03-02T00:00:00Z"),
      ("May 1 2024", midnight),
      ("1 May 2024", midnight),
      ("1 May '24", midnight),
      ("May 2024", midnight),
      ("Posted on Wednesday, May 1, 2024 by the editor", midnight),
      ("Published: 2024-05-01 15:04", afternoon),
      ("1 May 2024 15:04 | 3 comments", afternoon),
      ("Last updated: May 1, 2024 15:04 UTC.", afternoon),
      ("1 May 2024, 15:04 - 16:30", afternoon),
      ("3:04 pm, May 1, 2024", afternoon),
      ("15:04, 1 May 2024", afternoon),
      ("2024-05-01/2024-05-02", midnight),
    ]),
  DateDialect(
    "RFC 3339",
    [
      ("2024-05-01T12:00:00Z", noon),
      ("2024-05-01t12:00:00z", noon),
      ("2024-05-01 12:00:00Z", noon),
      ("2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00Z"),
      ("2024-05-01T12:00:00.123456789+02:00", "2024-05-01T10:00:00Z"),
      ("2024-05-01T12:00:00.5Z", noon),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
      ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
      ("1900-03-01T00:00:00Z", "1900-03-01T00:00:00Z"),
      ("1900-01-01T00:00:00Z", "1900-01-01T00:00:00Z"),
      ("2199-12-31T23:59:59Z", "2199-12-31T23:59:59Z"),
    ]),
  DateDialect(
    "ISO 8601 and near it",
    [
      ("2024-05-01T12:00:00,5Z", noon),
      ("2024-05-01T12:00:00-0700", "2024-05-01T19:00:00Z"),
      ("2024-05-01T12:00:00.000+0000", noon),
      ("2024-05-01T12:00:00+02", "2024-05-01T10:00:00Z"),
      ("2024-05-01T12:00Z", noon),
      ("2024-05-01T12Z", noon),
      ("2024-05-01T12:00:00", noon),
      ("2024-05-01T12:00:00.Z", noon),
      ("2024-05-01 12:00:00", noon),
      ("2024-05-01  12:00:00", noon),
      ("2024-05-01 12:00", noon),
      ("2024-05-01 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("2024-05-01 12:00:00 UTC", noon),
      ("2024-05-01 12:00:00.0", noon),
      ("2024-05-01 12:00:00 PM", noon),
      ("2024-05-01 03:04:00 PM", afternoon),
      ("2024-05-01 15:04:00 PM", afternoon),
      ("2024-05-01 15:04:00 EDT", "2024-05-01T19:04:00Z"),
      ("2024-05-01T12:00:00+02:00[Europe/Berlin]", "2024-05-01T10:00:00Z"),
      ("2024-05-01T12:00:00Z[UTC]", noon),
      ("2024-05-01, 12:00", noon),
      ("2024-05-01T24:00:00Z", "2024-05-02T00:00:00Z"),
      ("20240501T120000Z", noon),
      ("20240501T120000+0200", "2024-05-01T10:00:00Z"),
      ("20240501T1200", noon),
      ("20240501120000", noon),
      ("202405011200", noon),
      ("20240501", midnight),
      ("2024/05/01", midnight),
      ("2024/05/01 12:00:00", noon),
      ("2024.05.01 12:00", noon),
      ("2024-5-1", midnight),
      ("2024-5-1 9:05", "2024-05-01T09:05:00Z"),
      ("2024-05-01", midnight),
      ("2024-05-01Z", midnight),
      ("2024-05", midnight),
      ("2024", "2024-01-01T00:00:00Z"),
    ]),
  DateDialect(
    "ISO weeks and days of the year",
    [
      ("2024-W18-3", midnight),
      ("2024W183", midnight),
      ("2024-W18", "2024-04-29T00:00:00Z"),
      ("2024-W18-3T12:00:00Z", noon),
      ("2024-W18-3 12:00", noon),
      ("2020-W53-5", "2021-01-01T00:00:00Z"),
      ("2021-W01-1", "2021-01-04T00:00:00Z"),
      ("2019-W01-1", "2018-12-31T00:00:00Z"),
      ("2024-122", midnight),
      ("2024122", midnight),
      ("2024-122T12:00:00Z", noon),
      ("2024-366", "2024-12-31T00:00:00Z"),
      ("2023-365", "2023-12-31T00:00:00Z"),
    ]),
  DateDialect(
    "Unix time",
    [
      ("1714564800", noon),
      ("1714564800000", noon),
      (" 1714564800\n", noon),
      ("1714564800.75", noon),
      ("1000000000", "2001-09-09T01:46:40Z"),
    ]),
  DateDialect(
    "Numbers in the order of America",
    [
      ("5/1/2024 3:04:00 PM", afternoon),
      ("05/01/2024 3:04 PM", afternoon),
      ("5/1/2024 12:00:00 PM", noon),
      ("5/13/2024", "2024-05-13T00:00:00Z"),
      ("05/13/2024 12:00:00", "2024-05-13T12:00:00Z"),
      ("5/1/24 3:04 PM", afternoon),
      ("05-13-2024", "2024-05-13T00:00:00Z"),
    ]),
  DateDialect(
    "Numbers, the day first",
    [
      ("01/05/2024", midnight),
      ("01/05/2024 12:00", noon),
      ("01/05/2024 12:00:00", noon),
      ("13/05/2024 3:04 PM", "2024-05-13T15:04:00Z"),
      ("01/05/24 12:00", noon),
      ("01.05.2024 12:00", noon),
      ("01.05.2024, 12:00 Uhr", noon),
      ("1.5.2024 12.00", noon),
      ("1. 5. 2024 12:00", noon),
      ("01.05.24", midnight),
      ("01-05-2024 12:00:00", noon),
      ("12:00 01.05.2024", noon),
      ("12:00 - 01/05/2024", noon),
      ("Mi, 01.05.2024 - 12:00", noon),
    ]),
  DateDialect(
    "German",
    [
      ("Mi, 01 Mai 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("1. Mai 2024, 12:00 Uhr", noon),
      ("Mittwoch, 1. Mai 2024 - 15:04", afternoon),
      ("Fr, 01 Mär 2024 12:00:00 GMT", "2024-03-01T12:00:00Z"),
      ("1. März 2024", "2024-03-01T00:00:00Z"),
      ("Di, 01 Okt 2024 12:00:00 MESZ", "2024-10-01T10:00:00Z"),
      ("So, 01 Dez 2024 12:00:00 MEZ", "2024-12-01T11:00:00Z"),
      ("1. Jänner 2024", "2024-01-01T00:00:00Z"),
      ("01 Mai 2024", midnight),
      ("am 1. Mai 2024 um 12:00 Uhr", noon),
      ("um 12:00 Uhr am 1. Mai 2024", noon),
      ("SA, 04 MAI 2024 12:00", "2024-05-04T12:00:00Z"),
    ]),
  DateDialect(
    "French",
    [
      ("mer., 01 mai 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("mar. 7 mai 2024", "2024-05-07T00:00:00Z"),
      ("le 1er mai 2024 à 15h04", afternoon),
      ("1 février 2024 15 h 04", "2024-02-01T15:04:00Z"),
      ("jeu. 15 févr. 2024 12:00", "2024-02-15T12:00:00Z"),
      ("jeudi 1 août 2024", "2024-08-01T00:00:00Z"),
      ("1 decembre 2024", "2024-12-01T00:00:00Z"),
      ("Jeu, 04 Juil 2024 12:00:00 GMT", "2024-07-04T12:00:00Z"),
    ]),
  DateDialect(
    "Spanish, Catalan",
    [
      ("mié, 01 may 2024 12:00:00 +0000", noon),
      ("1 de mayo de 2024, 12:00", noon),
      ("mar, 02 ene 2024 12:00:00 GMT", "2024-01-02T12:00:00Z"),
      ("mar, 05 mar 2024 12:00:00 GMT", "2024-03-05T12:00:00Z"),
      ("1 de enero de 2024 3:04 p. m.", "2024-01-01T15:04:00Z"),
      ("Lun, 02 dic 2024 12:00:00 GMT", "2024-12-02T12:00:00Z"),
      ("5 de setiembre de 2024", "2024-09-05T00:00:00Z"),
      ("1 de maig de 2024", midnight),
    ]),
  DateDialect(
    "Portuguese",
    [
      ("qua, 01 mai 2024 12:00:00 -0300", "2024-05-01T15:00:00Z"),
      ("1º de maio de 2024 às 15h04", afternoon),
      ("sex, 01 mar 2024 12:00:00 GMT", "2024-03-01T12:00:00Z"),
      ("1 de março de 2024", "2024-03-01T00:00:00Z"),
      ("seg, 02 set 2024 12:00", "2024-09-02T12:00:00Z"),
      ("dom, 01 dez 2024 12:00:00 GMT", "2024-12-01T12:00:00Z"),
    ]),
  DateDialect(
    "Italian",
    [
      ("mer, 01 mag 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("mercoledì 1 maggio 2024 15:04", afternoon),
      ("lun, 01 gen 2024 12:00:00 GMT", "2024-01-01T12:00:00Z"),
      ("mar, 01 ott 2024 12:00:00 GMT", "2024-10-01T12:00:00Z"),
      ("1° agosto 2024", "2024-08-01T00:00:00Z"),
    ]),
  DateDialect(
    "Dutch",
    [
      ("wo, 01 mei 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("woensdag 1 mei 2024 15:04", afternoon),
      ("vr, 01 mrt 2024 12:00:00 GMT", "2024-03-01T12:00:00Z"),
      ("1 maart 2024", "2024-03-01T00:00:00Z"),
    ]),
  DateDialect(
    "Danish, Norwegian, Swedish, Finnish",
    [
      ("ons, 01 maj 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("onsdag den 1. maj 2024 kl. 15.04", afternoon),
      ("ti., 1 okt. 2024 12:00", "2024-10-01T12:00:00Z"),
      ("1. desember 2024", "2024-12-01T00:00:00Z"),
      ("1 augusti 2024 12:00", "2024-08-01T12:00:00Z"),
      ("1. toukokuuta 2024 klo 15.04", afternoon),
      ("ke, 01 touko 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
    ]),
  DateDialect(
    "Polish",
    [
      ("śr., 01 maj 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("1 maja 2024, 15:04", afternoon),
      ("wt, 01 paź 2024 12:00:00 GMT", "2024-10-01T12:00:00Z"),
      ("1 września 2024", "2024-09-01T00:00:00Z"),
      ("1 stycznia 2024 r.", "2024-01-01T00:00:00Z"),
    ]),
  DateDialect(
    "Czech, Slovak",
    [
      ("st, 01 kvě 2024 12:00:00 +0200", "2024-05-01T10:00:00Z"),
      ("1. května 2024 15:04", afternoon),
      ("1. července 2024", "2024-07-01T00:00:00Z"),
      ("1. června 2024", "2024-06-01T00:00:00Z"),
      ("1. listopadu 2024", "2024-11-01T00:00:00Z"),
      ("1. mája 2024", midnight),
    ]),
  DateDialect(
    "Hungarian, Romanian, Turkish, Indonesian, Vietnamese",
    [
      ("2024. május 1., szerda 15:04", afternoon),
      ("2024. máj. 1. 15:04", afternoon),
      ("2024. 05. 01. 15:04", afternoon),
      ("2024. 05. 01., 15:04", afternoon),
      ("mie., 01 mai 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
      ("1 ianuarie 2024", "2024-01-01T00:00:00Z"),
      ("Çar, 01 May 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
      ("Paz, 05 May 2024 12:00:00 +0300", "2024-05-05T09:00:00Z"),
      ("1 Mayıs 2024 Çarşamba 15:04", afternoon),
      ("1.05.2024 ÖS 3:04", afternoon),
      ("1 ARALIK 2024", "2024-12-01T00:00:00Z"),
      ("01 Şub 2024 12:00", "2024-02-01T12:00:00Z"),
      ("Rabu, 01 Mei 2024 12:00:00 +0700", "2024-05-01T05:00:00Z"),
      ("1 Agustus 2024", "2024-08-01T00:00:00Z"),
      ("1 tháng 5, 2024 15:04", afternoon),
      ("Ngày 1 Tháng 5 năm 2024", midnight),
    ]),
  DateDialect(
    "Russian, Ukrainian, Bulgarian",
    [
      ("Ср, 01 май 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
      ("1 мая 2024 г., 15:04", afternoon),
      ("1 мая 2024 в 15:04", afternoon),
      ("Пт, 01 мар 2024 12:00:00 +0300", "2024-03-01T09:00:00Z"),
      ("1 СЕНТЯБРЯ 2024", "2024-09-01T00:00:00Z"),
      ("15 нояб. 2024 12:00", "2024-11-15T12:00:00Z"),
      ("Ср, 01 трав 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
      ("1 травня 2024, 15:04", afternoon),
      ("1 листопада 2024", "2024-11-01T00:00:00Z"),
      ("1 юни 2024", "2024-06-01T00:00:00Z"),
    ]),
  DateDialect(
    "Greek",
    [
      ("Τετ, 01 Μαΐ 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
      ("1 Μαΐου 2024 15:04", afternoon),
      ("Τετάρτη, 1 Μαΐου 2024, 3:04 μ.μ.", afternoon),
      ("1 ΙΟΥΛΙΟΥ 2024", "2024-07-01T00:00:00Z"),
      ("01 Σεπ 2024 12:00", "2024-09-01T12:00:00Z"),
    ]),
  DateDialect(
    "Chinese, Japanese",
    [
      ("2024年5月1日 12:00:00", noon),
      ("2024年05月01日", midnight),
      ("2024年5月1日 星期三 15:04", afternoon),
      ("2024年5月1日（水）15:04", afternoon),
      ("2024年5月1日 下午3:04", afternoon),
      ("2024年5月1日 上午12:04", "2024-05-01T00:04:00Z"),
      ("2024年5月1日 午後3:04", afternoon),
      ("2024年5月1日15時04分00秒", afternoon),
      ("2024年5月1日15时04分", afternoon),
      ("２０２４年５月１日　１５：０４", afternoon),
      ("2024 年 5 月 1 日 15:04", afternoon),
      ("发布时间：2024-05-01 15:04", afternoon),
      ("2024年5月", midnight),
    ]),
  DateDialect(
    "Korean",
    [
      ("2024년 5월 1일 오후 3:04", afternoon),
      ("2024년 5월 1일 오전 12:04", "2024-05-01T00:04:00Z"),
      ("2024년 5월 1일 수요일 15:04", afternoon),
      ("2024년 5월 1일 15시 04분", afternoon),
      ("2024. 5. 1. 오후 3:04:00", afternoon),
      ("2024.05.01 15:04", afternoon),
      ("2024.05.01. 15:04", afternoon),
    ]),
  DateDialect(
    "Arabic, Persian, Hebrew, Hindi digits",
    [
      ("الأربعاء, 01 مايو 2024 12:00:00 +0300", "2024-05-01T09:00:00Z"),
      ("١ مايو ٢٠٢٤ ١٥:٠٤", afternoon),
      ("1 أيار 2024", midnight),
      ("1 كانون الثاني 2024", "2024-01-01T00:00:00Z"),
      ("1 كانون الأول 2024", "2024-12-01T00:00:00Z"),
      ("1 تشرين الثاني 2024", "2024-11-01T00:00:00Z"),
      ("1 مايو 2024 3:04 م", afternoon),
      ("01 جانفي 2024", "2024-01-01T00:00:00Z"),
      ("۲۰۲۴-۰۵-۰۱ ۱۵:۰۴", afternoon),
      ("1 ژانویه 2024", "2024-01-01T00:00:00Z"),
      ("1 במאי 2024, 15:04", afternoon),
      ("\u{200F}01/05/2024\u{200F} 15:04", afternoon),
      ("०१-०५-२०२४ १५:०४", afternoon),
    ]),
]
