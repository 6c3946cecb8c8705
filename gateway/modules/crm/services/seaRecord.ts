import type { EntityEngine, EntityRecord, EntityService } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { minuteAt } from '../rules/companyDay'
import { staffName } from '../../../staff'

interface Attempt {
  staffId: string
  at: string
  refusedBecause: string
}

/** The dossier of a stay in the sea: who tried to claim the customer and why it was refused, one line each. */
export function seaRecordService(engine: EntityEngine, timeZone: string): EntityService {
  return {
    async computeFields(records, { db, context }) {
      const attempts = records.map(attemptsOf)
      const names = await namesOf(db, [...new Set(attempts.flat().map(({ staffId }) => staffId))])
      for (const [index, record] of records.entries()) {
        const lines = attempts[index]!.toReversed().map(({ staffId, at, refusedBecause }) => {
          const reason = engine.dictionaryLabel('claimRefusal', refusedBecause)[context.locale]
          return `${minuteAt(at, timeZone)} ${names.get(staffId)?.[context.locale] ?? staffId}${context.locale === 'zh' ? '：' : ': '}${reason}`
        })
        record.attemptNotes = lines.length > 0 ? lines.join('\n') : null
      }
    },
  }
}

function attemptsOf(record: EntityRecord): Attempt[] {
  const { attempts } = record
  return Array.isArray(attempts) ? (attempts as Attempt[]) : []
}

async function namesOf(db: Executor, ids: readonly string[]): Promise<Map<string, Text>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: string; title: Text }>(
    `select s.id, ${staffName('s')} as title from sys_staff s where s.id = any($1::text[])`,
    [ids],
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}
