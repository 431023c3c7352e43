# Telex. `make help` lists the verbs.

PREFIX ?= /usr/local
SWIFT ?= swift
# A machine that builds once has no use for debugging information, and for files that are compiled one by one. The index
# finds the tests.
ONCE = -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
BUILD = $(SWIFT) build $(if $(CI),$(ONCE))
# `swift build` with what makes a release fast and small.
RELEASE = Tools/build-release $(SWIFT)
# Suites that only compute run by themselves, and so do those that talk to servers and those that run
# programs: they would keep each other from the processor for longer than anybody waits.
PURE = ^(DiscoveryTests|FuzzTests|MarkupTests|NewsTests|OtherReadersTests|ReaderTests|ScreenTests|SyndicationTests|TextTests)\.
NETWORK = ^(HTTPTests|FeedServerTests|FileWatchTests|NetworkMonitorTests|SecretsTests|ServicesTests|TelexKitTests)\.
PROGRAM = ^(TelexTests|CursesTerminalTests|PicturesTests)\.
# Where threads meet. The others start programs, or have nothing that could race.
CONCURRENT = ^(FeedServerTests|HTTPTests|RepositoryTests|ServicesTests)\.
# How long each reader is fuzzed, and which; all where none is named.
FUZZ_SECONDS ?= 60
FUZZ ?=
# How long the store is used in every way at once, and from which seed; a random one where none is named.
SOAK_SECONDS ?= $(or $(SECONDS),60)
SOAK_SEED ?=
# How long random courses of syncs are done.
COURSE_SECONDS ?= 60
# Which defects are tried, by name or by target; all where none is named.
MUTANTS ?=
DEBIAN = libncursesw5-dev libgumbo-dev libzstd-dev zlib1g-dev libsqlite3-dev pkg-config python3 binutils
HOMEBREW = ncurses curl gumbo-parser zstd zlib sqlite
# What only tests need; `Tests/Requirements` says for what.
DEBIAN_TESTS = libvterm-dev openssl nghttp2-server iproute2 util-linux dbus-daemon gnome-keyring libsecret-1-0 libglib2.0-0 libturbojpeg0 libpng16-16 libgif7 libwebp7 libheif1 libchafa0 libfribidi0 zsh fish groff-base mandoc tmux
HOMEBREW_TESTS = libvterm openssl nghttp2 jpeg-turbo libpng giflib webp libheif chafa fribidi zsh fish groff tmux
# What packages are made with, and tried.
DEBIAN_PACKAGES = dpkg-dev binutils xz-utils lintian debootstrap util-linux
# What sync servers need that others have written, which are installed below `.build`; each with its client.
DEBIAN_SERVERS = python3-venv iproute2 util-linux php-cli php-mysql php-mbstring php-xml php-intl php-curl mariadb-server-core mariadb-client-core
# How many rounds are played with each of them, and from which seed; a random one where none is named.
ROUNDS ?= 15
SERVERS_SEED ?=
# The programs alone: the tests' own targets need libraries that no user has to install.
PRODUCTS = telex telex-demo-server

.PHONY: help deps deps-test build release run test test-grpc test-tsan check format house words graph bench typesetting fuzz mutants soak courses real-servers real-servers-installed install deb dist try-package clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the system's packages that are missing; removes nothing
	@Tests/Scripts/install-dependencies "$(DEBIAN)" "$(HOMEBREW)"

deps-test: deps ## install what only tests need; removes nothing
	@Tests/Scripts/install-dependencies "$(DEBIAN_TESTS)" "$(HOMEBREW_TESTS)"

build: deps ## build for debugging
	for product in $(PRODUCTS); do $(BUILD) --product $$product || exit; done

release: deps ## build for use
	$(RELEASE) --product telex

run: build ## open the reader on a demo that runs on this machine and leaves nothing behind
	@Tests/Scripts/run-demo "$$($(SWIFT) build --show-bin-path)"

test: deps-test ## run every test
	$(BUILD) --build-tests
	Tests/Scripts/run-tests $(SWIFT) --parallel --filter "$(PURE)"
	Tests/Scripts/run-tests $(SWIFT) --parallel --filter "$(NETWORK)"
	Tests/Scripts/run-tests $(SWIFT) --parallel --filter "$(PROGRAM)"
	Tests/Scripts/run-tests $(SWIFT) --parallel --skip "$(PURE)" --skip "$(NETWORK)" --skip "$(PROGRAM)"

# In a folder of its own, because the two ways to build do not share what they have built.
test-grpc: deps-test ## build with the trait GRPC and test its feeds; fetches grpc-swift
	$(SWIFT) build --build-tests --traits GRPC --scratch-path .build-grpc
	$(SWIFT) test --skip-build --traits GRPC --scratch-path .build-grpc --parallel --filter "^GRPCFeedTests\."

test-tsan: deps-test ## look for data races: what is concurrent, under ThreadSanitizer
	@Tests/Scripts/test-for-races "$(SWIFT)" "$(CONCURRENT)"

format: ## bring the sources into the house style
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

house: ## measure the sources and hold them to the bounds in Tests/House
	@Tests/House/run

words: ## print every text that a user can see, by file
	@Tests/Scripts/list-words

check: deps-test house ## look at the format, the sizes and the target graph, and run every test
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests
	$(MAKE) test

bench: deps ## measure; beside newsboat and sfeed where they are installed; LARGE=1: only half a million articles
	for product in $(PRODUCTS); do $(RELEASE) --product $$product || exit; done
	@Tests/Benchmarks/run "$$($(RELEASE) --show-bin-path)" $(if $(LARGE),--only large)

typesetting: build ## lay 200 articles out and compare with what they say; beside w3m and lynx where they are installed
	@Tests/Benchmarks/typesetting "$$($(SWIFT) build --show-bin-path)/telex" --missing

fuzz: deps ## feed the parsers what they do not expect; FUZZ_SECONDS=600 FUZZ="feed html"
	@Tests/Fuzzing/run "$(SWIFT)" --seconds $(FUZZ_SECONDS) $(if $(FUZZ),--only $(FUZZ))

mutants: deps-test ## put small defects into the program and see whether a test notices; MUTANTS="name Store"
	@Tests/Mutants/run "$(SWIFT)" $(MUTANTS)

soak: build ## use one store in every way at once: readers, verbs, kills, a bad network and a bad disk
	@Tests/Soak/run "$$($(SWIFT) build --show-bin-path)" --seconds $(SOAK_SECONDS) $(if $(SOAK_SEED),--seed $(SOAK_SEED))
	$(MAKE) courses COURSE_SECONDS=$(SOAK_SECONDS)

courses: deps-test ## random courses of marks and syncs between readers and servers in memory
	TELEX_COURSE_SECONDS=$(COURSE_SECONDS) TELEX_COURSE_SEED=$(or $(SOAK_SEED),$$(date +%s)) \
	  $(SWIFT) test --filter '(RepositoryTests\.SyncCourseTests|ServicesTests\.LogCourseTests)'

# As far as the registries of packages can be reached.
real-servers-installed:
	@Tests/Scripts/install-dependencies "$(DEBIAN_SERVERS)" ""
	@Tests/RealServers/run --install

real-servers: build ## marks that go both ways between readers and coldsweat and Tiny Tiny RSS, with kills
	@$(MAKE) --no-print-directory real-servers-installed
	@Tests/RealServers/run "$$($(SWIFT) build --show-bin-path)" --rounds $(ROUNDS) $(if $(SERVERS_SEED),--seed $(SERVERS_SEED))

# The one that `release` has built.
RELEASED = "$$($(RELEASE) --show-bin-path)/telex"

install: release ## install under PREFIX (/usr/local), with manual pages and completions
	Tools/packages/stage $(RELEASED) "$(DESTDIR)" "$(PREFIX)"

deb: release ## make a Debian package in .build/packages, and let lintian look at it
	@Tests/Scripts/install-dependencies "$(DEBIAN_PACKAGES)" ""
	package=$$(Tools/packages/make-deb $(RELEASED) .build/packages) && echo "$$package" && \
	  lintian --fail-on warning,error --suppress-tags bad-distribution-in-changes-file "$$package"

dist: release ## make a tarball to install without a package manager, in .build/packages
	@Tests/Scripts/install-dependencies "xz-utils" ""
	Tools/packages/make-dist $(RELEASED) .build/packages

try-package: deb ## install that package on a bare Debian in a folder, use it, purge it; needs root and a mirror
	Tests/Scripts/try-package "$$(ls -t .build/packages/telex_*.deb | head -n 1)"

clean: ## remove what was built
	$(SWIFT) package clean
