import { randomInt } from 'node:crypto'
import type { Database } from '../database'
import { hashOf, sameSecret } from './secrets'
import { after } from './sessions'

const SECONDS = 300
const WIDTH = 120
const HEIGHT = 40

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
const CHARACTERS = Object.keys(STROKES)

/** Verification codes (R282): made as an image, asked for once. */
export class VerificationCodes {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** A new code under the id; the image as SVG. An older code of the id is void. */
  async draw(id: string): Promise<string> {
    const answer = Array.from({ length: 4 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
    await this.database.query(
      `insert into auth_verification (id, answer_hash, expires_at) values ($1, $2, $3)
       on conflict (id) do update set answer_hash = excluded.answer_hash, expires_at = excluded.expires_at`,
      [id, hashOf(`${id}:${answer}`), after(this.now(), SECONDS)],
    )
    return drawCode(answer)
  }

  /** True once for the right answer; the code is void afterwards in any case. */
  async take(id: string, answer: string): Promise<boolean> {
    const { rows } = await this.database.query<{ answerHash: string }>(
      'delete from auth_verification where id = $1 and expires_at > $2 returning answer_hash as "answerHash"',
      [id, this.now().toISOString()],
    )
    return rows[0] !== undefined && sameSecret(rows[0].answerHash, hashOf(`${id}:${answer.toUpperCase()}`))
  }
}

/** Strokes instead of text, each letter shifted, scaled and turned, with lines across: no text to be read from the file. */
export function drawCode(answer: string): string {
  const letters = [...answer].map((character, position) => {
    const size = 3.6 + randomInt(14) / 10
    const x = 12 + position * 27 + randomInt(-3, 4)
    const y = 6 + randomInt(-2, 5)
    return `<path transform="translate(${x} ${y}) rotate(${randomInt(-14, 15)} 8 12) scale(${size.toFixed(1)})" d="${pathOf(STROKES[character] ?? '')}"/>`
  })
  const lines = Array.from(
    { length: 4 },
    () =>
      `<path d="M${randomInt(WIDTH)} ${randomInt(HEIGHT)}Q${randomInt(WIDTH)} ${randomInt(HEIGHT)} ${randomInt(WIDTH)} ${randomInt(HEIGHT)}" opacity=".5"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><g fill="none" stroke="#5b6b8c" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" vector-effect="non-scaling-stroke">${letters.join('').replaceAll('<path transform', '<path stroke-width=".55" transform')}${lines.join('')}</g></svg>`
}

/** `0,1 1,0 M2,2 3,3` as SVG path data with a trembling hand. */
function pathOf(strokes: string): string {
  return strokes
    .split(' ')
    .map((point, position) => {
      const lift = point.startsWith('M')
      const [x = 0, y = 0] = point.replace('M', '').split(',').map(Number)
      return `${lift || position === 0 ? 'M' : 'L'}${(x + randomInt(-25, 26) / 100).toFixed(2)} ${(y + randomInt(-25, 26) / 100).toFixed(2)}`
    })
    .join('')
}
