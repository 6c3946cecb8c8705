import type { Assignee } from '../../../src/schema/generated/process'
import type { EntityRecord } from '../../entities'
import { newId } from '../../platform/database'
import { receiversOf } from './assign'
import type { Messages } from './messages'
import { staffById } from './people'
import type { Standing } from './standing'

/** Copies that a turn gives to people. */
export class Copies {
  private readonly fresh = new Map<string, EntityRecord>()

  constructor(
    private readonly standing: Standing,
    private readonly messages: Messages,
  ) {}

  /** Gives copies to people; who has one already gets no second. */
  async give(nodeId: string | null, rules: readonly Assignee[] | undefined, ids: readonly string[] = []): Promise<void> {
    const named = rules
      ? await receiversOf(
          this.standing.call,
          (nodeId === null ? undefined : this.standing.nodeOf(nodeId)) ?? this.standing.process.document.nodes[0]!,
          rules,
          this.standing.about(),
        )
      : []
    const staff = await staffById(this.standing.tx, ids)
    const label = nodeId === null ? undefined : this.standing.labelOf(nodeId)
    for (const staffId of [...named, ...ids.filter((id) => staff.has(id))]) {
      if (this.fresh.has(staffId)) continue
      this.fresh.set(staffId, {
        id: newId(),
        instanceId: this.standing.row.id,
        nodeId,
        nodeNameZh: label?.zh.slice(0, 100) ?? null,
        nodeNameEn: label?.en.slice(0, 100) ?? null,
        staffId,
        byId: this.standing.context.user.staffId || null,
        at: this.standing.context.now.toISOString(),
      })
    }
  }

  /** Rows of the copies; whoever gets one hears of it. */
  async write(): Promise<void> {
    if (this.fresh.size === 0) return
    const { rows } = await this.standing.tx.query<{ staffId: string }>(
      'select staff_id as "staffId" from wf_cc where instance_id = $1 and staff_id = any($2::text[]) and deleted_at is null',
      [this.standing.row.id, [...this.fresh.keys()]],
    )
    const known = new Set(rows.map(({ staffId }) => staffId))
    const given = [...this.fresh.values()].filter(({ staffId }) => !known.has(String(staffId)))
    if (given.length === 0) return
    await this.standing.parts.engine.entities(this.standing.tx, this.standing.context).insertMany('wf.cc', given)
    this.messages.tell(
      'wfCc',
      given.map(({ staffId }) => String(staffId)),
      {},
      'cc',
      { link: `/general/process/my-deliver/profile?instanceId=${this.standing.row.id}` },
    )
  }
}
