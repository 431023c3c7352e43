internal import ArgumentParser
internal import Synchronization
internal import TelexKit

/// A command that reads a simple command line itself, because it is short and run often.
///
/// The parser searches all protocol conformances of the program for the type of each option, which
/// takes longer than such a command. It still reads every other line, and reports all mistakes.
protocol SimpleCommand: StoreCommand {
  /// Sets every option, also those that are not given: reading one that is not set ends the process.
  ///
  /// An initializer would set the defaults in place of the values.
  static func read(_ words: inout SimpleWords) -> Self
}

extension SimpleCommand {
  /// Nil for a line that the parser has to read.
  init?(simple arguments: ArraySlice<String>) {
    guard var words = SimpleWords(arguments) else { return nil }
    self = .read(&words)
    guard words.isEmpty else { return nil }
    do {
      try common.validate()
      try validate()
    } catch {
      return nil
    }
  }

  /// Opens the store until the process ends. Closing it would copy the write-ahead log into the
  /// database and wait for the disk, which commands that write do.
  func composeForReading() async throws -> Composition {
    let composition = try await common.compose()
    composedForReading.withLock { $0 = composition }
    return composition
  }
}

private let composedForReading = Mutex<Composition?>(nil)

/// The options of a command line, each without a value or with one in the next word.
struct SimpleWords {
  private var options: [(name: String, value: String?)] = []

  /// Nil for a line that has other words.
  init?(_ words: ArraySlice<String>) {
    for word in words {
      if word.hasPrefix("--"), word != "--" {
        options.append((word, nil))
      } else if let option = options.last, option.value == nil, !word.isEmpty,
        !word.hasPrefix("-")
      {
        options[options.count - 1].value = word
      } else {
        return nil
      }
    }
  }

  /// Whether all options were taken out.
  var isEmpty: Bool { options.isEmpty }

  /// Takes out a flag.
  mutating func flag(_ name: String) -> Bool {
    guard let index = options.firstIndex(where: { $0.name == name && $0.value == nil }) else {
      return false
    }
    options.remove(at: index)
    return true
  }

  /// Takes out an option with its value.
  mutating func value(_ name: String) -> String? {
    guard let index = options.firstIndex(where: { $0.name == name && $0.value != nil }) else {
      return nil
    }
    return options.remove(at: index).value
  }
}

extension CommonOptions {
  static func read(_ words: inout SimpleWords) -> Self {
    var options = Self()
    options.store = words.value("--store")
    options.config = words.value("--config")
    options.offline = words.flag("--offline")
    options.wait = nil
    return options
  }
}

extension SharedOptions {
  static func read(_ words: inout SimpleWords) -> Self {
    var options = Self()
    options.common = .read(&words)
    options.form = .read(&words)
    return options
  }
}

extension OutputOptions {
  static func read(_ words: inout SimpleWords) -> Self {
    var options = Self()
    options.json = words.flag("--json")
    return options
  }
}

extension LineOptions {
  static func read(_ words: inout SimpleWords) -> Self {
    var options = Self()
    options.format = words.value("--format")
    return options
  }
}
