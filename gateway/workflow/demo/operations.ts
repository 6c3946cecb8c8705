import type { EntityRecord } from '../../entities'
import { systemContext } from '../../platform/http'
import type { WorkflowParts } from '../parts'

const HOUR = 3_600_000
/** Hours until a work order of a severity is solved (money 8.13). */
const LIMITS: Readonly<Record<string, number>> = { P1: 1, P2: 4, P3: 24, P4: 72 }
/** Ends at which an application has become a document: its process writes it then. */
const AGREED: readonly string[] = ['done', 'agreed']

interface Made {
  id: string
  process: string
  code: string
  status: string
  applicantId: string
  startedAt: Date
  endedAt: Date | null
  formData: EntityRecord | null
  handlerId: string | null
  /** Kind of the open task. */
  asks: string | null
}

const moment = (at: Date | null): string | null => at && new Date(at).toISOString()

/** The work orders that the applications of the demo company opened, and the documents of those that were agreed to. */
export async function addOperations({ engine, database }: WorkflowParts, now: Date): Promise<void> {
  const { rows } = await database.query<Made>(
    `select i.id, p.code as process, i.code, i.status, i.applicant_id as "applicantId", i.started_at as "startedAt", i.ended_at as "endedAt", i.form_data as "formData",
       (select t.assignee_id from wf_task t where t.instance_id = i.id and t.kind = 'handle' order by t.arrived_at limit 1) as "handlerId",
       (select t.kind from wf_task t where t.instance_id = i.id and t.status = 'pending' limit 1) as asks
     from wf_instance i join wf_process p on p.id = i.process_id where p.code in ('workOrder', 'generic') and i.status <> 'draft' and i.deleted_at is null order by i.code`,
  )
  const known = engine.names()
  const of = (process: string) => rows.filter((one) => one.process === process)
  await engine.transaction(systemContext({ now }), async (entities) => {
    if (known.includes('ops.workOrder')) await entities.insertMany('ops.workOrder', of('workOrder').map(workOrder))
    if (known.includes('ops.apply'))
      await entities.insertMany(
        'ops.apply',
        of('generic')
          .filter(({ status }) => AGREED.includes(status))
          .map(application),
      )
  })
}

const base = (made: Made, fields: readonly string[]): EntityRecord => ({
  ...Object.fromEntries(fields.map((name) => [name, made.formData?.[name] ?? null])),
  id: `op-${made.id}`,
  createdAt: moment(made.startedAt),
  createdBy: made.applicantId,
  code: made.code,
  instanceId: made.id,
  applicantId: made.applicantId,
})

function workOrder(made: Made, index: number): EntityRecord {
  const record = base(made, [
    'orderType',
    'severity',
    'customerId',
    'accountId',
    'supplierId',
    'channel',
    'country',
    'mccmnc',
    'samples',
    'expectation',
    'dueAt',
  ])
  const severity = String(record.severity ?? 'P3')
  const begun = new Date(made.startedAt).getTime()
  const open = made.status === 'running' || made.status === 'returned'
  const status =
    made.status === 'running' && made.asks === 'approve'
      ? 'toConfirm'
      : open
        ? (['todo', 'handling', 'waitingSupplier'][index % 3] ?? 'todo')
        : ['done', 'agreed', 'effectFailed'].includes(made.status)
          ? 'closed'
          : 'cancelled'
  const claimed = status !== 'todo' && status !== 'cancelled' && made.handlerId !== null
  return {
    ...record,
    channel: record.channel ?? 'SMPP-SG-01',
    severity,
    status,
    slaDue: new Date(begun + (LIMITS[severity] ?? 24) * HOUR).toISOString(),
    claimById: claimed ? made.handlerId : null,
    claimedAt: claimed ? new Date(begun + HOUR / 2).toISOString() : null,
    waitedSince: status === 'waitingSupplier' ? new Date(begun + HOUR).toISOString() : null,
    result: status === 'closed' || status === 'toConfirm' ? '已切换路由并观察正常' : null,
    closedAt: status === 'closed' ? moment(made.endedAt) : null,
  }
}

const application = (made: Made): EntityRecord => ({
  ...base(made, ['applyType', 'customerId', 'accountId', 'supplierId', 'supplierAccountId', 'channel', 'content', 'expectedAt']),
  status: 'approved',
  endedAt: moment(made.endedAt),
})
