/** Pieces of three letters of a column's texts, each with the share of rows (0 to 1) that have it, as far as a sample tells. */
export type PieceShares = ReadonlyMap<string, number>

/** In this share of the rows a piece is common: an index finds so many rows by it that looking for it costs more than it saves. */
const COMMON = 0.05
/** Below this share a piece is rare enough to be looked for alone. */
const RARE = 0.01
const PIECE = 3
/** An index of trigrams knows words by three letters or digits. */
const KNOWN_TO_INDEX = /[\p{L}\p{N}]{3}/u

/** All pieces of a text, without regard to case. */
export function piecesOf(text: string): string[] {
  const letters = [...text].map((letter) => letter.toLowerCase())
  return letters.slice(PIECE - 1).map((_, start) => letters.slice(start, start + PIECE).join(''))
}

/**
 * The parts of a phrase that an index has to be asked for: those without the pieces that many rows have ("Ltd", "有限公司"), when
 * what is left is rare. Every row with the phrase has all of them. Empty = the whole phrase is to be asked for.
 */
export function rareParts(phrase: string, known: PieceShares): readonly string[] {
  const letters = [...phrase]
  const pieces = piecesOf(phrase)
  const shareOf = (piece: string): number => known.get(piece) ?? 0
  const isRare = (piece: string): boolean => KNOWN_TO_INDEX.test(piece) && shareOf(piece) < RARE
  if (!pieces.some((piece) => shareOf(piece) >= COMMON) || !pieces.some(isRare)) return []
  const parts: string[] = []
  let begin: number | undefined
  for (let at = 0; at <= pieces.length; at += 1) {
    const piece = pieces[at]
    if (piece !== undefined && shareOf(piece) < COMMON) begin ??= at
    else if (begin !== undefined) {
      parts.push(letters.slice(begin, at - 1 + PIECE).join(''))
      begin = undefined
    }
  }
  return parts.filter((part) => KNOWN_TO_INDEX.test(part))
}
