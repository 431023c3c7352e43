internal import Foundation
internal import TelexKit

/// The paths and programs of this reader.
struct ReaderPlace: Sendable {
  let folder: String
  /// Nil for the default.
  let config: String?
  /// The command that reads texts to copy; nil for none.
  var copyCommand: [String]?
  /// Whether the user has turned the network off.
  var isOffline = false
  var speech = SpeechProgram(own: nil, environment: [:])
  var opener = FileOpener(command: nil, usesTerminal: false, environment: [:])

  let listHabits: ListHabitFile
  let dividers: DividerFile
  let folds: FoldFile
  let last: LastPlaceFile

  /// - Parameters: paths as given; nil for the defaults.
  init(folder: String?, config: String?) {
    func absolute(_ path: String) -> String {
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
    self.folder = absolute(folder ?? Folders.store)
    self.config = config.map(absolute)
    listHabits = ListHabitFile(folder: self.folder)
    dividers = DividerFile(folder: self.folder)
    folds = FoldFile(folder: self.folder)
    last = LastPlaceFile(path: self.folder + "/last-place")
  }

  /// The variables for programs, so that a `telex` in them uses the same store, settings and network.
  var variables: [String: String] {
    var variables = [Folders.storeVariable: folder]
    variables[Folders.configVariable] = config
    variables[Folders.offlineVariable] = isOffline ? "1" : "0"
    return variables
  }

  var commands: CommandFile { CommandFile(folder: folder) }

  var searches: CommandFile { CommandFile(folder: folder, name: "searches") }

  /// A subcommand of this program.
  ///
  /// - Parameter width: of its lines, in columns.
  func verb(_ words: [String], width: Int) throws -> ChildProgram {
    var variables = variables
    variables["COLUMNS"] = String(max(20, width - 2))
    return ChildProgram(try ThisProgram.path(), ["telex"] + words, variables: variables)
  }
}
