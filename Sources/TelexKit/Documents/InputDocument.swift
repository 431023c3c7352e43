package import News
internal import Services
internal import Syndication

/// A document that a user names: a file, or `-` for standard input.
package enum InputDocument {
  /// The bytes of a document of at most 64 MB.
  package static func bytes(of file: String) throws -> [UInt8] {
    try InputFile(path: file, limit: 64 << 20).bytes()
  }

  /// A feed document of at most 256 MB, read in pieces.
  ///
  /// - Parameter baseURL: the base of relative addresses.
  package static func feed(
    of file: String, contentType: String? = nil, baseURL: String? = nil
  ) throws -> ParsedFeed {
    let limit = 256 << 20
    var parser = FeedParser(contentType: contentType, baseURL: baseURL, unpackedLimit: limit)
    try InputFile(path: file, limit: limit).forEachPiece { parser.consume($0) }
    do throws(SourceError) {
      return try parser.finish()
    } catch {
      var error = error
      if file != "-" { error.subject = file }
      throw error
    }
  }
}

extension InputDocument {
  /// The article of a web page of at most 64 MB.
  ///
  /// - Parameters:
  ///   - url: the base of relative addresses.
  ///   - config: the path of the settings, beside the rules for sites; nil for the default.
  package static func article(
    of file: String, url: String? = nil, contentType: String? = nil, config: String? = nil
  ) throws -> PageArticle {
    let rules = try SiteRules(path: Settings.sitesFile(beside: config))
    return try PageArticleReader.read(
      bytes(of: file), contentType: contentType, url: url, rules: rules.rules(for: url))
  }
}
