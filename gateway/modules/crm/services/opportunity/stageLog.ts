import { newId } from '../../../../platform/database'
import type { Entities, EntityRecord } from '../../../../entities'
import { daysInStage } from '../../rules/opportunity'

/** One change of stage as it is logged; `from` is null for a new opportunity. */
export interface StageChange {
  opportunity: EntityRecord
  from: string | null
  to: string
  /** Since when the opportunity stood in the stage that it leaves. */
  since: string | null
  note?: string | null
}

/** Appends a change of stage to the log; nothing of it is ever changed. */
export async function logStage(
  entities: Entities,
  place: { now: Date; timeZone: string; byId: string | null },
  change: StageChange,
): Promise<void> {
  const { now, timeZone, byId } = place
  await entities.insertMany('crm.opportunityStageLog', [
    {
      id: newId(),
      opportunityId: change.opportunity.id,
      fromStage: change.from,
      toStage: change.to,
      at: now.toISOString(),
      byId,
      ownerId: change.opportunity.ownerId ?? null,
      daysInStage: change.since === null ? null : daysInStage(change.since, now, timeZone),
      note: change.note ?? null,
      createdAt: now.toISOString(),
      createdBy: byId,
    },
  ])
}

/** The stage that an opportunity stood in before it was closed. */
export async function stageBeforeClosing(entities: Entities, opportunityId: string): Promise<string> {
  const [closing] = await entities.list('crm.opportunityStageLog', {
    where: [
      { field: 'opportunityId', operator: 'eq', value: opportunityId },
      { field: 'toStage', operator: 'in', value: ['won', 'lost'] },
    ],
    sort: [{ field: 'at', order: 'desc' }],
    limit: 1,
  })
  return typeof closing?.fromStage === 'string' ? closing.fromStage : 's1'
}
