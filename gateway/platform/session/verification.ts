import { randomInt } from 'node:crypto'
import type { Database } from '../database'
import { hashOf, sameSecret } from './secrets'
import { after } from './sessions'
import { CHARACTERS, drawCode } from './verificationImage'

const SECONDS = 300
/** Verification codes (R282): made as an image, asked for once. */
export class VerificationCodes {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** A new code under the id; the image as PNG. An older code of the id is void. */
  async draw(id: string): Promise<Buffer> {
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
