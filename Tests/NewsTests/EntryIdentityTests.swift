import Foundation
import News
import Testing

@Suite struct EntryIdentityTests {
  private static let date = Date(timeIntervalSince1970: 1_714_566_600)

  @Test(arguments: ["0", "https://example.org/", "a#telex:b", ""])
  func `The id that a feed gave to several is found in each of theirs`(_ id: String) {
    let distinct = EntryIdentity.distinct(Entry(id: id, title: "A", published: Self.date))
    #expect(distinct != id)
    #expect(EntryIdentity.shared(in: distinct) == id)
  }

  @Test(arguments: [
    "", "0", "#telex:", "0#telex:", "0#telex:599d3f48f633e02777be61998f80ebe",
    "0#telex:599D3F48F633E02777BE61998F80EBEA", "0#telex:599d3f48f633e02777be61998f80ebeé",
    "telex:599d3f48f633e02777be61998f80ebea",
  ])
  func `What is no such id has none in it`(_ id: String) {
    #expect(EntryIdentity.shared(in: id) == nil)
  }

  private static let entry = Entry(
    id: "0", url: "https://example.org/a", title: "A", published: date, contentHTML: "a")

  private static func changed(_ change: (inout Entry) -> Void) -> Entry {
    var entry = entry
    change(&entry)
    return entry
  }

  private static let file = [Enclosure(url: "https://example.org/1.mp3", type: "audio/mpeg")]

  // These ids are stored. Where one of them has to change, every database needs a migration that
  // changes them too, or its articles come a second time.
  @Test(arguments: [
    (
      Entry(id: "0", title: "A", published: date), "1eb7f987e0d04a6c2cda880e07e226a5",
      "dd0d0d7a3444b1050693e1948d875062"
    ),
    (
      Entry(id: "0", title: "A", updated: date), "1eb7f987e0d04a6c2cda880e07e226a5",
      "0b4e416ddfec20893ad802c9acf4e2e8"
    ),
    (
      Entry(id: "0", title: "A", published: date, enclosures: file),
      "7637291ea75f0063410743fa1e545d72", "fda2fce46b4f5ae89f957adc55b4e791"
    ),
    (
      Entry(id: "0", title: "Ä 漢字", contentHTML: "<p>a</p>", summary: "b"),
      "591e9fd904377e8b759063fa6af9dea8", "63f93d4e38466750716c67f5ab3b5ba1"
    ),
    (
      Entry(id: "0", published: date, contentHTML: "<p>a</p>"), "750e60ca27c912a7c93772e2953def5e",
      "9cdcd8ef50919d40a0abbd4af025911d"
    ),
    (
      Entry(id: "0", published: date, summary: "b"), "90f4a67b8ee7f62b91ec8d3110cc8afe",
      "1cf2023025297a1a61ebef1a7ee05111"
    ),
    (
      Entry(id: "0", url: "https://example.org/a", title: "A", published: date),
      "1eb7f987e0d04a6c2cda880e07e226a5", "b164ee70e75c6360e157c87f8a42bca1"
    ),
    (
      Entry(id: "https://example.org/a", url: "https://example.org/a", title: "A"),
      "1a16763f0056010828bd84c8695652b7", "0b4e416ddfec20893ad802c9acf4e2e8"
    ),
    (Entry(id: ""), "994f76653e2a3951fca516b1daf989ca", "ac3fdc08a1c002aadc254e27c93fed59"),
  ])
  func `An id that is made is the same in every release`(
    _ entry: Entry, _ derived: String, _ distinct: String
  ) {
    #expect(EntryIdentity.derived(from: entry) == "telex:" + derived)
    #expect(EntryIdentity.distinct(entry) == entry.id + "#telex:" + distinct)
    #expect(EntryIdentity.isDerived(EntryIdentity.derived(from: entry)))
    #expect(!EntryIdentity.isDerived(EntryIdentity.distinct(entry)))
  }

  @Test(arguments: [
    ("the text", changed { $0.contentHTML = "b" }, true),
    ("the date of a change", changed { $0.updated = date + 60 }, true),
    ("the title", changed { $0.title = "B" }, false),
    ("the address", changed { $0.url = "https://example.org/b" }, false),
    ("the date", changed { $0.published = date + 60 }, false),
    ("the first file", changed { $0.enclosures = file }, false),
  ])
  func `Entries of one id are told apart by title, address, date and file`(
    _ what: String, _ other: Entry, _ areSame: Bool
  ) {
    #expect(
      (EntryIdentity.distinct(other) == EntryIdentity.distinct(Self.entry)) == areSame, "\(what)")
  }

  @Test(arguments: [
    ("the text", changed { $0.contentHTML = "b" }, true),
    ("the address", changed { $0.url = "https://example.org/b" }, true),
    ("the title", changed { $0.title = "B" }, false),
    ("the date", changed { $0.published = date + 60 }, false),
    ("the first file", changed { $0.enclosures = file }, false),
  ])
  func `An entry without an id is known by title, date and file`(
    _ what: String, _ other: Entry, _ areSame: Bool
  ) {
    #expect(
      (EntryIdentity.derived(from: other) == EntryIdentity.derived(from: Self.entry)) == areSame,
      "\(what)")
  }

  @Test(arguments: [
    (Entry(id: "0", title: "A", published: date), "a", "b", true),
    (Entry(id: "0", published: date), "a", "b", false),
    (Entry(id: "https://example.org/", url: "https://example.org/", title: "A"), "a", "b", false),
  ])
  func `A text counts only where there is nothing else to tell an entry by`(
    _ entry: Entry, _ one: String, _ other: String, _ areSame: Bool
  ) {
    var (first, second) = (entry, entry)
    first.contentHTML = one
    second.contentHTML = other
    #expect((EntryIdentity.distinct(first) == EntryIdentity.distinct(second)) == areSame)
  }
}
