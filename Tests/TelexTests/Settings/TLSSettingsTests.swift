import Foundation
import LoopbackTLS
import Requirements
import Testing

/// The settings of TLS, as the built program obeys them.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct TLSSettingsTests {
  @Test(arguments: [
    ("-tls1_2", "1.3", false), ("-tls1_3", "1.3", true), ("-tls1_2", "1.2", true),
    ("-tls1_3", "1.2", true),
  ])
  func `min_tls says which servers are too old`(
    offered: String, least: String, isRead: Bool
  ) async throws {
    let feed =
      "<rss version='2.0'><channel><title>T</title><item><title>Read</title></item></channel></rss>"
    let server = try await TLSServer([offered], document: ("application/rss+xml", feed))
    let sandbox = try Sandbox()
    let config = try sandbox.file(
      "config.toml",
      "[network]\nmin_tls = \"\(least)\"\nca_file = \"\(server.certificate)\"\n")
    let outcome = try await sandbox.telex(
      "fetch", server.url + "document", "--config", config, "--json")
    if isRead {
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(outcome.output.contains("\"Read\""))
    } else {
      let error = try #require(try outcome.jsonLines().last?["error"] as? [String: Any])
      #expect(error["stage"] as? String == "connect")
      let message = try #require(error["message"] as? String)
      #expect(message.contains("does not offer TLS 1.3 or newer"), "\(message)")
    }
  }
}
