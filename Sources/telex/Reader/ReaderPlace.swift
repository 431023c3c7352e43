internal import Foundation
internal import TelexKit

/// Where this reader has its data and its settings, for programs that it starts and files of its own.
struct ReaderPlace: Sendable {
  /// The folder of the store.
  let folder: String
  /// The file of the settings; nil for the default.
  let config: String?
  /// A program, with its arguments, that reads what is to be copied; nil for none.
  var copyCommand: [String]?
  /// What reads articles aloud.
  var speech = SpeechProgram(own: nil, environment: [:])
  /// What files of articles are opened with.
  var opener = FileOpener(command: nil, usesTerminal: false, environment: [:])

  let listHabits: ListHabitFile
  let dividers: DividerFile
  let folds: FoldFile

  /// - Parameters: paths as the user has given them; nil for the defaults.
  init(folder: String?, config: String?) {
    func absolute(_ path: String) -> String {
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
    self.folder = absolute(folder ?? Folders.store)
    self.config = config.map(absolute)
    listHabits = ListHabitFile(folder: self.folder)
    dividers = DividerFile(folder: self.folder)
    folds = FoldFile(folder: self.folder)
  }

  /// Tells a program that it starts of both, so that a `telex` in it works on the same store.
  var variables: [String: String] {
    var variables = [Folders.storeVariable: folder]
    variables[Folders.configVariable] = config
    return variables
  }

  var commands: CommandFile { CommandFile(folder: folder) }

  var searches: CommandFile { CommandFile(folder: folder, name: "searches") }

  /// A verb of this program.
  ///
  /// - Parameter width: columns of the lines that it prints.
  func verb(_ words: [String], width: Int) throws -> ChildProgram {
    var variables = variables
    variables["COLUMNS"] = String(max(20, width - 2))
    return ChildProgram(try ThisProgram.path(), ["telex"] + words, variables: variables)
  }
}
