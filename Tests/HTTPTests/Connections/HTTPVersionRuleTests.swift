internal import Testing

@testable internal import HTTP

/// Which version of HTTP a request is sent with.
@Suite struct HTTPVersionRuleTests {
  private static let able = HTTPVersionRule(hasFeature: true, version: 0x08_08_00)

  @Test func `HTTP/3 is asked for over TLS, directly and without a pinned key`() {
    let rule = Self.able
    #expect(rule.newest(isSecure: true, isDirect: true, isPinned: false) == .three)
    #expect(rule.newest(isSecure: false, isDirect: true, isPinned: false) == .two)
    #expect(rule.newest(isSecure: true, isDirect: false, isPinned: false) == .two)
    #expect(rule.newest(isSecure: true, isDirect: true, isPinned: true) == .two)
  }

  @Test func `An upgrade is asked for over HTTP/1.1`() {
    #expect(
      Self.able.newest(isSecure: true, isDirect: true, isPinned: false, isUpgrade: true) == .one)
  }

  @Test(arguments: [
    (false, UInt32(0x09_00_00), HTTPVersionRule.Support.none), (true, 0x07_58_01, .experimental),
    (true, 0x08_07_01, .experimental), (true, 0x08_08_00, .full), (false, 0x08_08_00, .none),
  ])
  func `A library without HTTP/3, or with it as an experiment, is asked for HTTP/2`(
    hasFeature: Bool, version: UInt32, support: HTTPVersionRule.Support
  ) {
    let rule = HTTPVersionRule(hasFeature: hasFeature, version: version)
    #expect(rule.support == support)
    let newest = rule.newest(isSecure: true, isDirect: true, isPinned: false)
    #expect(newest == (support == .full ? .three : .two))
  }

  @Test func `The library of this machine says whether it has HTTP/3`() throws {
    let library = try NetworkLibrary.load()
    #expect((library.http3 == .none) == !library.features.contains(.http3))
  }
}
