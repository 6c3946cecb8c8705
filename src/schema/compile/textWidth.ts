/** From here on characters are as wide as the font is high. */
const FIRST_WIDE = 0x2e80
const NARROW = 0.55

/** Width of a text in pixels, near enough to reserve room for it. */
export const textWidth = (text: string, fontSize: number): number =>
  [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) >= FIRST_WIDE ? fontSize : fontSize * NARROW), 0)
