import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 240
const HEIGHT = 80

/** Letters and digits that cannot be taken for one another, as strokes on a grid of 4 by 6. */
const STROKES: Readonly<Record<string, string>> = {
  '2': '0,1 1,0 3,0 4,1 4,2 0,6 4,6',
  '3': '0,0 4,0 2,2 4,4 3,6 0,6',
  '4': '3,6 3,0 0,4 4,4',
  '6': '3,0 0,3 0,5 1,6 3,6 4,5 4,4 3,3 0,4',
  '7': '0,0 4,0 1,6',
  '9': '4,2 1,3 0,2 1,0 3,0 4,1 4,3 2,6',
  A: '0,6 2,0 4,6 M1,4 3,4',
  C: '4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5',
  E: '4,0 0,0 0,6 4,6 M0,3 3,3',
  F: '4,0 0,0 0,6 M0,3 3,3',
  H: '0,0 0,6 M4,0 4,6 M0,3 4,3',
  K: '0,0 0,6 M4,0 0,3 4,6',
  M: '0,6 0,0 2,3 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 3,0 4,1 4,2 3,3 0,3',
  R: '0,6 0,0 3,0 4,1 4,2 3,3 0,3 M2,3 4,6',
  T: '0,0 4,0 M2,0 2,6',
  X: '0,0 4,6 M4,0 0,6',
  Y: '0,0 2,3 4,0 M2,3 2,6',
}
/** What a code is made of. */
export const CHARACTERS = Object.keys(STROKES)

interface Point {
  x: number
  y: number
}

const between = (low: number, high: number): number => low + (randomInt(1_000_000) / 1_000_000) * (high - low)

/**
 * A picture (PNG) of a code: letters shifted, turned, sheared and bent together as one sheet, crossed by lines of their own
 * kind, cut and speckled. No letter has the same shape twice, and nothing in the file tells one stroke from another.
 */
export function drawCode(answer: string): Buffer {
  const sheet = new Sheet()
  const bend = randomBend()
  ;[...answer].forEach((character, position) => {
    const shift = randomShift(position)
    for (const stroke of strokesOf(STROKES[character] ?? '')) sheet.line(stroke.map(shift).flatMap(bend), between(2.9, 3.7), 1)
  })
  for (let count = 0; count < 2; count += 1) sheet.line(acrossCurve(), between(0.9, 1.5), 1)
  for (let count = 0; count < 7; count += 1) sheet.line(shortCurve(), between(1.2, 2), 1)
  for (let count = 0; count < 3; count += 1) sheet.line(acrossCurve(), between(0.7, 1), 0)
  return sheet.png()
}

/** Grey pixels that lines are drawn on. */
class Sheet {
  private readonly ink = new Float32Array(WIDTH * HEIGHT)

  /** Draws along the points (ink 1) or wipes (ink 0). */
  line(points: readonly Point[], radius: number, ink: 0 | 1): void {
    points.slice(1).forEach((end, index) => {
      const start = points[index] ?? end
      const steps = Math.max(1, Math.ceil(Math.hypot(end.x - start.x, end.y - start.y)))
      for (let step = 0; step <= steps; step += 1) {
        const part = step / steps
        this.dot(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part, radius, ink)
      }
    })
  }

  private dot(x: number, y: number, radius: number, ink: 0 | 1): void {
    for (let row = Math.max(0, Math.floor(y - radius - 1)); row <= Math.min(HEIGHT - 1, y + radius + 1); row += 1)
      for (let column = Math.max(0, Math.floor(x - radius - 1)); column <= Math.min(WIDTH - 1, x + radius + 1); column += 1) {
        const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(column - x, row - y)))
        const at = row * WIDTH + column
        const before = this.ink[at] ?? 0
        this.ink[at] = ink === 1 ? Math.max(before, cover) : Math.min(before, 1 - cover)
      }
  }

  png(): Buffer {
    const rows = Buffer.alloc((WIDTH + 1) * HEIGHT)
    for (let y = 0; y < HEIGHT; y += 1)
      for (let x = 0; x < WIDTH; x += 1) {
        const speckle = randomInt(100) < 4 ? between(0.3, 0.9) : 0
        const ink = Math.max(this.ink[y * WIDTH + x] ?? 0, speckle)
        rows[y * (WIDTH + 1) + x + 1] = Math.round(238 - ink * 150 + between(-14, 14))
      }
    const header = Buffer.alloc(13)
    header.writeUInt32BE(WIDTH, 0)
    header.writeUInt32BE(HEIGHT, 4)
    // Eight bits of grey, no interlacing.
    header.set([8, 0, 0, 0, 0], 8)
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** `0,1 1,0 M2,2 3,3` as polylines with a trembling hand. */
function strokesOf(text: string): Point[][] {
  return text.split('M').map((stroke) =>
    stroke
      .trim()
      .split(' ')
      .map((point) => {
        const [x = 0, y = 0] = point.split(',').map(Number)
        return { x: x + between(-0.22, 0.22), y: y + between(-0.22, 0.22) }
      }),
  )
}

/** Where a letter stands, how large, turned and sheared. */
function randomShift(position: number): (point: Point) => Point {
  const [wide, high] = [between(7.5, 11), between(7, 10)]
  const [turn, shear] = [between(-0.42, 0.42), between(-0.3, 0.3)]
  const [left, top] = [34 + position * 57 + between(-10, 10), HEIGHT / 2 + between(-8, 8)]
  return ({ x, y }) => {
    const [across, down] = [(x - 2) * wide + (y - 3) * high * shear, (y - 3) * high]
    return { x: left + across * Math.cos(turn) - down * Math.sin(turn), y: top + across * Math.sin(turn) + down * Math.cos(turn) }
  }
}

/** Bends the sheet; straight strokes get enough points to follow. */
function randomBend(): (point: Point, index: number, stroke: readonly Point[]) => Point[] {
  const [high, long, start] = [between(2.5, 4.5), between(20, 34), between(0, 6.3)]
  const [wide, tall, begin] = [between(1.5, 3.5), between(13, 22), between(0, 6.3)]
  return (point, index, stroke) => {
    const from = stroke[index - 1] ?? point
    return Array.from({ length: index === 0 ? 1 : 12 }, (_, step) => {
      const part = index === 0 ? 1 : (step + 1) / 12
      const [x, y] = [from.x + (point.x - from.x) * part, from.y + (point.y - from.y) * part]
      return { x: x + wide * Math.sin(y / tall + begin), y: y + high * Math.sin(x / long + start) }
    })
  }
}

/** A line from edge to edge. */
function acrossCurve(): Point[] {
  const [middle, high, long, start] = [between(15, 65), between(6, 22), between(18, 50), between(0, 6.3)]
  const slope = between(-0.12, 0.12)
  return Array.from({ length: 61 }, (_, step) => {
    const x = (step / 60) * WIDTH
    return { x, y: middle + (x - WIDTH / 2) * slope + high * Math.sin(x / long + start) }
  })
}

/** A piece that could belong to a letter. */
function shortCurve(): Point[] {
  const [x, y, turn, bow] = [between(0, WIDTH), between(4, HEIGHT - 4), between(0, 6.3), between(-0.25, 0.25)]
  return Array.from({ length: 9 }, (_, step) => {
    const way = turn + bow * step
    return { x: x + Math.cos(way) * step * 1.6, y: y + Math.sin(way) * step * 1.6 }
  })
}
