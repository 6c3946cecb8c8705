import { findTransition } from '../../../src/schema/entity'
import type { EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import type { Standing } from './standing'

/** Letters of a reason that a decided record takes along. */
const LONGEST_REASON = 200

/**
 * What the end of a process that decides on a record does with it (`decides`); undefined for one that decides on none.
 * @param said in whose words the decision is explained, where its transition has a field for that; else the number of the application
 */
export function decidedBy(
  standing: Standing,
  result: 'agreed' | 'rejected',
  said: string | null | undefined,
): ((tx: Transaction) => Promise<void>) | undefined {
  const { decides } = standing.process.document
  const id = decides && standing.values[decides.field]
  if (!decides || typeof id !== 'string') return undefined
  const { entity, [result]: transition } = decides
  const { engine } = standing.parts
  return async (tx) => {
    const found = findTransition(engine.model(entity), transition)?.transition
    const words = said?.trim()
    const text = (words ? words : (standing.row.code ?? standing.row.id)).slice(0, LONGEST_REASON)
    const reason: EntityRecord =
      found?.reason !== undefined && found.fields?.includes(found.reason) === true ? { [found.reason]: text } : {}
    await engine.entities(tx, standing.system()).transition(entity, id, transition, reason)
  }
}
