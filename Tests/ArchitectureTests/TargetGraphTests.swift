import ChildProcess
import Foundation
import Testing

/// Holds the sources to the map in `Docs/Architecture.md`.
///
/// SwiftPM lets a target import any module that happens to be built before it; the edges are checked
/// here instead, in the manifest as well as in every `import`.
@Suite struct TargetGraphTests {
  /// Which modules of this package each target may import.
  static let edges: [String: Set<String>] = [
    "CBuild": [],
    "Text": [],
    "News": ["Text"],
    "Discovery": ["Text", "News"],
    "Screen": [],
    "Markup": ["Text", "CGumbo"],
    "Syndication": ["Text", "News", "Markup", "CIconv", "CZlib"],
    "OtherReaders": ["Text", "News"],
    "WebSocket": [],
    "HTTP": ["Text", "CCurl", "CZlib", "CZstd", "WebSocket"],
    "Secrets": ["CSecret"],
    "FileWatch": [],
    "Store": ["Text", "News", "FileWatch", "CZstd"],
    "Services": ["Text", "News", "Syndication", "Discovery", "HTTP"],
    "GRPCFeed": ["Text", "News", "HTTP", "Services"],
    "Repository": ["Text", "News", "Store"],
    "NetworkMonitor": ["News", "CNetlink"],
    "Pictures": ["CPictures", "CZlib"],
    "Reader": ["Text", "News", "Screen", "Markup"],
    "TelexKit": [
      "Text", "News", "OtherReaders", "Syndication", "Markup", "HTTP", "Secrets", "FileWatch",
      "Store", "Services", "Repository", "NetworkMonitor", "Pictures", "CBuild",
    ],
    "CursesTerminal": ["Screen", "CNcurses", "CFriBidi"],
    "FeedServer": ["Text", "News", "WebSocket"],
    "telex": [
      "Text", "News", "Screen", "Reader", "TelexKit", "CursesTerminal", "Pictures", "GRPCFeed",
    ],
    "telex-demo-server": ["FeedServer"],
    "ChildProcess": [],
    "TestSupport": [],
    "Requirements": ["ChildProcess"],
    "LoopbackTLS": ["ChildProcess", "Requirements"],
    "PseudoTerminal": ["ChildProcess", "CVTerm"],
    "terminal-sample": ["CursesTerminal", "Screen"],
    "store-writer": ["Store", "News"],
    "secret-keeper": ["Secrets"],
    "network-watcher": ["NetworkMonitor", "News"],
    "FuzzProperties": [
      "Text", "News", "Discovery", "Screen", "Markup", "Syndication", "Reader", "HTTP", "WebSocket",
      "Pictures",
    ],
  ]

  /// Which modules of other packages each target may import.
  static let packages: [String: Set<String>] = [
    "Store": ["GRDB", "GRDBSQLite"],
    // With the trait of that name alone.
    "GRPCFeed": ["GRPCCore", "GRPCProtobuf", "GRPCNIOTransportHTTP2", "SwiftProtobuf"],
    "TelexKit": ["TOMLKit"],
    "telex": ["ArgumentParser"],
    "telex-demo-server": ["ArgumentParser"],
  ]

  /// Frameworks of one system, each in the one target that stands for what it does.
  static let frameworks: [String: Set<String>] = [
    "NetworkMonitor": ["Network"], "Screen": ["_FoundationICU", "CoreFoundation"],
    "Text": ["_FoundationICU"],
  ]

  /// The modules that come with the toolchain, and who may not use them.
  static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
    "Testing", "Security",
  ]
  static let withoutFoundation: Set<String> = ["Screen", "Pictures"]

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `every target of the manifest has the edges of the map and no others`() async throws {
    let manifest = try await Manifest.read()
    for target in manifest.targets where target.type == "regular" || target.type == "executable" {
      let allowed = try #require(
        Self.edges[target.name], "\(target.name) is not on the map: add it there and here")
      let actual = Set(target.dependencies.compactMap { $0.byName?.first ?? nil })
      #expect(actual == allowed, "the edges of \(target.name)")
      let products = Set(target.dependencies.compactMap { $0.product?.first ?? nil })
      #expect(products == Self.packages[target.name] ?? [], "the packages of \(target.name)")
    }
    let declared = Set(manifest.targets.map(\.name))
    #expect(Set(Self.edges.keys).subtracting(declared) == [], "on the map, but not in the manifest")
  }

  @Test func `every import in the sources is an edge of the map`() throws {
    let files = try Imports.inSources(of: Self.root)
    #expect(files.count > 50)
    for file in files {
      #expect(Self.violations(of: file).isEmpty, "\(file.path)")
    }
  }

  /// Else it could be skipped unseen: `.needs` fails where `CI` is set.
  @Test func `what a test needs of the machine is a requirement`() throws {
    let tests = Self.root.appending(path: "Tests")
    let files = try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    var seen = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      guard file.deletingLastPathComponent().lastPathComponent != "Requirements" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      seen += 1
      let skips = text.matches(of: #/\.(enabled|disabled)\(/#).map { String($0.0) }
      #expect(skips.isEmpty, "\(file.path): use .needs(…) of Tests/Requirements")
    }
    #expect(seen > 100)
  }

  @Test(arguments: [
    ("Screen", "internal import Foundation"),
    ("News", "import GRDB"), ("Text", "import News"),
    ("Reader", "package import Store"),
    ("Markup", "@preconcurrency import CIconv"),
    ("Repository", "import struct Services.Sources"), ("telex", "internal import Network"),
  ])
  func `an edge that is not on the map is found`(target: String, line: String) {
    let file = Imports(target: target, path: "example", modules: Imports.modules(in: line))
    #expect(Self.violations(of: file).count == 1)
  }

  static func violations(of file: Imports) -> [String] {
    let allowed = (edges[file.target] ?? []).union(packages[file.target] ?? [])
      .union(frameworks[file.target] ?? [])
    return file.modules.filter { module in
      if withoutFoundation.contains(file.target), module.hasPrefix("Foundation") { return true }
      return !allowed.contains(module) && !system.contains(module)
    }
  }
}

/// What one source file imports.
struct Imports {
  var target: String
  var path: String
  var modules: [String]

  static func inSources(of root: URL) throws -> [Imports] {
    let sources = root.appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { file in
      let path = file.path.dropFirst(sources.path.count + 1)
      return Imports(
        target: String(path.prefix { $0 != "/" }), path: String(path),
        modules: modules(in: try String(contentsOf: file, encoding: .utf8)))
    }
  }

  static func modules(in text: String) -> [String] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]
    return text.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ")[...]
      while let word = words.first, word.hasPrefix("@") { words = words.dropFirst() }
      let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
      if let word = words.first, access.contains(word) { words = words.dropFirst() }
      guard words.first == "import" else { return nil }
      words = words.dropFirst()
      if let word = words.first, kinds.contains(word) { words = words.dropFirst() }
      return words.first.map { String($0.prefix { $0 != "." }) }
    }
  }
}

/// What `swift package dump-package` says: the manifest as it is, without fetching anything.
struct Manifest: Decodable {
  struct Target: Decodable {
    /// `{"byName": [NAME, …]}` or `{"product": [NAME, PACKAGE, …]}`; null members are conditions.
    struct Dependency: Decodable {
      var byName: [String?]?
      var product: [String?]?

      enum CodingKeys: String, CodingKey { case byName, product }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        byName = Self.name(container, .byName)
        product = Self.name(container, .product)
      }

      /// The name comes first; what follows it may be of any kind.
      private static func name(
        _ container: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
      ) -> [String?]? {
        guard var list = try? container.nestedUnkeyedContainer(forKey: key) else { return nil }
        return [try? list.decode(String.self)]
      }
    }

    var name: String
    var type: String
    var dependencies: [Dependency]
  }

  var targets: [Target]

  static func read() async throws -> Manifest {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "telex-graph-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    // A scratch path of its own: the tests may run while SwiftPM holds the usual one.
    let process = try ChildProcess(
      "swift",
      [
        "package", "--package-path", TargetGraphTests.root.path, "--scratch-path", scratch.path,
        "dump-package",
      ])
    let ending = await process.end(within: .seconds(300))
    try #require(ending == .exited(0), "\(process.errors)")
    return try JSONDecoder().decode(Manifest.self, from: Data(process.output.utf8))
  }
}
