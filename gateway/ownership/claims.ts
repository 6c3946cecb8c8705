import type { Entities, EntityEngine, EntityRecord, EntityService } from '../entities'
import { minuteAt } from '../platform/calendar'
import type { Executor } from '../platform/database'
import { ServiceError, systemContext, type RequestContext, type Text } from '../platform/http'
import { staffName } from '../staff'
import { subjectOf, textOf, type Subject } from './subject'

/** Refused claims that a stay remembers. */
const ATTEMPTS_KEPT = 50
/** Milliseconds after which a claimed record is gone without a word for those who come too late. */
const LATE_CLAIM = 86_400_000
const NOT_IN_SEA = { zh: '已被其他同事领取', en: 'Already claimed by somebody else' }

type Report = (error: unknown, message: string) => void

/** Claims from the pool: who comes too late is told so for a day, and every refused claim is noted at the stay. */
export const claimService = (engine: EntityEngine, onError: Report): EntityService => ({
  async outOfReach({ entities, model, id, now }) {
    const stay = await lastStay(entities, subjectOf(engine, model.name), id)
    const leftAt = textOf(stay?.leftAt)
    const taken = stay?.leftBy === 'claim' || stay?.leftBy === 'assign'
    // Who had it on his screen knows of it anyway; to everybody else the record does not exist.
    if (!taken || leftAt === null || Date.parse(leftAt) < now.getTime() - LATE_CLAIM) return null
    return new ServiceError('limitRefused', { message: NOT_IN_SEA, data: { reason: 'notInSea' } })
  },
  refused(context, refusals, model) {
    for (const [id, error] of refusals) {
      const { reason } = (error.data ?? {}) as { reason?: unknown }
      if (error.reason === 'limitRefused' && typeof reason === 'string')
        noteAttempt(engine, subjectOf(engine, model.name), context, { id, reason }, onError)
    }
  },
})

/** The last stay of a record in the pool. */
async function lastStay(entities: Entities, { word }: Subject, id: string, lock = false): Promise<EntityRecord | undefined> {
  const [stay] = await entities.list(word.stay, {
    where: [{ field: word.reference, operator: 'eq', value: id }],
    sort: [{ field: 'enteredAt', order: 'desc' }],
    limit: 1,
    lock,
  })
  return stay
}

/** In a transaction of its own: it stays when the running one is undone by the refusal. */
function noteAttempt(
  engine: EntityEngine,
  subject: Subject,
  { user, now, traceId }: RequestContext,
  { id, reason }: { id: string; reason: string },
  onError: Report,
): void {
  engine
    .transaction(systemContext({ now, traceId }), async (entities) => {
      const stay = await lastStay(entities, subject, id, true)
      if (!stay) return
      const attempt: Attempt = { staffId: user.staffId, at: now.toISOString(), refusedBecause: reason }
      await entities.save(subject.word.stay, { id: stay.id, attempts: [...attemptsOf(stay), attempt].slice(-ATTEMPTS_KEPT) })
    })
    .catch((error: unknown) => onError(error, 'a refused claim could not be noted'))
}

interface Attempt {
  staffId: string
  at: string
  refusedBecause: string
}

/** The dossier of a stay: who tried to claim the record and why it was refused, one line each. */
export const stayService = (engine: EntityEngine, timeZone: string): EntityService => ({
  async computeFields(records, { db, context: { locale } }) {
    const attempts = records.map(attemptsOf)
    const names = await namesOf(db, [...new Set(attempts.flat().map(({ staffId }) => staffId))])
    for (const [index, record] of records.entries()) {
      const lines = attempts[index]!.toReversed().map(({ staffId, at, refusedBecause }) => {
        const reason = engine.dictionaryLabel('claimRefusal', refusedBecause)[locale]
        return `${minuteAt(at, timeZone)} ${names.get(staffId)?.[locale] ?? staffId}${locale === 'zh' ? '：' : ': '}${reason}`
      })
      record.attemptNotes = lines.length > 0 ? lines.join('\n') : null
    }
  },
})

const attemptsOf = ({ attempts }: EntityRecord): Attempt[] => (Array.isArray(attempts) ? (attempts as Attempt[]) : [])

async function namesOf(db: Executor, ids: readonly string[]): Promise<Map<string, Text>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; title: Text }>(
    `select s.id, ${staffName('s')} as title from sys_staff s where s.id = any($1::text[])`,
    [ids],
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}
