import { faceOf, type Face } from './faces'

/** Characters of one part of the face, or one that the face lacks. */
interface Run {
  face: Face
  text: string
  width: number
  /** What is meant where its number is drawn instead. */
  stands?: string
}

export interface Line {
  runs: Run[]
  width: number
}

const TOKENS =
  /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}][，。、；：！？）】》]?|[^\S\n]+|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]+/gu

/** The text of a character that the face lacks: its number, legible and never a box; copied, it is the character. */
const lacking = (codePoint: number): string => `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`

async function runsOf(text: string, size: number): Promise<Run[]> {
  const runs: Run[] = []
  const add = (face: Face, part: string, codePoint: number): void => {
    const width = (face.width(codePoint) * size) / 1000
    const last = runs.at(-1)
    if (last?.face === face && last.stands === undefined) {
      last.text += part
      last.width += width
    } else runs.push({ face, text: part, width })
  }
  const latin = (await faceOf(0x41))!
  for (const character of text) {
    const codePoint = character.codePointAt(0)!
    if (codePoint < 0x20) continue
    const face = await faceOf(codePoint)
    if (face) add(face, character, codePoint)
    else {
      const shown = lacking(codePoint)
      const width = [...shown].reduce((sum, one) => sum + (latin.width(one.codePointAt(0)!) * size) / 1000, 0)
      runs.push({ face: latin, text: shown, width, stands: character })
    }
  }
  return runs
}

const widthOf = (runs: readonly Run[]): number => runs.reduce((sum, { width }) => sum + width, 0)

/** A text in lines no wider than `width`: broken between Chinese characters and at spaces, a word that is too long within. */
export async function linesOf(text: string, size: number, width: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const paragraph of text.split('\n')) {
    let [line, used] = ['', 0]
    const end = async (): Promise<void> => {
      const runs = await runsOf(line.trimEnd(), size)
      lines.push({ runs, width: widthOf(runs) })
      ;[line, used] = ['', 0]
    }
    for (const token of paragraph.match(TOKENS) ?? []) {
      const wide = widthOf(await runsOf(token, size))
      if (used + wide <= width || (used === 0 && token.trim() === '')) {
        line += token
        used += wide
        continue
      }
      if (used > 0) await end()
      if (token.trim() === '') continue
      for (const character of wide <= width ? [token] : token) {
        const one = wide <= width ? wide : widthOf(await runsOf(character, size))
        if (used > 0 && used + one > width) await end()
        line += character
        used += one
      }
    }
    await end()
  }
  return lines
}
