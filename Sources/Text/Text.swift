// Text: what every other target knows of bytes, characters and addresses. Pure, and without Foundation but for its ICU.
//
// - `Plain`: `PlainText`, the one sanitiser of text from outside.
// - `Markup`: `MarkupTokenizer`, the one reader of HTML's tags; character references; links in markup.
// - `Addresses`: `WebAddress` takes addresses apart, resolves and normalises them, reads what a user typed
//   and shows it without secrets; `asciiHost` has the names of hosts in other scripts (UTS 46).
// - `Calendar`: `CalendarDay`, `CivilTime` and `Timestamp` (RFC 3339).
// - `Bytes`: searches in `ByteBuffer`, and a digest that is the same in every run.
