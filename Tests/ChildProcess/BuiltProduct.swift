/// Programs built beside the tests.
package enum BuiltProduct {
  /// The path of an executable product of this package.
  ///
  /// The test bundle lies among the products; its path is the first argument on Linux, and one of
  /// the test helper's on macOS.
  package static func path(of name: String) -> String {
    for argument in CommandLine.arguments {
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { continue }
      return (parts[..<bundle] + [Substring(name)]).joined(separator: "/")
    }
    return name
  }
}
