# A formula for Homebrew. It builds from the sources; `make dist` and Linux's packages are other ways.
#
#   brew install --build-from-source --HEAD ./Tools/packages/telex.rb
#
# A release names its tarball of sources here: url, sha256. Until there is one, only --HEAD can be installed, and the
# repository is the one that this file is in unless TELEX_REPOSITORY names another.
class Telex < Formula
  desc "News reader for the terminal"
  license "MIT"
  head ENV.fetch("TELEX_REPOSITORY", "file://#{File.expand_path("../..", __dir__)}"), using: :git, branch: "main"

  depends_on xcode: ["26.0", :build] if OS.mac?
  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build
  depends_on "curl"
  depends_on "gumbo-parser"
  depends_on macos: :sequoia
  depends_on "ncurses"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  # Opened at run time: without one of them its kind of pictures is shown by its description, or what it does is missing.
  depends_on "brotli" => :recommended
  depends_on "chafa" => :recommended
  depends_on "fribidi" => :recommended
  depends_on "giflib" => :recommended
  depends_on "jpeg-turbo" => :recommended
  depends_on "libheif" => :recommended
  depends_on "libpng" => :recommended
  depends_on "libsecret" => :recommended
  depends_on "webp" => :recommended

  on_linux do
    depends_on "swift" => :build
  end

  def install
    ENV["TELEX_COMMIT"] = Utils.git_short_head if build.head?
    # SwiftPM's sandbox does not work within Homebrew's.
    system "Tools/build-release", "swift", "--disable-sandbox", "--product", "telex"
    system "Tools/packages/stage", ".build/release/telex", "", prefix.to_s
  end

  test do
    assert_match "telex", shell_output("#{bin}/telex --version")
    (testpath/"feed.xml").write <<~XML
      <rss version="2.0"><channel><title>Harbour</title><link>https://example.org/</link>
      <item><title>The first ship</title><guid>1</guid></item></channel></rss>
    XML
    system bin/"telex", "--store", testpath/"store", "add", testpath/"feed.xml"
    assert_match "The first ship", shell_output("#{bin}/telex articles --store #{testpath}/store")
  end
end
