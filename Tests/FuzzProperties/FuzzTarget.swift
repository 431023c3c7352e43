// The front door of the module: what has to hold for any input, one `FuzzTarget` for each reader of
// bytes from outside. The fuzzer and `FuzzTests` check the same.

/// A reader of untrusted bytes, with what has to hold for whatever it is given.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case feed, json, opml, date, encoding, html, page, sse, websocket, width, picture

  /// Reads `input` and looks at what comes out. A crash is a violation too.
  ///
  /// Where pieces matter, the first `InputPlan.headerSize` bytes say how the rest is cut.
  ///
  /// - Throws: what does not hold.
  package func check(_ input: [UInt8]) throws(Violation) {
    switch self {
    case .feed: try checkFeed(input)
    case .json: try checkJSON(input)
    case .opml: try checkOPML(input)
    case .date: try checkDate(input)
    case .encoding: try checkEncoding(input)
    case .html: try checkHTML(input)
    case .page: try checkPage(input)
    case .sse: try checkEventStream(input)
    case .websocket: try checkWebSocket(input)
    case .width: try checkWidth(input)
    case .picture: try checkPicture(input)
    }
  }
}

/// Something that has to hold and does not.
package struct Violation: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

func require(
  _ condition: Bool, _ description: @autoclosure () -> String
) throws(Violation) {
  if !condition { throw Violation(description()) }
}
