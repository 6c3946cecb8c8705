import type { Node } from '../../../src/schema/generated/process'
import type { Text } from '../../platform/http'
import { administers } from '../processes/access'
import { deliveriesOf } from './effectRuns'
import type { Standing } from './standing'

/** Effects that failed are mended by whom they concern: by the administrators of the process, whoever asked for it, and who decided last. */
export interface Mending {
  may: boolean
  /** The step that the mender decided, whose fields he may correct; nobody else corrects anything. */
  node?: Node
}

/** The person who decided last, and where: what the effects refuse may be what he typed. Nobody: time decided every step. */
export async function lastDecision({ tx, row }: Standing): Promise<{ staffId: string; nodeId: string } | undefined> {
  const { rows } = await tx.query<{ staffId: string; nodeId: string }>(
    `select assignee_id as "staffId", node_id as "nodeId" from wf_task
     where instance_id = $1 and status in ('agreed', 'done') and deleted_at is null order by ended_at desc, id desc limit 1`,
    [row.id],
  )
  return rows[0]
}

/** What the caller may do about effects of the end that failed. */
export async function mendingOf(standing: Standing): Promise<Mending> {
  const { flow, row, tx, context } = standing
  const me = context.user.staffId
  if (flow.effect !== 'failed') return { may: await administers(tx, context, row.processId) }
  const last = await lastDecision(standing)
  const node = last?.staffId === me && row.applicantId !== me ? standing.nodeOf(last.nodeId) : undefined
  if (node) return { may: true, node }
  return { may: row.applicantId === me || (await administers(tx, context, row.processId)) }
}

/** What an application whose effects failed has done all the same, said plainly. */
export async function stateAfterFailure({ row, tx, process }: Standing): Promise<Text> {
  const { failed } = await deliveriesOf(tx, row.id, row.status === 'rejected' ? 'rejected' : 'agreed')
  const money = process.document.group === 'money'
  if (failed > 0)
    return money
      ? { zh: '款项已入账，但外部系统没有收到。', en: 'The money HAS been posted; the other system was not told.' }
      : { zh: '变更已完成，但外部系统没有收到。', en: 'It HAS been done here; the other system was not told.' }
  return money
    ? { zh: '款项没有入账，账户未变。', en: 'The money has NOT been posted; no account has changed.' }
    : { zh: '没有执行任何变更。', en: 'Nothing of it has been done.' }
}
