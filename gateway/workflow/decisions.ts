import type { ProcessDocument } from '../../src/schema/generated/process'
import type { EntityRecord, TransitionGate } from '../entities'
import type { Executor } from '../platform/database'
import type { Text } from '../platform/http'
import { closeTodos } from '../todos'
import { startForRecord, type FlowParts } from './flow'

type Decides = NonNullable<ProcessDocument['decides']>

/** A process that stands for a decision in one step. */
interface Decision extends Decides {
  processId: string
  code: string
  label: Text
  enabled: boolean
  /** Fields of its form. */
  fields: readonly string[]
}

/** Versions never change: what each says is read once. */
type Known = Map<string, Omit<Decision, 'processId' | 'enabled'> | null>
const MOST_KNOWN = 500
/** Kind of the to-dos by which a decision in one step is asked for. */
const ASKED = 'decide'
/** What the platform itself keeps is decided by nobody. */
const OWN = /^(?:sys|wf)\./

/**
 * Lets processes stand for decisions in one step (`decides`): while one is enabled, the transition that asks starts an application, and
 * those that decide are refused to people with its number, as long as it runs; its end takes them as the system. Without such a
 * process everything is as the entity says.
 */
export function decisionGate(parts: FlowParts): TransitionGate {
  const known: Known = new Map()
  return {
    async refuse({ tx, context, model, transition }, records) {
      const refused = new Map<EntityRecord, Text>()
      if (context.kind === 'system' || OWN.test(model.name)) return refused
      const deciding = (await decisionsOf(tx, known, model.name)).filter(({ agreed, rejected, withdrawn }) =>
        [agreed, rejected, withdrawn].includes(transition.id),
      )
      for (const decision of deciding) {
        const running = await runningOf(tx, decision, records)
        for (const record of records) {
          const code = running.get(String(record.id))
          if (code !== undefined && !refused.has(record)) refused.set(record, decidedThere(decision, code))
        }
      }
      return refused
    },

    async taken({ tx, context, model, transition }, records) {
      if (context.kind === 'system' || OWN.test(model.name)) return
      const [asking] = (await decisionsOf(tx, known, model.name)).filter(({ on, enabled }) => enabled && on === transition.id)
      if (!asking) return
      const { code, field, fields } = asking
      for (const record of records) {
        const told = fields.filter((name) => name !== field && record[name] !== undefined && record[name] !== null)
        const formData = Object.fromEntries(told.map((name) => [name, record[name]]))
        await startForRecord(parts, tx, context, { code, field, recordId: String(record.id), formData })
      }
      // whoever would have decided is asked by the application now
      const ids = records.map(({ id }) => String(id))
      await closeTodos(tx, { entity: model.name, ids }, { as: 'dropped', kinds: [ASKED], now: context.now })
    },
  }
}

const decidedThere = ({ label }: Decision, code: string): Text => ({
  zh: `由流程“${label.zh}”的审批单 ${code} 决定，请在该审批单中处理。`,
  en: `Application ${code} of the process "${label.en}" decides on this: act there.`,
})

async function decisionsOf(tx: Executor, known: Known, entity: string): Promise<Decision[]> {
  const { rows } = await tx.query<{ id: string; versionId: string; state: string }>(
    `select id, current_version_id as "versionId", state from wf_process where current_version_id is not null and deleted_at is null`,
  )
  await read(
    tx,
    known,
    rows.flatMap(({ versionId }) => (known.has(versionId) ? [] : [versionId])),
  )
  return rows.flatMap(({ id, versionId, state }) => {
    const decision = known.get(versionId)
    return decision?.entity === entity ? [{ ...decision, processId: id, enabled: state === 'enabled' }] : []
  })
}

async function read(tx: Executor, known: Known, versionIds: readonly string[]): Promise<void> {
  if (versionIds.length === 0) return
  if (known.size + versionIds.length > MOST_KNOWN) known.clear()
  const { rows } = await tx.query<{ id: string; document: string }>(
    'select id, document from wf_process_version where id = any($1::text[])',
    [versionIds],
  )
  for (const { id, document: text } of rows) {
    const { name, label, decides, form } = JSON.parse(text) as Partial<ProcessDocument>
    const decision = decides && name && label ? { ...decides, code: name, label, fields: Object.keys(form?.fields ?? {}) } : null
    known.set(id, decision)
  }
}

/** The open applications that decide on records: their numbers, by the record. */
async function runningOf(
  tx: Executor,
  { processId, field }: Decision,
  records: readonly EntityRecord[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query<{ recordId: string; code: string }>(
    `select form_data->>$2 as "recordId", code from wf_instance
     where process_id = $1 and status in ('running', 'returned', 'effectFailed') and form_data->>$2 = any($3::text[]) and deleted_at is null`,
    [processId, field, records.map(({ id }) => String(id))],
  )
  return new Map(rows.map(({ recordId, code }) => [recordId, code]))
}
