import { ExpressionError } from '../../../src/schema/expression'
import type { EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import { tolerantly } from './form'
import type { FlowParts, InstanceRow } from './instance'
import type { FlowAction } from './reduce'
import type { Standing } from './standing'
import { isOver, type FlowState } from './state'

/** Starts another process for the same applicant. */
export type SubStarter = (
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: { code: string; formData: EntityRecord; applicantId: string; parent: { id: string; nodeId: string } },
) => Promise<InstanceRow>

/** How a sub-process ended; null while it runs. */
export const subResult = (status: string): 'agreed' | 'rejected' | 'other' | null => {
  if (status === 'running' || status === 'returned' || status === 'draft') return null
  if (status === 'agreed' || status === 'done' || status === 'effectFailed') return 'agreed'
  return status === 'rejected' ? 'rejected' : 'other'
}

/**
 * Starts the process of a step, once for each passing of it. Answers what the step learns of it at once.
 * @param starter starts another process; start.ts has it
 */
export async function beginSub(standing: Standing, starter: SubStarter, nodeId: string): Promise<FlowAction[]> {
  const node = standing.nodeOf(nodeId)!
  const { rows } = await standing.tx.query<{ id: string; status: string }>(
    'select id, status from wf_instance where parent_id = $1 and parent_node_id = $2 and deleted_at is null order by created_at desc limit 1',
    [standing.row.id, nodeId],
  )
  const [known] = rows
  if (known && !['withdrawn', 'terminated'].includes(known.status)) {
    const ended = subResult(known.status)
    return ended === null || node.wait === false ? [] : [{ kind: 'subEnded', nodeId, result: ended }]
  }
  try {
    const given = Object.entries((node.values ?? {}) as EntityRecord)
    const texts = given.map(([, value]) => (typeof value === 'string' ? tolerantly(value) : undefined))
    const values = await standing.form.records.evaluate(standing.call, standing.values, standing.named(), texts)
    const asked = {
      code: node.process ?? '',
      formData: Object.fromEntries(
        given.map(([name, value], index) => [name, typeof value === 'string' ? (values[index] ?? null) : value]),
      ),
      applicantId: standing.row.applicantId,
      parent: { id: standing.row.id, nodeId },
    }
    // what cannot be started leaves nothing behind
    const sub = await standing.tx.transaction((inner) => starter(standing.parts, inner, standing.context, asked))
    if (node.wait === false || !isOver({ status: sub.status as FlowState['status'] })) return []
    const ended = subResult(sub.status)
    return ended === null ? [] : [{ kind: 'subEnded', nodeId, result: ended }]
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof ExpressionError)) throw error
    const reason = error instanceof ServiceError ? error.text : error.problem.message
    return [{ kind: 'stuck', nodeId, reason }]
  }
}
