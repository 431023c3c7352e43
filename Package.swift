// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled the same way: Swift 6, imports that say what they expose, and no
/// warning left standing.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The same for what runs once for each thing that the user does: made small, for it is a third of the
/// program, and no loop over articles is in it.
let small: [SwiftSetting] =
  strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
/// What only the trait `GRPC` needs: without it nothing of this is fetched or built.
func ofGRPC(_ product: String, _ package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["GRPC"]))
}
let grpc = [
  ofGRPC("GRPCCore", "grpc-swift-2"), ofGRPC("GRPCProtobuf", "grpc-swift-protobuf"),
  ofGRPC("GRPCNIOTransportHTTP2", "grpc-swift-nio-transport"),
  ofGRPC("SwiftProtobuf", "swift-protobuf"),
]
/// What `telex --version` names; nothing where the environment does not say. See `Tools/build-release`.
let commit = Context.environment["TELEX_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }
/// An object file with the part of ICU's data that Telex needs, which is linked in the place of all of it.
let smallICU = Context.environment["TELEX_ICU"].map { [LinkerSetting.unsafeFlags([$0])] }
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

/// The edges below are the whole map of the house; `Tests/ArchitectureTests` holds the sources to
/// them, and `Docs/Architecture.md` says what lives in each room.
let package = Package(
  name: "Telex",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "telex", targets: ["telex"]),
    .executable(name: "telex-demo-server", targets: ["telex-demo-server"]),
  ],
  traits: [
    .trait(name: "GRPC", description: "Feeds of gRPC servers: telex add grpc://HOST:PORT/FEED")
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-protobuf", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    // C, declared here and nowhere else.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncursesw5-dev"]), .brew(["ncurses"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CIconv"),
    .systemLibrary(name: "CGumbo", providers: [.apt(["libgumbo-dev"]), .brew(["gumbo-parser"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CSecret"),
    // The kernel's own headers; empty elsewhere.
    .systemLibrary(name: "CNetlink"),
    // Opened at run time, all of them.
    .systemLibrary(name: "CPictures"),
    .systemLibrary(name: "CFriBidi"),
    .systemLibrary(name: "CVTerm", providers: [.apt(["libvterm-dev"]), .brew(["libvterm"])]),

    // What the build knows of itself.
    .target(name: "CBuild", cSettings: commit.map { [.define("TELEX_COMMIT", to: $0)] } ?? []),

    // Values and pure functions.
    .target(
      name: "Text", swiftSettings: strict,
      // Foundation's, which nearly every program of this package has; international names of hosts.
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
    .target(name: "News", dependencies: ["Text"], swiftSettings: strict),
    .target(name: "Discovery", dependencies: ["Text", "News"], swiftSettings: small),
    .target(
      name: "Screen", swiftSettings: strict,
      // Foundation's, which nearly every program of this package has; the words of some scripts.
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
    .target(name: "Markup", dependencies: ["Text", "CGumbo"], swiftSettings: strict),
    .target(
      name: "Syndication", dependencies: ["Text", "News", "Markup", "CIconv", "CZlib"],
      swiftSettings: strict,
      // For character sets that are rare today; in Linux's C library, but not in macOS's.
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    .target(name: "OtherReaders", dependencies: ["Text", "News"], swiftSettings: small),
    .target(name: "WebSocket", swiftSettings: strict),
    .target(
      name: "Reader", dependencies: ["Text", "News", "Screen", "Markup"], swiftSettings: strict),

    // The network and the disk.
    .target(
      name: "HTTP", dependencies: ["Text", "CCurl", "CZlib", "CZstd", "WebSocket"],
      swiftSettings: strict),
    .target(name: "Secrets", dependencies: ["CSecret"], swiftSettings: small),
    .target(name: "FileWatch", swiftSettings: small),
    .target(
      name: "Store", dependencies: ["Text", "News", "FileWatch", "CZstd", grdb, sqlite],
      resources: [.embedInCode("Schema/Tables.sql")], swiftSettings: strict),
    .target(
      name: "Services", dependencies: ["Text", "News", "Syndication", "Discovery", "HTTP"],
      swiftSettings: small
    ),
    // Empty without the trait.
    .target(
      name: "GRPCFeed", dependencies: ["Text", "News", "HTTP", "Services"] + grpc,
      exclude: ["Protos"], swiftSettings: strict),
    .target(name: "Repository", dependencies: ["Text", "News", "Store"], swiftSettings: strict),
    .target(
      name: "NetworkMonitor", dependencies: ["News", "CNetlink"], swiftSettings: small),

    // Files of others, in a process of its own.
    .target(name: "Pictures", dependencies: ["CPictures", "CZlib"], swiftSettings: strict),

    // What any front end needs.
    .target(
      name: "TelexKit",
      dependencies: [
        "Text", "News", "OtherReaders", "Syndication", "Markup", "HTTP", "Secrets", "FileWatch",
        "Store", "Services", "Repository", "NetworkMonitor", "Pictures", "CBuild", toml,
      ],
      swiftSettings: small),

    // The terminal and the program.
    .target(
      name: "CursesTerminal", dependencies: ["Screen", "CNcurses", "CFriBidi"],
      swiftSettings: strict),
    .executableTarget(
      name: "telex",
      dependencies: [
        "Text", "News", "Screen", "Reader", "TelexKit", "CursesTerminal", "Pictures",
        argumentParser,
        .byName(name: "GRPCFeed", condition: .when(traits: ["GRPC"])),
      ],
      swiftSettings: small, linkerSettings: smallICU),

    // The reference server of the Feed API.
    .target(
      name: "FeedServer", dependencies: ["Text", "News", "WebSocket"], swiftSettings: strict),
    .executableTarget(
      name: "telex-demo-server", dependencies: ["FeedServer", argumentParser],
      swiftSettings: strict),

    // Tests. `ChildProcess` runs a program beside them, `PseudoTerminal` on a terminal that libvterm
    // draws; `Requirements` says what they need of the machine, `TestSupport` has what several share.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "ChildProcess", path: "Tests/ChildProcess", swiftSettings: strict),
    .target(
      name: "Requirements", dependencies: ["ChildProcess"], path: "Tests/Requirements",
      swiftSettings: strict),
    .target(
      name: "LoopbackTLS", dependencies: ["ChildProcess", "Requirements"],
      path: "Tests/LoopbackTLS", swiftSettings: strict),
    .target(
      name: "PseudoTerminal", dependencies: ["ChildProcess", "CVTerm"],
      path: "Tests/PseudoTerminal",
      swiftSettings: strict),
    .executableTarget(
      name: "terminal-sample", dependencies: ["CursesTerminal", "Screen"],
      path: "Tests/TerminalSample", swiftSettings: strict),
    .executableTarget(
      name: "store-writer", dependencies: ["Store", "News"], path: "Tests/StoreWriter",
      swiftSettings: strict),
    .executableTarget(
      name: "secret-keeper", dependencies: ["Secrets"], path: "Tests/SecretKeeper",
      swiftSettings: strict),
    .executableTarget(
      name: "network-watcher", dependencies: ["NetworkMonitor", "News"],
      path: "Tests/NetworkWatcher", swiftSettings: strict),
    .target(
      name: "FuzzProperties",
      dependencies: [
        "Text", "News", "Discovery", "Screen", "Markup", "Syndication", "Reader", "HTTP",
        "WebSocket", "Pictures",
      ],
      path: "Tests/FuzzProperties", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["TestSupport", "FuzzProperties"], swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", dependencies: ["ChildProcess"], swiftSettings: strict),
    .testTarget(
      name: "GRPCFeedTests",
      dependencies: ["TestSupport", "TelexKit", "GRPCFeed", "HTTP", "News", "Services"] + grpc,
      swiftSettings: strict),
    .testTarget(
      name: "CursesTerminalTests",
      dependencies: [
        "ChildProcess", "PseudoTerminal", "Requirements", "CursesTerminal", "Screen",
        "terminal-sample",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedServerTests",
      dependencies: [
        "TestSupport", "ChildProcess", "FeedServer", "News", "WebSocket", "telex-demo-server",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HTTPTests",
      dependencies: [
        "TestSupport", "ChildProcess", "Requirements", "LoopbackTLS", "HTTP", "CCurl", "FeedServer",
        "News", "Text", "WebSocket",
      ],
      swiftSettings: strict),
    .testTarget(name: "WebSocketTests", dependencies: ["WebSocket"], swiftSettings: strict),
    .testTarget(
      name: "SecretsTests",
      dependencies: ["TestSupport", "ChildProcess", "Requirements", "Secrets", "secret-keeper"],
      swiftSettings: strict),
    .testTarget(
      name: "FileWatchTests", dependencies: ["TestSupport", "ChildProcess", "FileWatch"],
      swiftSettings: strict),
    .testTarget(name: "MarkupTests", dependencies: ["Markup"], swiftSettings: strict),
    .testTarget(
      name: "ReaderTests",
      dependencies: [
        "TestSupport", "Requirements", "Reader", "Markup", "News", "Screen", "CursesTerminal",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NetworkMonitorTests",
      dependencies: ["ChildProcess", "Requirements", "NetworkMonitor", "News", "network-watcher"],
      swiftSettings: strict),
    .testTarget(
      name: "PicturesTests",
      dependencies: ["TestSupport", "ChildProcess", "Requirements", "Pictures", "telex"],
      swiftSettings: strict),
    .testTarget(name: "TextTests", dependencies: ["Text"], swiftSettings: strict),
    .testTarget(
      name: "OtherReadersTests", dependencies: ["OtherReaders", "News"], swiftSettings: strict),
    .testTarget(name: "NewsTests", dependencies: ["News", "Text"], swiftSettings: strict),
    .testTarget(
      name: "DiscoveryTests", dependencies: ["Discovery", "News", "Text"], swiftSettings: strict),
    .testTarget(
      name: "SyndicationTests",
      dependencies: ["TestSupport", "Syndication", "Markup", "News", "Text"],
      swiftSettings: strict),
    .testTarget(name: "ScreenTests", dependencies: ["Screen"], swiftSettings: strict),
    .testTarget(
      name: "TelexTests",
      dependencies: [
        "TestSupport", "ChildProcess", "Requirements", "LoopbackTLS", "PseudoTerminal",
        "FeedServer", "News",
        "telex", "telex-demo-server", grdb,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TelexKitTests",
      dependencies: ["TestSupport", "TelexKit", "FeedServer", "News", "Pictures"],
      swiftSettings: strict),
    .testTarget(
      name: "StoreTests",
      dependencies: ["TestSupport", "ChildProcess", "Store", "News", "Text", "store-writer", grdb],
      swiftSettings: strict),
    .testTarget(
      name: "RepositoryTests",
      dependencies: [
        "TestSupport", "Repository", "Store", "Services", "HTTP", "FeedServer", "News",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "TestSupport", "Requirements", "LoopbackTLS", "Services", "Syndication", "HTTP",
        "FeedServer",
        "News", "Text",
      ],
      swiftSettings: strict),
  ]
)

// It has no `main` of its own, for libFuzzer brings one, and so it is there only for `make fuzz`.
if Context.environment["TELEX_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "telex-fuzz", dependencies: ["FuzzProperties"], path: "Tests/Fuzzing/Target",
      swiftSettings: strict))
}
