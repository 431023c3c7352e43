import Foundation
import HTTP
import Testing

struct CodingTests {
  struct Item: Codable, Sendable, Equatable {
    var id: Int
    var updated: Date
  }

  private func answer(_ body: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      head: HTTPResponseHead(status: status, headers: [:], url: "https://api.example.org/x"),
      body: Array(body.utf8))
  }

  @Test func `JSON goes there and back with its dates`() throws {
    let item = Item(id: 7, updated: Date(timeIntervalSince1970: 1_714_566_600.25))
    let body = try HTTPBody.json(item)
    #expect(body.contentType == "application/json")
    #expect(
      String(decoding: body.bytes, as: UTF8.self)
        == #"{"id":7,"updated":"2024-05-01T12:30:00.250Z"}"#)
    let endpoint = Endpoint<Item>(json: .get, ["x"])
    #expect(try endpoint.value(of: answer(String(decoding: body.bytes, as: UTF8.self))) == item)
  }

  @Test(arguments: [
    (#"[{"id":1,"updated":"2024-05-01T12:30:00Z"},{"id":"x"}]"#, "$[1].id is not a Int"),
    (#"[{"updated":"2024-05-01T12:30:00Z"}]"#, "$[0] lacks id"),
    (#"[{"id":1,"updated":"tomorrow"}]"#, "$[0].updated is damaged: not an ISO 8601 date"),
    (#"[{"id":1,"updated":null}]"#, "$[0].updated has no "),
    ("<html>", "$ is damaged"),
  ])
  func `A body that is not what it should be says where`(body: String, detail: String) {
    let endpoint = Endpoint<[Item]>(json: .get, ["x"])
    let error = #expect(throws: HTTPError.self) { try endpoint.value(of: answer(body)) }
    #expect(error?.kind == .decoding)
    #expect(error?.detail?.hasPrefix(detail) == true, "\(error?.detail ?? "")")
    #expect(error?.message.contains("id") == false)
  }

  @Test func `An error status never reaches the decoder`() {
    let endpoint = Endpoint<Int>(.get, ["x"]) { _ in
      Issue.record("decoded")
      return 1
    }
    let error = #expect(throws: HTTPError.self) { try endpoint.value(of: answer("1", status: 500)) }
    #expect(error?.status == 500)
  }

  @Test(arguments: [
    (#"{"code":"a","message":"m"}"#, ServerError(code: "a", message: "m") as ServerError?),
    (#"{"error":"a","message":"m"}"#, ServerError(code: "a", message: "m")),
    (#"{"error":"a"}"#, ServerError(code: "a", message: "a")),
    (#"{"error":{"code":12,"message":"m"}}"#, ServerError(code: "12", message: "m")),
    (
      #"{"code":"a","message":"m","fields":{"title":"empty"}}"#,
      ServerError(code: "a", message: "m", fields: ["title": "empty"])
    ),
    (
      #"{"code":"a","message":"m","details":{"title":["x","y"]}}"#,
      ServerError(code: "a", message: "m", fields: ["title": "x; y"])
    ),
    (
      #"{"code":"a","message":"m","details":["odd"]}"#, ServerError(code: "a", message: "m")
    ),
    (#"{"errors":[{"message":"m"},{"message":"n"}]}"#, ServerError(code: "", message: "m")),
    (#"{"errors":["m"]}"#, ServerError(code: "", message: "m")),
    (#"{"errors":{"title":"empty"},"message":"m"}"#, ServerError(code: "", message: "m")),
    ("{}", nil), ("[]", nil), ("<h1>Oops</h1>", nil), ("", nil),
  ])
  func `The server's words are read in all their shapes`(body: String, expected: ServerError?) {
    #expect(ServerError(body: Array(body.utf8)) == expected)
  }
}
