import ChildProcess
import Pictures
import Requirements
import TestSupport
import Testing

/// The program, with the libraries of this machine.
@Suite(.needs(.decoders), .needs(.chafa), .serialized, .timeLimit(.minutes(10)))
struct HelperTests {
  static let quarters = [
    "quarters.png", "quarters.jpg", "quarters.gif", "quarters.avif", "lossy.webp",
    "lossless.webp", "progressive.jpg", "inks.jpg", "interlaced.gif", "palette.png", "large.jpg",
    "animation.gif", "animation.webp", "animation.avif", "turned.avif",
    "bitmaps.ico", "png.ico",
  ]

  @Test(arguments: quarters, ["chafa", "half blocks"])
  func `The colours of every kind of file are in their places`(
    name: String, by drawing: String
  ) async throws {
    let arguments = drawing == "chafa" ? [] : ["--without", "chafa"]
    let rendition = try await HelperRun.rendition(
      ["--columns", "16", "--rows", "16", "--cell", "8x8", "--colors", "16777216"] + arguments,
      on: picture(name))
    #expect(rendition.size == PictureSize.of(try picture(name)))
    #expect(rendition.cells.count >= 32)
    #expect(rendition.hasQuarters(), "\(rendition.cells)")
  }

  @Test(arguments: PictureSymbols.allCases, [16, 256, 1 << 24])
  func `The colours are those that the terminal has`(
    symbols: PictureSymbols, colors: Int
  ) async throws {
    for arguments in [[], ["--without", "chafa"]] {
      let rendition = try await HelperRun.rendition(
        [
          "--columns", "4", "--rows", "4", "--cell", "8x8", "--colors", "\(colors)", "--symbols",
          symbols.rawValue,
        ] + arguments, on: picture("quarters.png"))
      #expect(rendition.columns == 4)
      #expect(rendition.rows == 4)
      #expect(rendition.hasQuarters(), "\(arguments) \(rendition.cells)")
      let isNumbered = rendition.cells.flatMap(\.colors).allSatisfy { color in
        switch color {
        case .palette(let number): colors == 256 ? number >= 16 : number < 16
        case .rgb: false
        case .none: false
        }
      }
      #expect(isNumbered == (colors < 1 << 24))
    }
  }

  /// The middle column of three is half red and half green above.
  @Test func `Symbols are those that were asked for`() async throws {
    let size = ["--columns", "3", "--rows", "3", "--cell", "8x8", "--colors", "256"]
    let file = try picture("quarters.png")
    func scalars(_ arguments: String...) async throws -> Set<Unicode.Scalar> {
      Set(try await HelperRun.rendition(size + arguments, on: file).cells.map(\.scalar))
    }
    let halves: Set<Unicode.Scalar> = [" ", "▀", "▄", "█"]
    #expect(try await scalars("--symbols", "half").isSubset(of: halves))
    #expect(try await scalars("--symbols", "half").count > 1)
    #expect(try await scalars("--symbols", "ascii").allSatisfy(\.isASCII))
    #expect(try await scalars("--symbols", "ascii", "--without", "chafa").allSatisfy(\.isASCII))
    let fine = try await HelperRun.rendition(size + ["--symbols", "sextants"], on: file)
    let middle = fine[1, 0]
    let sides: [Rendition.Color] =
      middle.scalar == "▌"
      ? [middle.foreground, middle.background] : [middle.background, middle.foreground]
    #expect(["▌", "▐"].contains(middle.scalar))
    #expect(sides == [.palette(196), .palette(46)])
  }

  @Test(arguments: [[], ["--without", "chafa"]])
  func `Without colours characters make the picture`(arguments: [String]) async throws {
    let size = ["--columns", "8", "--rows", "8", "--cell", "8x8", "--colors", "8"]
    func rendition(_ background: String) async throws -> Rendition {
      try await HelperRun.rendition(
        size + ["--background", background] + arguments, on: picture("quarters.png"))
    }
    func filled(_ rendition: Rendition, _ columns: Range<Int>) -> Int {
      columns.reduce(0) { sum, column in
        sum + (4..<8).count { rendition[column, $0].scalar != " " }
      }
    }
    let onDark = try await rendition("000000")
    #expect(onDark.cells.allSatisfy { $0.foreground == .none && $0.background == .none })
    #expect(filled(onDark, 4..<8) > filled(onDark, 0..<4), "yellow is lighter than blue")
    let onLight = try await rendition("ffffff")
    #expect(filled(onLight, 4..<8) < filled(onLight, 0..<4))
  }

  @Test(
    arguments: ["png", "gif", "webp", "avif"].map { "half-transparent.\($0)" } + [
      "mask.ico", "alpha.ico",
    ],
    [[], ["--without", "chafa"]])
  func `What is transparent shows the terminal's background`(
    name: String, arguments: [String]
  ) async throws {
    let rendition = try await HelperRun.rendition(
      ["--columns", "4", "--rows", "4", "--cell", "8x8", "--colors", "256"] + arguments,
      on: picture(name))
    for row in 0..<4 {
      for column in 0..<2 {
        #expect(
          rendition[column, row]
            == .init(scalar: " ", foreground: .none, background: .none))
      }
      for column in 2..<4 {
        let quarter = row < 2 ? Quarter.green : .yellow
        #expect(quarter.fills(rendition[column, row]), "\(rendition[column, row])")
      }
    }
  }

  /// Else the terminal would draw its own foreground where the picture has a hole.
  @Test func `No cell draws a character in no colour over a colour`() async throws {
    for symbols in PictureSymbols.allCases {
      for columns in ["3", "5", "7"] {
        let rendition = try await HelperRun.rendition(
          [
            "--columns", columns, "--rows", columns, "--cell", "8x8", "--colors", "256",
            "--symbols", symbols.rawValue,
          ], on: picture("half-transparent.png"))
        for cell in rendition.cells where cell.foreground == .none {
          #expect(cell.scalar == " ", "\(symbols) \(cell)")
        }
      }
    }
  }

  @Test(arguments: [(2, 16), (4, 32), (16, 64)])
  func `An icon is decoded in the size that is wanted`(columns: Int, side: Int) async throws {
    let rendition = try await HelperRun.rendition(
      of: "bitmaps.ico", "--columns", "\(columns)", "--rows", "\(columns)", "--cell", "8x8",
      "--colors", "16777216")
    #expect(rendition.size == PictureSize(width: side, height: side))
    #expect(rendition.columns == columns || side == 64)
    #expect(rendition.hasQuarters(), "\(rendition.cells)")
  }

  @Test(arguments: 1...8)
  func `A photo is turned as its camera says`(orientation: Int) async throws {
    let rendition = try await HelperRun.rendition(
      of: "orientation-\(orientation).jpg", "--cell", "8x8", "--colors", "16777216")
    #expect(rendition.size == PictureSize(width: 64, height: 32))
    #expect(rendition.columns == 8)
    #expect(rendition.rows == 4)
    #expect(rendition.hasQuarters(), "\(rendition.cells)")
  }

  @Test func `The picture fits into the cells and is not enlarged`() async throws {
    let wide = try await HelperRun.rendition(of: "wide.png", "--columns", "40", "--rows", "20")
    #expect((wide.columns, wide.rows) == (40, 5))
    let dot = try await HelperRun.rendition(of: "dot.png")
    #expect((dot.columns, dot.rows) == (1, 1))
  }

  @Test func `A channel of 16 bits is as bright as one of 8`() async throws {
    let rendition = try await HelperRun.rendition(of: "gray16.png", "--colors", "16777216")
    #expect(rendition.cells.flatMap(\.colors).allSatisfy { $0 == .rgb(0x808080) })
  }

  // MARK: What is no picture

  @Test(arguments: ["bomb.png", "bomb.gif"])
  func `A picture of too many pixels is refused`(name: String) async throws {
    let run = try await HelperRun(on: picture(name))
    #expect(run.ending == .exited(PictureError.Status.tooLarge.rawValue))
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("telex picture-helper: the picture is too large: "))
    #expect(run.errors.hasSuffix("64 Mpixel are shown\n"))
  }

  @Test func `A file of too many bytes is refused`() async throws {
    let file = try picture("quarters.jpg")
    let run = try await HelperRun(
      on: file + [UInt8](repeating: 0, count: PictureHelper.mostBytes + 1 - file.count))
    #expect(run.ending == .exited(PictureError.Status.tooLarge.rawValue))
    #expect(run.errors == "telex picture-helper: the picture is too large: more than 32 MiB\n")
  }

  @Test(arguments: ["", "no picture", "<svg xmlns='http://www.w3.org/2000/svg'/>"])
  func `What is no picture is told from one that is damaged`(text: String) async throws {
    let run = try await HelperRun(on: Array(text.utf8))
    #expect(run.ending == .exited(PictureError.Status.unknownKind.rawValue))
    #expect(run.errors.contains("no PNG, JPEG, GIF, WebP or AVIF picture"))
  }

  @Test(arguments: [
    (PictureLibrary.png, "quarters.png"), (.jpeg, "quarters.jpg"), (.gif, "quarters.gif"),
    (.webp, "lossy.webp"), (.avif, "quarters.avif"),
  ])
  func `A missing library is named with its package`(
    library: PictureLibrary, name: String
  ) async throws {
    let run = try await HelperRun(["--without", library.rawValue], on: picture(name))
    #expect(run.ending == .exited(PictureError.Status.noLibrary.rawValue))
    #expect(
      run.errors
        == "telex picture-helper: \(library.title) is not installed; install \(library.package) "
        + "(Debian) or \(library.formula) (Homebrew)\n")
  }

  @Test func `A file that ends early is damaged`() async throws {
    for name in ["quarters.png", "quarters.gif", "lossless.webp", "quarters.avif", "inks.jpg"] {
      let file = try picture(name)
      let end = name == "inks.jpg" ? 200 : file.count * 2 / 3
      let run = try await HelperRun(on: Array(file.prefix(end)))
      #expect(run.ending == .exited(PictureError.Status.damaged.rawValue), "\(name)")
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("telex picture-helper: the picture is damaged: "), "\(name)")
      #expect(run.errors.count { $0 == "\n" } == 1)
    }
  }

  @Test(arguments: [
    "quarters.png", "palette.png", "quarters.jpg", "progressive.jpg", "animation.gif",
    "lossy.webp", "animation.webp", "half-transparent.avif",
    "bitmaps.ico", "mask.ico", "png.ico",
  ])
  func `A damaged file ends in a picture or an error`(name: String) async throws {
    let file = try picture(name)
    let statuses: [ProcessEnding] =
      [.exited(0)]
      + PictureError.Status.allCases.map {
        .exited($0.rawValue)
      }.filter { $0 != .exited(PictureError.Status.notConfined.rawValue) }
    var random = SplitMix(seed: UInt64(file.count))
    let damaged = (0..<40).map { round in
      var copy = file
      if round % 4 == 0 { copy.removeLast(Int.random(in: 1..<file.count, using: &random)) }
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        copy[Int.random(in: copy.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      return copy
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, copy) in damaged.enumerated() {
        if number >= 2 { try await group.next() }
        group.addTask {
          let run = try await HelperRun(on: copy)
          #expect(run.ending.map(statuses.contains) == true, "\(number): \(run.ending as Any)")
          #expect((run.ending == .exited(0)) == run.errors.isEmpty, "\(number)")
          if run.ending == .exited(0) { _ = try Rendition(bytes: run.output) }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Before a file is decoded, the process has given up what it does not need.
@Suite(.needs(.systemCallFilter)) struct ConfinementTests {
  @Test func `A confined process opens, connects, starts and signals nothing`() async throws {
    let run = try await HelperRun(["--prove"], on: [])
    #expect(run.ending == .exited(0), "\(run.errors)")
    #expect(
      String(decoding: run.output, as: UTF8.self)
        == "open EPERM\nsocket EPERM\nfork EPERM\nexecve EPERM\nkill EPERM\n")
  }
}

@Suite struct HelperUsageTests {
  @Test(arguments: [
    ["--columns", "0"], ["--rows", "1001"], ["--cell", "8"], ["--cell", "0x16"],
    ["--symbols", "round"], ["--background", "red"], ["--colors", "many"],
  ])
  func `Wrong usage has a status of its own`(arguments: [String]) async throws {
    let run = try await HelperRun(arguments, on: [])
    #expect(run.ending == .exited(2))
  }

  @Test func `The helper is not among the verbs`() async throws {
    let process = try ChildProcess(BuiltProduct.path(of: "telex"), ["--help"])
    #expect(await process.end() == .exited(0))
    #expect(!process.output.contains("picture-helper"))
  }
}
