package enum PlainText {
  package static func stripped(html: String, limit: Int = .max) -> String { html }
  package static func sanitized(_ s: String) -> String { s }
}
