import type { EntityRecord, TransitionHook } from '../../../entities'
import type { Text } from '../../../platform/http'
import { settle, tell } from '../../../todos'
import { leaderOf } from './leaving/handOver'

/** What a leader decides on: how it is called, of which entity, and where it is decided. */
export interface Matter {
  title: Text
  entity: string
  link(row: EntityRecord): string
}
/** Transitions that are a decision, and how it is called; the others only close the reminder. */
const DECIDED: Readonly<Record<string, Text>> = {
  approve: { zh: '已通过', en: 'approved' },
  reject: { zh: '被驳回', en: 'rejected' },
}
type Place = Pick<TransitionHook, 'entities' | 'tx' | 'now' | 'context'>

/** Reminds the leader of whoever asks that something of a customer waits for a decision. */
export async function askLeader({ entities, tx, now, context }: Place, matter: Matter, row: EntityRecord): Promise<void> {
  const asker = await entities.find('sys.staff', context.user.staffId)
  const leader = asker && (await leaderOf({ tx }, asker))
  if (!leader) return
  const of = await customerOf(entities, row)
  const id = String(row.id)
  await tell(
    tx,
    [
      {
        staffId: leader,
        kind: 'decide',
        whileState: 'pending',
        title: {
          zh: `${matter.title.zh}待审批：${of}，${String(asker.name)} 提交`,
          en: `${matter.title.en} to decide: ${of}, from ${String(asker.nameEn ?? asker.name)}`,
        },
        subject: { entity: matter.entity, id },
        link: matter.link(row),
        key: `decide/${id}/${now.toISOString()}`,
      },
    ],
    now,
  )
}

/** Closes the leader's reminder; whoever asked is told of a decision by somebody else. */
export async function tellDecision(hook: TransitionHook, matter: Matter): Promise<void> {
  const { entities, tx, now, context, before, transition } = hook
  const decided = DECIDED[transition.id]
  const id = String(before.id)
  await settle(tx, { entity: matter.entity, ids: [id] }, { as: decided ? 'done' : 'dropped', now, kinds: ['decide'] })
  const asker = String(before.createdBy ?? '')
  if (!decided || asker === context.user.staffId) return
  const of = await customerOf(entities, before)
  await tell(
    tx,
    [
      {
        staffId: asker,
        kind: 'notice',
        title: {
          zh: `${matter.title.zh}${decided.zh}：${of}`,
          en: `${matter.title.en} ${decided.en}: ${of}`,
        },
        subject: { entity: matter.entity, id },
        link: matter.link(before),
        key: `decided/${id}/${now.toISOString()}`,
      },
    ],
    now,
  )
}

async function customerOf(entities: TransitionHook['entities'], row: EntityRecord): Promise<string> {
  const customer = row.customerId ? await entities.find('crm.customer', String(row.customerId)) : null
  return `${String(customer?.name ?? row.name ?? '')} (${String(row.code ?? customer?.code ?? '')})`
}
