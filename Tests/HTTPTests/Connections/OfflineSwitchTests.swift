import FeedServer
import HTTP
import Testing

@Suite struct OfflineSwitchTests {
  @Test func `No request of a client is sent while the switch is on`() async throws {
    let server = RawServer { _ in .reply(WireReply(type: "text/plain", text: "hello")) }
    let request = HTTPRequest(.get, "http://127.0.0.1:\(try server.start())/")
    var configuration = HTTPClient.Configuration()
    let offline = OfflineSwitch(isOn: true)
    configuration.offline = offline
    let client = makeClient(client: configuration)
    #expect(await kind(of: { try await client.response(for: request) }) == .offlineByChoice)
    #expect(await kind(of: { try await client.stream(for: request) }) == .offlineByChoice)
    #expect(try await client.trace(request).error?.kind == .offlineByChoice)
    #expect(server.requests.isEmpty)
    offline.isOn = false
    #expect(try await client.response(for: request).head.status == 200)
    #expect(server.requests.count == 1)
    await server.stop()
  }
}
