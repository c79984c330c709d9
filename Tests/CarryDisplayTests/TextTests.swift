import CX11
import Testing

extension DisplayTests {
  /// Words that the engine draws itself: why a drop is forbidden, what a link is called.
  @Suite struct Words {
    private func measure(_ text: String, most: Double = 1000, isName: Bool = false) -> cx11_text_extents {
      let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 8, 8)
      let cr = cairo_create(surface)
      defer {
        cairo_destroy(cr)
        cairo_surface_destroy(surface)
      }
      return isName ? cx11_name(cr, text, 16, 0, most, 1) : cx11_text(cr, text, 16, 0, most, 1)
    }

    @Test("Z12, P14: words are shaped as their script has it, with Pango") func Z12_P14_scripts() {
      #expect(cx11_text_has_pango() == 1)
      // Two letters that join are narrower than one that stands alone, twice.
      let (one, two) = (measure("ب"), measure("بب"))
      #expect(one.width > 4 && two.width > one.width && two.width < one.width * 1.9)
      #expect(one.ascent > 8 && one.descent > 1)
    }

    /// The bytes of a picture of a text that is cut to 100 pixels.
    private func picture(_ text: String, isName: Bool) -> [UInt8] {
      let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 128, 32)
      let cr = cairo_create(surface)
      defer {
        cairo_destroy(cr)
        cairo_surface_destroy(surface)
      }
      cairo_move_to(cr, 0, 20)
      _ = isName ? cx11_name(cr, text, 16, 0, 100, 1) : cx11_text(cr, text, 16, 0, 100, 1)
      cairo_surface_flush(surface)
      return Array(UnsafeBufferPointer(start: cairo_image_surface_get_data(surface), count: 128 * 32))
    }

    @Test("Z12: a name that is too long keeps its end") func Z12_names() {
      let (one, other) = ("photos of a long holiday.jpg", "photos of a long holiday.pdf")
      #expect(picture(one, isName: false) == picture(other, isName: false))
      #expect(picture(one, isName: true) != picture(other, isName: true))
    }

    @Test(
      "Z12: what is too long ends in an ellipsis, whatever it is made of",
      arguments: [
        "a long way to go and further than that", String(repeating: "e\u{301}\u{302}", count: 80),
        "\u{202E}abcdefghijklmno",
      ])
    func Z12_tooLong(text: String) {
      let whole = measure(text)
      #expect(whole.width > 90)
      let cut = measure(text, most: 60)
      #expect(cut.width > 30 && cut.width <= 60.5)
      let name = measure(text, most: 60, isName: true)
      #expect(name.width > 30 && name.width <= 60.5)
      #expect(measure("").width == 0)
    }
  }
}
