internal import Testing

@testable import TelexKit

@Suite struct VersionTests {
  @Test func `The name in requests has the address of the project where there is one`() {
    #expect(Version.userAgent(home: "") == "Telex/\(Version.current)")
    #expect(
      Version.userAgent(home: "https://example.org/telex")
        == "Telex/\(Version.current) (+https://example.org/telex)")
    #expect(Version.userAgent == Version.userAgent(home: Version.home))
  }
}
