extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
