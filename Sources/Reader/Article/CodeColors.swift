/// The comments, strings, keywords and numbers of a program's text.
///
/// One scanner with a table of languages, not a parser: one pass over the text; the rest is plain.
struct CodeColors {
  /// Bytes of a text; a longer one stays plain.
  static let longest = 64 << 10

  struct Token: Hashable {
    /// In UTF-8 bytes.
    var range: Range<Int>
    var role: TextRole
  }

  /// The tokens that are not plain, in order; none where the language is unknown.
  static func tokens(of text: String, in language: String?) -> [Token] {
    guard let language, text.utf8.count <= longest, let table = tables[names[language] ?? language]
    else { return [] }
    var text = text
    return text.withUTF8 { bytes in
      var scanner = CodeColors(table: table, bytes: bytes)
      scanner.run()
      return scanner.tokens
    }
  }

  private let table: Table
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var tokens: [Token] = []

  private init(table: Table, bytes: UnsafeBufferPointer<UInt8>) {
    self.table = table
    self.bytes = bytes
  }

  private mutating func run() {
    while position < bytes.count {
      let byte = bytes[position]
      if let comment = table.lines.first(where: { starts(with: $0) }), isComment(comment) {
        add(.codeComment, to: end(of: "\n", from: position) ?? bytes.count)
      } else if let (open, close) = table.block, starts(with: open) {
        let end = end(of: close, from: position + open.count).map { $0 + close.count }
        add(.codeComment, to: end ?? bytes.count)
      } else if let quote = table.quotes.first(where: { starts(with: $0) }) {
        add(.codeString, to: endOfString(quote))
      } else if byte.isDigit {
        scanNumber()
      } else if byte.isNameByte {
        scanName()
      } else {
        position += 1
      }
    }
  }

  private mutating func add(_ role: TextRole, to end: Int) {
    tokens.append(Token(range: position..<end, role: role))
    position = end
  }

  /// In a shell a `#` inside a word is none.
  private func isComment(_ sign: [UInt8]) -> Bool {
    sign != [0x23] || position == 0 || bytes[position - 1] <= 0x20 || bytes[position - 1] == 0x3B
  }

  private func starts(with sign: [UInt8]) -> Bool {
    position + sign.count <= bytes.count
      && sign.indices.allSatisfy { bytes[position + $0] == sign[$0] }
  }

  private func end(of sign: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + sign.count <= bytes.count {
      if sign.indices.allSatisfy({ bytes[index + $0] == sign[$0] }) { return index }
      index += 1
    }
    return nil
  }

  private func end(of sign: StaticString, from start: Int) -> Int? {
    end(of: Array("\(sign)".utf8), from: start)
  }

  /// A string of one quote ends at the end of its line at the latest.
  private func endOfString(_ quote: [UInt8]) -> Int {
    let isLong = quote.count > 1 || quote == [0x60]
    var index = position + quote.count
    while index < bytes.count {
      if bytes[index] == 0x5C {
        index += 2
        continue
      }
      if !isLong, bytes[index] == 0x0A { return index }
      if bytes[index] == quote[0], index + quote.count <= bytes.count,
        quote.indices.allSatisfy({ bytes[index + $0] == quote[$0] })
      {
        return index + quote.count
      }
      index += 1
    }
    return bytes.count
  }

  private mutating func scanNumber() {
    var end = position
    while end < bytes.count,
      bytes[end].isNameByte || bytes[end].isDigit
        || bytes[end] == 0x2E && end + 1 < bytes.count
          && bytes[end + 1].isDigit
    {
      end += 1
    }
    add(.codeNumber, to: end)
  }

  private mutating func scanName() {
    var end = position
    while end < bytes.count, bytes[end].isNameByte || bytes[end].isDigit { end += 1 }
    var name = String(decoding: bytes[position..<end], as: UTF8.self)
    if table.ignoresCase { name = name.lowercased() }
    // A member of that name is none.
    let isMember = position > 0 && bytes[position - 1] == 0x2E
    if !isMember, table.keywords.contains(name) {
      add(.codeKeyword, to: end)
    } else {
      position = end
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isNameByte: Bool {
    (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self >= 0x80
  }
}

// MARK: Languages

extension CodeColors {
  private struct Table {
    var keywords: Set<String>
    /// Signs that begin a comment up to the end of the line.
    var lines: [[UInt8]]
    var block: ([UInt8], [UInt8])?
    /// The longer ones first.
    var quotes: [[UInt8]]
    var ignoresCase = false

    init(
      _ keywords: String, lines: [String] = ["//"], block: (String, String)? = ("/*", "*/"),
      quotes: [String] = ["\"", "'"], ignoresCase: Bool = false
    ) {
      self.keywords = Set(keywords.split(separator: " ").map(String.init))
      self.lines = lines.map { Array($0.utf8) }
      self.block = block.map { (Array($0.0.utf8), Array($0.1.utf8)) }
      self.quotes = quotes.map { Array($0.utf8) }
      self.ignoresCase = ignoresCase
    }
  }

  /// Other names of languages.
  private static let names: [String: String] = [
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "ts": "typescript",
    "tsx": "typescript",
    "py": "python", "python3": "python", "rb": "ruby", "rs": "rust", "golang": "go", "sh": "shell",
    "bash": "shell", "zsh": "shell", "console": "shell", "shellscript": "shell", "c++": "cpp",
    "cc": "cpp",
    "cxx": "cpp", "h": "c", "objective-c": "c", "objc": "c", "cs": "csharp", "c#": "csharp",
    "kt": "kotlin",
    "mysql": "sql", "postgresql": "sql", "sqlite": "sql", "json5": "json", "yml": "yaml",
  ]

  private static let tables: [String: Table] = {
    let c =
      "auto break case char const continue default do double else enum extern float for goto if inline int long "
      + "register return short signed sizeof static struct switch typedef union unsigned void volatile while "
      + "bool true false NULL"
    let javascript =
      "async await break case catch class const continue debugger default delete do else export extends false "
      + "finally for from function if import in instanceof let new null of return static super switch this throw "
      + "true try typeof undefined var void while yield"
    return [
      "swift": Table(
        "actor any as associatedtype async await break case catch class continue default defer deinit do else enum "
          + "extension fallthrough false fileprivate for func guard if import in init inout internal is let "
          + "mutating nil nonisolated open operator override package private protocol public repeat return self "
          + "Self some static struct subscript super switch throw throws true try typealias var where while",
        quotes: ["\"\"\"", "\""]),
      "c": Table(c),
      "cpp": Table(
        c
          + " catch class constexpr delete explicit export friend mutable namespace new noexcept nullptr operator "
          + "override private protected public template this throw try typename using virtual"),
      "java": Table(
        "abstract boolean break byte case catch char class const continue default do double else enum extends false "
          + "final finally float for if implements import instanceof int interface long native new null package "
          + "private protected public record return short static super switch synchronized this throw throws true "
          + "try var void volatile while",
        quotes: ["\"\"\"", "\"", "'"]),
      "javascript": Table(javascript, quotes: ["\"", "'", "`"]),
      "typescript": Table(
        javascript
          + " abstract any as boolean declare enum implements interface keyof namespace never number "
          + "private protected public readonly string type unknown",
        quotes: ["\"", "'", "`"]),
      "python": Table(
        "and as assert async await break class continue def del elif else except False finally for from global if "
          + "import in is lambda match None nonlocal not or pass raise return True try while with yield",
        lines: ["#"], block: nil, quotes: ["\"\"\"", "'''", "\"", "'"]),
      "ruby": Table(
        "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not "
          + "or redo require rescue retry return self super then true undef unless until when while yield",
        lines: ["#"], block: ("=begin", "=end")),
      "go": Table(
        "break case chan const continue default defer else fallthrough for func go goto if import interface map nil "
          + "package range return select struct switch type var true false",
        quotes: ["\"", "'", "`"]),
      "rust": Table(
        "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
          + "move mut pub ref return self Self static struct super trait true type unsafe use where while",
        quotes: ["\""]),
      "kotlin": Table(
        "as break by catch class companion continue data do else false finally for fun if import in interface "
          + "internal is null object open override package private protected public return sealed super suspend "
          + "this throw true try typealias val var when while",
        quotes: ["\"\"\"", "\"", "'"]),
      "csharp": Table(
        "abstract as async await base bool break case catch class const continue decimal default delegate do double "
          + "else enum event false finally float for foreach get if in int interface internal is lock long "
          + "namespace new null object out override private protected public readonly record ref return sealed set "
          + "static string struct switch this throw true try typeof using var virtual void while yield"
      ),
      "php": Table(
        "abstract and array as break case catch class const continue default do echo else elseif extends false "
          + "final finally fn for foreach function if implements include instanceof interface namespace new null or "
          + "private protected public require return static switch this throw trait true try use var while yield",
        lines: ["//", "#"]),
      "shell": Table(
        "case do done elif else esac export fi for function if in local return select then until while",
        lines: ["#"], block: nil),
      "sql": Table(
        "add all alter and as asc begin between by case check commit constraint create cross default delete desc "
          + "distinct drop else end exists foreign from full group having if in index inner insert into is join key "
          + "left like limit not null offset on or order outer primary references returning right rollback select "
          + "set table then union unique update values view when where with",
        lines: ["--"], ignoresCase: true),
      "json": Table("true false null", quotes: ["\""]),
      "yaml": Table("true false null yes no", lines: ["#"], block: nil),
      "toml": Table("true false", lines: ["#"], block: nil, quotes: ["\"\"\"", "'''", "\"", "'"]),
    ]
  }()
}
