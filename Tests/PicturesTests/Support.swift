import ChildProcess
import Foundation
import Pictures
import Requirements
import TestSupport
import Testing

func picture(_ name: String) throws -> [UInt8] {
  try Array(Data(contentsOf: fixtures.appending(path: "pictures/\(name)")))
}

extension Requirement {
  static let decoders = libraries(
    PictureLibrary.allCases.filter { $0 != .chafa }.map { ($0.fileNames, $0.package) })
  static let chafa = libraries([(PictureLibrary.chafa.fileNames, PictureLibrary.chafa.package)])
}

/// `telex picture-helper` with a file on standard input.
struct HelperRun {
  var ending: ProcessEnding?
  var output: [UInt8]
  var errors: String

  init(_ arguments: [String] = [], on file: [UInt8]) async throws {
    let process = try ChildProcess(
      BuiltProduct.path(of: "telex"), ["picture-helper"] + arguments, input: .bytes(file))
    ending = await process.end()
    output = process.outputBytes
    errors = process.errors
  }

  /// What it wrote, where it ended well.
  static func rendition(
    _ arguments: [String], on file: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Rendition {
    let run = try await HelperRun(arguments, on: file)
    try #require(
      run.ending == .exited(0), "\(run.errors)", sourceLocation: sourceLocation)
    return try Rendition(bytes: run.output)
  }

  static func rendition(
    of name: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Rendition {
    try await rendition(arguments, on: picture(name), sourceLocation: sourceLocation)
  }
}

/// The colours of the test pictures, in every depth.
enum Quarter: CaseIterable, Sendable {
  case red, green, blue, yellow

  var rgb: UInt32 {
    switch self {
    case .red: 0xFF0000
    case .green: 0x00FF00
    case .blue: 0x0000FF
    case .yellow: 0xFFFF00
    }
  }

  /// Its number among 16 colours, and among 256.
  var numbers: [UInt8] {
    switch self {
    case .red: [9, 196]
    case .green: [10, 46]
    case .blue: [12, 21]
    case .yellow: [11, 226]
    }
  }

  /// Whether nothing but this colour is in a cell. Lossy formats are a little off.
  func fills(_ cell: Rendition.Cell) -> Bool {
    let colors = cell.colors
    return !colors.isEmpty
      && colors.allSatisfy { color in
        switch color {
        case .none: false
        case .palette(let number): numbers.contains(number)
        case .rgb(let rgb):
          [16, 8, 0].allSatisfy { shift in
            abs(Int(rgb >> shift & 0xFF) - Int(self.rgb >> shift & 0xFF)) <= 64
          }
        }
      }
  }
}

extension Rendition.Cell {
  /// What is seen of it.
  var colors: [Rendition.Color] {
    let seen =
      scalar == " " ? [background] : scalar == "█" ? [foreground] : [foreground, background]
    return seen.filter { $0 != .none }
  }
}

extension Rendition {
  /// The four colours, each in its quarter, and nothing else.
  func hasQuarters() -> Bool {
    cells.indices.allSatisfy { index in
      let isLeft = index % columns < columns / 2
      let isUpper = index / columns < rows / 2
      let quarter: Quarter = isUpper ? (isLeft ? .red : .green) : (isLeft ? .blue : .yellow)
      return quarter.fills(cells[index])
    }
  }
}
