import { sql } from 'drizzle-orm'
import { compileEntity } from '../../../src/schema/entity'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { sqlState, type Transaction } from '../../platform/database'
import { systemContext, type Text } from '../../platform/http'
import type { Core } from '../core'
import { metBy } from './due'
import { plansOf } from './plan'
import { labelOf } from './report'
import { settled } from './resolve'

/** What a deadline would meet at once. */
interface DeadlineMeets {
  id: string
  label: Text
  /** Null: a field that it reads is not there yet. */
  records: number | null
}

/** A column that no table has yet. */
const UNDEFINED_COLUMN = '42703'

/** How many records the deadlines of a document, released or not, meet now. */
export async function deadlinesMeet(core: Core, tx: Transaction, document: EntityDocument, now: Date): Promise<DeadlineMeets[]> {
  const model = compileEntity(document, (name) => core.registry.find(name))
  const found: DeadlineMeets[] = []
  for (const plan of plansOf(model)) {
    const count = tx.transaction(async (inner) => {
      const plain = await settled({ core, tx: inner, context: systemContext({ now }) }, plan)
      const { rows } = await inner.query<{ records: number }>(
        sql`select count(*) as records ${metBy(plain, { registry: core.registry, now })}`,
      )
      return Number(rows[0]?.records ?? 0)
    })
    const records = await count.catch((error: unknown) => {
      if (sqlState(error) === UNDEFINED_COLUMN) return null
      throw error
    })
    found.push({ id: plan.deadline.id, label: labelOf(plan), records })
  }
  return found
}
