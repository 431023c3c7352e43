import News
import Testing
import Text

@Suite struct EnteredAddressTests {
  @Test func `What is no address is told with what to type instead`() {
    #expect {
      try WebAddress.entered("ftp://ann:secret@example.org/")
    } throws: {
      let error = $0 as? SourceError
      return error?.kind == .address && error?.stage == .address && error?.next != nil
        && error?.subject == "ftp://example.org/" && error?.message.contains("ftp") == true
    }
  }
}
