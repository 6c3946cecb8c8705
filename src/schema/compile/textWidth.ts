import type { DictionaryOption } from '../model'

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
/** A title as short as this stands in one line: a second one would save nothing. */
const SHORT_TITLE = 72

/** The least width of a column: a short title stands in one line, a long one in two, and no word is broken. */
export const headerWidth = (title: string): number => {
  const words = title.split(/\s+/).map((word) => ((word.codePointAt(0) ?? 0) >= FIRST_WIDE ? 0 : textWidth(word, HEADER_FONT)))
  const whole = textWidth(title, HEADER_FONT)
  // Two lines are hardly ever equally long.
  const half = (whole / 2) * 1.15
  return Math.ceil(Math.min(WIDEST_HEADER, Math.min(whole, Math.max(half, SHORT_TITLE, ...words)) + HEADER_ROOM))
}

const TAG_FONT = 12
/** Padding of a tag and of its cell. */
const TAG_ROOM = 16 + 24
const WIDEST_TAG = 200

/** A column wide enough for the longest word of its dictionary. */
export const tagWidth = (options: readonly DictionaryOption[]): number =>
  Math.min(WIDEST_TAG, Math.ceil(Math.max(0, ...options.map(({ label }) => textWidth(label, TAG_FONT))) + TAG_ROOM))
