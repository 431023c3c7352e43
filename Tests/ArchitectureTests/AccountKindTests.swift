import Foundation
import Testing

/// The kinds of accounts are the business of `Services`: all other parts ask what an account is capable
/// of.
@Suite struct AccountKindTests {
  @Test func `No file outside Services names a kind of account but the local one`() throws {
    let sources = TargetGraphTests.root.appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var kinds: Set<String> = []
    var texts: [(path: String, text: String)] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let path = String(file.path.dropFirst(sources.path.count + 1))
      texts.append((path, try String(contentsOf: file, encoding: .utf8)))
    }
    for (path, text) in texts where path.hasPrefix("Services/") {
      kinds.formUnion(
        text.matches(of: #/static let (\w+) = AccountKind\(/#).map { String($0.1) })
    }
    #expect(kinds.contains("feedAPI"))
    for (path, text) in texts
    where !path.hasPrefix("Services/") {
      for kind in kinds {
        #expect(!text.contains(".\(kind)") && !text.contains("\"\(kind)\""), "\(path): \(kind)")
      }
      let made = text.matches(of: #/static let (\w+) = AccountKind\(/#).map { String($0.1) }
      #expect(made.allSatisfy { $0 == "local" }, "\(path): \(made)")
    }
  }

  @Test func `No file outside Services asks of which kind a sign-in is`() throws {
    let sources = TargetGraphTests.root.appending(path: "Sources")
    // `News` declares the schemes.
    let asking = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { file in
      guard file.hasSuffix(".swift"), !file.hasPrefix("Services/"),
        file != "News/Sources/SignIn.swift"
      else { return false }
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return text.contains("case .bearer") || text.contains("case .syncServer")
        || text.contains(".bearer(base") || text.contains(".syncServer(")
    }
    // Those of requests, which have nothing to do with accounts.
    #expect(asking.filter { !$0.hasPrefix("HTTP/") } == [])
  }

  @Test func `One file of Services asks of which kind an account is`() throws {
    let services = TargetGraphTests.root.appending(path: "Sources/Services")
    let files = try FileManager.default.subpathsOfDirectory(atPath: services.path)
    var asking: [String] = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: services.appending(path: file), encoding: .utf8)
      if text.contains("account.kind") { asking.append(file) }
    }
    #expect(asking == ["Accounts/AccountKinds.swift"])
  }
}
