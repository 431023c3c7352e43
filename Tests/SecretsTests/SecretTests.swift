internal import Secrets
internal import Testing

@Suite struct SecretTests {
  @Test func `A secret prints as dots, however it is printed`() {
    struct Account {
      var user = "me"
      var secret: Secret? = Secret("hunter2")
    }
    var dumped = ""
    dump([Account()], to: &dumped)
    let secret = Secret("hunter2")
    for text in [
      "\(secret)", String(reflecting: secret), String(describing: Optional(secret)),
      "\(Account())", "\(["a": secret])", dumped, "\(Result<Secret, any Error>.success(secret))",
    ] {
      #expect(text.contains("•••") && !text.contains("hunter2"), "\(text)")
    }
    #expect(secret.text == "hunter2")
  }

  @Test(arguments: [
    ("https://example.org", "https://example.org:443"),
    ("HTTPS://Example.ORG:443", "https://example.org:443"),
    ("https://example.org:8443", "https://example.org:8443"),
    ("http://localhost", "http://localhost:80"), ("http://[::1]", "http://[::1]:80"),
    ("http://[::1]:8080", "http://[::1]:8080"),
  ])
  func `A secret is bound to scheme, host and port`(origin: String, filed: String) throws {
    #expect(try SecretName(origin: origin, account: "me", kind: .password).origin == filed)
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org", "https://", "https://example.org/", "https:///x",
    "https://me:hunter2@example.org", "https://example.org/hunter2", "https://example.org?hunter2",
    "https://example.org#x", "https://example.org:", "https://example.org:0",
    "https://example.org:65536", "https://example.org:+1", "https://a b", "https://::1",
    "https://example.org\n", "https://[::1",
  ])
  func `What is no origin is refused and not repeated`(origin: String) {
    let error = #expect(throws: SecretError.self) {
      try SecretName(origin: origin, account: "me", kind: .apiKey)
    }
    #expect(error?.kind == .name)
    #expect(error.map { !"\($0)".contains("hunter2") } == true)
  }
}
