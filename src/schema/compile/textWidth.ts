/** From here on characters are as wide as the font is high. */
const FIRST_WIDE = 0x2e80
const NARROW = 0.55

/** Width of a text in pixels, near enough to reserve room for it. */
export const textWidth = (text: string, fontSize: number): number =>
  [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) >= FIRST_WIDE ? fontSize : fontSize * NARROW), 0)

const HEADER_FONT = 14
/** Padding of a header and the mark of its order. */
const HEADER_ROOM = 24 + 16
const WIDEST_HEADER = 200

/** The least width of a column: its title stands in two lines, and no word of it is broken. */
export const headerWidth = (title: string): number => {
  const words = title.split(/\s+/).map((word) => ((word.codePointAt(0) ?? 0) >= FIRST_WIDE ? 0 : textWidth(word, HEADER_FONT)))
  const whole = textWidth(title, HEADER_FONT)
  // Two lines are hardly ever equally long.
  const half = (whole / 2) * 1.15
  return Math.ceil(Math.min(WIDEST_HEADER, Math.min(whole, Math.max(half, ...words)) + HEADER_ROOM))
}
