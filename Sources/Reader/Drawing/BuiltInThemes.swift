internal import Screen

/// The colours of a theme, as RGB or as numbers of the palette; of the pairs the second is the background. Body text
/// keeps the terminal's own colours.
struct ThemeColors {
  var dim, star, header, border, error, warning, accent, link, code, quote: UInt32
  var selected, elsewhere, status: (UInt32, UInt32)
  /// On the status line.
  var statusError: UInt32
  var alarm, hit, currentHit: (UInt32, UInt32)
}

extension Theme {
  init(_ colors: ThemeColors, as value: (UInt32) -> Color = Color.rgb) {
    func color(_ code: UInt32) -> Style { Style(value(code)) }
    func field(_ pair: (UInt32, UInt32), _ attributes: Style.Attributes = []) -> Style {
      Style(value(pair.0), on: value(pair.1), attributes)
    }
    dim = color(colors.dim)
    star = color(colors.star)
    header = color(colors.header).with(.bold)
    border = color(colors.border)
    error = color(colors.error)
    warning = color(colors.warning)
    accent = color(colors.accent)
    link = color(colors.link).with(.underline)
    code = color(colors.code)
    codeComment = color(colors.dim).with(.italic)
    codeString = color(colors.star)
    codeKeyword = color(colors.accent)
    codeNumber = color(colors.warning)
    quote = color(colors.quote).with(.italic)
    selected = field(colors.selected, .bold)
    selectedElsewhere = field(colors.elsewhere)
    status = field(colors.status)
    statusError = field((colors.statusError, colors.status.1), .bold)
    alarm = field(colors.alarm, .bold)
    hit = field(colors.hit)
    currentHit = field(colors.currentHit, .bold)
  }
}

// Hues after the palettes of the same names, each made lighter or darker until it has a contrast of 4.5 to what it
// stands on (WCAG 2.1, 1.4.3), also as the nearest of 256 colours.
extension ThemePair {
  package static let telex = ThemePair("telex", dark: .dark, light: .light)

  package static let solarized = ThemePair(
    "solarized",
    dark: Theme(
      ThemeColors(
        dim: 0x91_A0A2, star: 0xCF_9C00, header: 0x51_A5DF, border: 0x58_6E75, error: 0xEC_8F8D,
        warning: 0xCF_9C00, accent: 0x2E_AFA5, link: 0x51_A5DF, code: 0x92_A800, quote: 0x93_A1A1,
        selected: (0xFD_F6E3, 0x1A_5E8E), elsewhere: (0xEE_E8D5, 0x07_3642),
        status: (0xEE_E8D5, 0x07_3642), statusError: 0xE8_7977, alarm: (0xFD_F6E3, 0xA0_2422),
        hit: (0xFF_FFFF, 0x3F_4A00), currentHit: (0x00_2B36, 0xB5_8900))),
    light: Theme(
      ThemeColors(
        dim: 0x58_6B72, star: 0x87_6600, header: 0x1F_70A9, border: 0x93_A1A1, error: 0xCF_2623,
        warning: 0x9B_3911, accent: 0x1E_726C, link: 0x1F_70A9, code: 0x62_7000, quote: 0x56_6B72,
        selected: (0xFD_F6E3, 0x1A_5E8E), elsewhere: (0x07_3642, 0xEE_E8D5),
        status: (0x07_3642, 0xEE_E8D5), statusError: 0xC2_2321, alarm: (0xFD_F6E3, 0xA0_2422),
        hit: (0x00_0000, 0xF3_DF9B), currentHit: (0x00_2B36, 0xD9_A520))))

  package static let gruvbox = ThemePair(
    "gruvbox",
    dark: Theme(
      ThemeColors(
        dim: 0xAB_9D88, star: 0xFA_BD2F, header: 0x83_A598, border: 0x66_5C54, error: 0xFC_7464,
        warning: 0xFE_8019, accent: 0x8E_C07C, link: 0x83_A598, code: 0xB8_BB26, quote: 0xBD_AE93,
        selected: (0xFB_F1C7, 0x00_5F5F), elsewhere: (0xEB_DBB2, 0x3C_3836),
        status: (0xEB_DBB2, 0x3C_3836), statusError: 0xFC_7F70, alarm: (0xFB_F1C7, 0x9D_0006),
        hit: (0xFF_FFFF, 0x5A_4A10), currentHit: (0x1D_2021, 0xFA_BD2F))),
    light: Theme(
      ThemeColors(
        dim: 0x72_665C, star: 0x93_6010, header: 0x07_6678, border: 0xA8_9984, error: 0x9D_0006,
        warning: 0x9B_3303, accent: 0x3E_7453, link: 0x07_6678, code: 0x72_6D0D, quote: 0x66_5C54,
        selected: (0xFB_F1C7, 0x07_6678), elsewhere: (0x3C_3836, 0xEB_DBB2),
        status: (0x3C_3836, 0xEB_DBB2), statusError: 0x9D_0006, alarm: (0xFB_F1C7, 0x9D_0006),
        hit: (0x00_0000, 0xF0_D58A), currentHit: (0x1D_2021, 0xD7_9921))))

  package static let nord = ThemePair(
    "nord",
    dark: Theme(
      ThemeColors(
        dim: 0x9A_A5B8, star: 0xEB_CB8B, header: 0x88_C0D0, border: 0x4C_566A, error: 0xD4_969C,
        warning: 0xD8_9C89, accent: 0x8F_BCBB, link: 0x81_A1C1, code: 0xA3_BE8C, quote: 0xB8_C0CF,
        selected: (0xEC_EFF4, 0x4A_6A91), elsewhere: (0xE5_E9F0, 0x43_4C5E),
        status: (0xD8_DEE9, 0x3B_4252), statusError: 0xD9_A2A8, alarm: (0xEC_EFF4, 0x9B_2F3A),
        hit: (0xFF_FFFF, 0x5C_5330), currentHit: (0x2E_3440, 0xEB_CB8B))),
    light: Theme(
      ThemeColors(
        dim: 0x5F_6B80, star: 0x84_651E, header: 0x4D_6D95, border: 0x9A_A5B8, error: 0x9B_323C,
        warning: 0x9A_502C, accent: 0x3C_7371, link: 0x4D_6D95, code: 0x58_7340, quote: 0x4C_566A,
        selected: (0xEC_EFF4, 0x4A_6A91), elsewhere: (0x2E_3440, 0xD8_DEE9),
        status: (0x2E_3440, 0xD8_DEE9), statusError: 0x94_2F39, alarm: (0xEC_EFF4, 0x9B_2F3A),
        hit: (0x00_0000, 0xF0_E0B8), currentHit: (0x2E_3440, 0xE0_B860))))

  package static let rose = ThemePair(
    "rose",
    dark: Theme(
      ThemeColors(
        dim: 0xA8_A3BD, star: 0xF6_C177, header: 0xC4_A7E7, border: 0x52_4F67, error: 0xED_7A9A,
        warning: 0xF6_C177, accent: 0xEB_BCBA, link: 0x9C_CFD8, code: 0x9C_CFD8, quote: 0xB9_B4CC,
        selected: (0xE0_DEF4, 0x54_4473), elsewhere: (0xE0_DEF4, 0x40_3D52),
        status: (0xE0_DEF4, 0x26_233A), statusError: 0xEC_7697, alarm: (0xF5_E9F0, 0x98_234A),
        hit: (0xFF_FFFF, 0x5B_4A1F), currentHit: (0x19_1724, 0xF6_C177))),
    light: Theme(
      ThemeColors(
        dim: 0x6C_6883, star: 0x93_6011, header: 0x73_5B8D, border: 0xA8_A3B3, error: 0x9A_4A61,
        warning: 0x93_6011, accent: 0x9B_525C, link: 0x28_6983, code: 0x28_6983, quote: 0x5C_586F,
        selected: (0xFA_F4ED, 0x6B_5690), elsewhere: (0x40_3D52, 0xDF_DAD9),
        status: (0x40_3D52, 0xF2_E9E1), statusError: 0x9A_4A61, alarm: (0xF5_E9F0, 0x98_234A),
        hit: (0x00_0000, 0xF3_DFB0), currentHit: (0x19_1724, 0xE8_B04A))))

  package static let contrast = ThemePair(
    "contrast",
    dark: Theme(
      ThemeColors(
        dim: 0xD0_D0D0, star: 0xFF_FF00, header: 0xFF_FFFF, border: 0xA0_A0A0, error: 0xFF_8080,
        warning: 0xFF_FF00, accent: 0x00_FFFF, link: 0x80_D8FF, code: 0x80_FF80, quote: 0xE0_E0E0,
        selected: (0x00_0000, 0xFF_FF00), elsewhere: (0x00_0000, 0xD0_D0D0),
        status: (0x00_0000, 0xFF_FFFF), statusError: 0xA0_0000, alarm: (0xFF_FFFF, 0xB0_0000),
        hit: (0xFF_FFFF, 0x5A_5A00), currentHit: (0x00_0000, 0xFF_FF00))),
    light: Theme(
      ThemeColors(
        dim: 0x30_3030, star: 0x6A_3C00, header: 0x00_0000, border: 0x60_6060, error: 0xA0_0000,
        warning: 0x6A_3C00, accent: 0x00_309C, link: 0x00_309C, code: 0x00_4D00, quote: 0x20_2020,
        selected: (0xFF_FFFF, 0x00_0080), elsewhere: (0xFF_FFFF, 0x40_4040),
        status: (0xFF_FFFF, 0x00_0000), statusError: 0xFF_9090, alarm: (0xFF_FFFF, 0xB0_0000),
        hit: (0x00_0000, 0xFF_E680), currentHit: (0x00_0000, 0xFF_D000))))

  package static let mono = ThemePair("mono", dark: .none, light: .none)

  /// The first one is the default.
  package static let builtIn = [telex, solarized, gruvbox, nord, rose, contrast, mono]
}
