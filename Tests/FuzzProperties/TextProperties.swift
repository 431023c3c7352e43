internal import Text

/// Text that reached the model: nothing in it steers a terminal or shows letters in another order.
///
/// Told apart here by the scalars' numbers, not with the code that is being checked.
func checkPlain(_ text: String, _ what: String, isBlock: Bool = false) throws(Violation) {
  for scalar in text.unicodeScalars where isForbidden(scalar, isBlock: isBlock) {
    throw Violation("\(what) has U+\(String(scalar.value, radix: 16)): \(text.debugDescription)")
  }
  let again = isBlock ? PlainText.sanitizedBlock(text) : PlainText.sanitized(text)
  try require(again == text, "\(what) is not settled: \(text.debugDescription)")
}

func checkLine(_ text: String?, _ what: String) throws(Violation) {
  guard let text else { return }
  try require(!text.isEmpty, "\(what) is empty, not absent")
  try checkPlain(text, what)
}

func checkWeb(_ address: String?, _ what: String) throws(Violation) {
  guard let address else { return }
  try checkPlain(address, what)
  let lower = address.lowercased()
  try require(
    lower.utf8.starts(with: "http://".utf8) || lower.utf8.starts(with: "https://".utf8),
    "\(what) is no address: \(address)")
}

private func isForbidden(_ scalar: Unicode.Scalar, isBlock: Bool) -> Bool {
  switch scalar.value {
  case 0x09, 0x0A: !isBlock
  case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
    0xE0000...0xE007F:
    true
  default: false
  }
}
