import Foundation
import News
import TestSupport
import Testing

@testable import TelexKit

/// The user's own rules for the articles of single sites.
@Suite struct SiteRulesTests {
  @Test func `A host stands for its subdomains, and the longest counts`() throws {
    let rules = try SiteRules(
      text: """
        # mine
        ["example.org"]
        keep = ".story, .lead"
        drop = ".poll"
        next = "a.next"

        ["news.example.org"]
        drop = "aside"
        """, subject: "sites.toml")
    func rule(_ url: String?) -> [String?]? {
      rules.site(of: url).map { [$0.keep, $0.drop, $0.next] }
    }
    #expect(rule("https://example.org/a") == [".story, .lead", ".poll", "a.next"])
    #expect(rule("http://www.example.org:8080/a") == [".story, .lead", ".poll", "a.next"])
    #expect(rule("https://a.news.example.org/") == [nil, "aside", nil])
    #expect(rule("https://example.com/") == nil && rule(nil) == nil && rule("x") == nil)
    #expect(try SiteRules(path: "/nonexistent/sites.toml").site(of: "https://a.example/") == nil)
  }

  @Test func `a file that is there and cannot be looked at is not taken for none`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/sites.toml"
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "sites.toml")
    let error = #expect(throws: SourceError.self) { try SiteRules(path: file) }
    #expect(error?.stage == .config)
  }

  @Test(arguments: [
    ("[\"a.example\"]\nkeep = 1", "sites.toml:2:1", "a string in quotes"),
    ("[\"b.example\"]\n\n[\"a.example\"]\ndrop = \"p:hover\"", "sites.toml:4:1", ":hover"),
    ("[\"a.example\"]\n  kep = \"p\"", "sites.toml:2:3", "no setting"),
    ("keep = \"p\"", "sites.toml:1:1", "a table for a host"),
    ("[\"a.example\"]\nkeep = \"p", "sites.toml:2", "end-of-file"),
    ("[\"no host\"]\nkeep = \"p\"", "sites.toml:1:1", "not the name of a host"),
  ])
  func `A mistake is told with its line`(text: String, place: String, words: String) throws {
    let error = try #require(throws: SourceError.self) {
      try SiteRules(text: text, subject: "sites.toml")
    }
    #expect(error.stage == .config)
    #expect(error.subject.hasPrefix(place), "\(error.subject)")
    #expect(error.message.contains(words), "\(error.message)")
  }
}
