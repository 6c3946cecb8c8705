import type { Host } from '../../../headless/host'
import { mailTexts } from './texts'
import type { Person, Row } from './types'
import { hourOf } from './when'

/** Milliseconds that whoever begins to answer is known to be at it. */
const HELD = 300_000
const COLORS: Readonly<Record<Row['followState'], string>> = {
  new: 'gold',
  reading: 'blue',
  answered: 'green',
  closed: 'default',
}

type Followed = Pick<Row, 'followState' | 'followStaffId' | 'readingById' | 'readingUntil' | 'direction'>

/** How far a mail of a shared mailbox is: who answers it right now, else its state; null for what one sent oneself. */
export function follows(
  host: Pick<Host, 'locale' | 'now' | 'timeZone' | 'user'>,
  { followState, readingById, readingUntil, direction }: Followed,
  people: readonly Person[],
): { text: string; color: string; isOther: boolean } | null {
  if (direction === 'out') return null
  const texts = mailTexts[host.locale]
  const until = readingUntil === null ? 0 : new Date(readingUntil).getTime()
  const isOther = readingById !== null && readingById !== host.user.staffId && until > host.now().getTime()
  if (followState === 'reading' && isOther) {
    const name = people.find(({ id }) => id === readingById)?.name ?? texts.somebody
    return { text: texts.writing(name, hourOf(host, until - HELD)), color: 'orange', isOther }
  }
  return { text: texts.follow[followState], color: COLORS[followState], isOther: false }
}
