internal import Text

extension Document {
  /// Seconds that it takes to read: 230 words of text a minute, half of that for code; 500 characters a minute of
  /// Chinese, Japanese, Korean and of what else is written without spaces; five seconds for a picture; and what sounds
  /// and videos play. At least one for a text that is not empty.
  package var readingSeconds: Int {
    var time = ReadingTime()
    blocks.visit { time.add($0) }
    return Int((time.seconds + playingSeconds).rounded(.up))
  }

  /// The pictures that stand by themselves, in their order, those within lists, quotes and paragraphs included.
  package var figures: [Image] {
    var images: [Image] = []
    blocks.visit { block in
      switch block {
      case .figure(let image): images.append(image)
      case .paragraph(let inlines):
        for case .picture(let image) in inlines.partsAroundPictures ?? [] { images.append(image) }
      default: break
      }
    }
    return images
  }

  /// The addresses of all pictures that have one, each once, in their order.
  package var pictureAddresses: [String] { pictureCounts.map(\.address) }

  /// The addresses of all pictures, each once in their order, and how often each is shown.
  package var pictureCounts: [(address: String, count: Int)] {
    var addresses: [(address: String, count: Int)] = []
    var known: [String: Int] = [:]
    func collect(_ image: Image) {
      guard let source = image.source else { return }
      if let place = known[source] {
        addresses[place].count += 1
      } else {
        known[source] = addresses.count
        addresses.append((source, 1))
      }
    }
    blocks.visit { block in
      switch block {
      case .heading(_, let inlines), .paragraph(let inlines):
        for image in inlines.compactMap(\.image) { collect(image) }
      case .figure(let image): collect(image)
      case .table(let table):
        for cell in table.rows.flatMap(\.ownCells) {
          for image in cell.inlines.compactMap(\.image) { collect(image) }
        }
      default: break
      }
    }
    return addresses
  }
}

private struct ReadingTime {
  private(set) var seconds = 0.0

  private static let word = 60.0 / 230
  private static let character = 60.0 / 500
  private static let picture = 5.0

  mutating func add(_ block: Block) {
    switch block {
    case .heading(_, let inlines), .paragraph(let inlines): add(inlines)
    case .preformatted(let code): add(code.text, factor: 2)
    case .table(let table): for cell in table.rows.flatMap(\.ownCells) { add(cell.inlines) }
    case .figure(let image):
      seconds += Self.picture
      add(image.alt)
    case .list, .quote, .indented, .rule, .note: break
    }
  }

  private mutating func add(_ inlines: [Inline]) {
    for text in inlines.compactMap(\.text) { add(text) }
  }

  private mutating func add(_ text: String, factor: Double = 1) {
    var isInWord = false
    for scalar in text.unicodeScalars {
      // Properties are slow to look up, and most text needs none.
      if scalar.value < 0x80 {
        let byte = UInt8(scalar.value)
        if byte.isASCIILetter || byte.isASCIIDigit {
          if !isInWord { seconds += Self.word * factor }
          isInWord = true
        } else if byte.isASCIISpace || scalar == "-" || scalar == "/" {
          isInWord = false
        }
      } else if Self.standsAlone(scalar) {
        seconds += Self.character * factor
        isInWord = false
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        if !isInWord { seconds += Self.word * factor }
        isInWord = true
      } else if scalar.properties.isWhitespace {
        isInWord = false
      }
    }
  }

  /// Whether a letter is of a script that is read letter by letter, as Han, Kana, Hangul and Thai are.
  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7AF, 0x20000...0x3FFFF:
      scalar.properties.isAlphabetic
    default: false
    }
  }
}
