import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font } from 'fontkit'
import woff2 from 'wawoff2'

/** A part of the face: the characters of some ranges, as the package cuts it. */
export interface Face {
  /** Its file: which part it is. */
  id: string
  font: Font
  /** Width of a character in thousandths of the size. */
  width(codePoint: number): number
}

const REGULAR = { wght: 400 }
const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('@fontsource-variable/noto-sans-sc/package.json'))
/** Latin first: digits and letters of one line come from one part. */
const FIRST = ['latin', 'latin-ext', 'cyrillic', 'vietnamese']

interface Slice {
  file: string
  ranges: readonly (readonly [number, number])[]
}

const slices: readonly Slice[] = slicesOf(
  JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Readonly<Record<string, string>>,
)

function slicesOf(ranges: Readonly<Record<string, string>>): Slice[] {
  const rank = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return Object.entries(ranges)
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([name, text]) => ({
      file: join(folder, 'files', `noto-sans-sc-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`),
      ranges: text.split(',').map((range) => {
        const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-')
        return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
      }),
    }))
}

const opened = new Map<string, Promise<Face>>()
const placed = new Map<number, Slice | null>()

/** The part of the face that draws a character; null: the face has no such character. */
export async function faceOf(codePoint: number): Promise<Face | null> {
  let slice = placed.get(codePoint)
  if (slice === undefined) {
    slice = slices.find(({ ranges }) => ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) ?? null
    placed.set(codePoint, slice)
  }
  if (slice === null) return null
  const known = opened.get(slice.file) ?? open(slice.file)
  opened.set(slice.file, known)
  const face = await known
  return face.font.hasGlyphForCodePoint(codePoint) ? face : null
}

async function open(file: string): Promise<Face> {
  const variable = create(Buffer.from(await woff2.decompress(readFileSync(file)))) as Font
  const font = variable.getVariation(REGULAR)
  drawnOutlines(font)
  const widths = new Map<number, number>()
  return {
    id: file,
    font,
    width: (codePoint) => {
      const known = widths.get(codePoint)
      if (known !== undefined) return known
      const width = (font.glyphForCodePoint(codePoint).advanceWidth * 1000) / font.unitsPerEm
      widths.set(codePoint, width)
      return width
    },
  }
}

interface Path {
  commands: readonly { command: string; args: readonly number[] }[]
}

/** What fontkit keeps of the glyphs of an embedded font while it writes them. */
interface Subset {
  glyf: Uint8Array[]
  loca: { offsets: number[] }
  hmtx: { metrics: { advance: number; bearing: number }[] }
  offset: number
  _addGlyph(glyphId: number): number
}

/** fontkit cannot write the glyphs of a variable font (its encoder allocates no buffer): their outlines are written here. */
function drawnOutlines(font: Font): void {
  const writable = font as unknown as { createSubset(): Subset }
  const make = writable.createSubset.bind(font)
  writable.createSubset = () => {
    const subset = make()
    subset._addGlyph = (glyphId) => {
      const glyph = font.getGlyph(glyphId)
      const { bytes, left } = outline(glyph.path as unknown as Path)
      subset.glyf.push(bytes)
      subset.loca.offsets.push(subset.offset)
      subset.hmtx.metrics.push({ advance: Math.round(glyph.advanceWidth), bearing: left })
      subset.offset += bytes.length
      return subset.glyf.length - 1
    }
    return subset
  }
}

/** A glyph of TrueType (`glyf`, one simple description) of a path of lines and quadratic curves. */
function outline({ commands }: Path): { bytes: Uint8Array; left: number } {
  const points: { x: number; y: number; on: boolean }[] = []
  const ends: number[] = []
  const close = (): void => {
    if (points.length - 1 > (ends.at(-1) ?? -1)) ends.push(points.length - 1)
  }
  for (const { command, args } of commands) {
    if (command === 'closePath') close()
    for (let at = 0; at < args.length; at += 2)
      points.push({ x: Math.round(args[at]!), y: Math.round(args[at + 1]!), on: command !== 'quadraticCurveTo' || at > 0 })
  }
  close()
  if (points.length === 0) return { bytes: new Uint8Array(0), left: 0 }
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const bytes: number[] = []
  const short = (into: number[], value: number): void => void into.push((value >> 8) & 255, value & 255)
  for (const value of [ends.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), ...ends, 0])
    short(bytes, value)
  const [flags, xBytes, yBytes]: [number[], number[], number[]] = [[], [], []]
  const step = (difference: number, into: number[], [small, same]: readonly [number, number]): number => {
    if (difference === 0) return same
    if (Math.abs(difference) <= 255) {
      into.push(Math.abs(difference))
      return small | (difference > 0 ? same : 0)
    }
    short(into, difference)
    return 0
  }
  let [lastX, lastY] = [0, 0]
  for (const { x, y, on } of points) {
    flags.push((on ? 1 : 0) | step(x - lastX, xBytes, [2, 16]) | step(y - lastY, yBytes, [4, 32]))
    ;[lastX, lastY] = [x, y]
  }
  bytes.push(...flags, ...xBytes, ...yBytes)
  while (bytes.length % 4 !== 0) bytes.push(0)
  return { bytes: Uint8Array.from(bytes), left: Math.min(...xs) }
}
