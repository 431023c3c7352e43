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

  @Test func `An id that was made is known as such, and is what it was in every release`() {
    let entry = Entry(id: "0", title: "A", published: Self.date)
    let derived = EntryIdentity.derived(from: entry)
    #expect(EntryIdentity.isDerived(derived) && !EntryIdentity.isDerived("0"))
    #expect(derived == "telex:1eb7f987e0d04a6c2cda880e07e226a5")
    #expect(EntryIdentity.distinct(entry) == "0#telex:dd0d0d7a3444b1050693e1948d875062")
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
