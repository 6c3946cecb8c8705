import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext, Text } from '../../platform/http'
import { MOST_ROWS, type JobReport } from '../../platform/jobs'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import type { DeadlinePlan } from './plan'

/** What a run did to a record, or why it could not. */
export interface Told {
  plan: DeadlinePlan
  /** Id of the reminder; empty = the deadline itself. */
  step: string
  row: EntityRecord
  failed: Text | null
  /** It was not due any more. */
  kept?: true
  /** What the field says that tells why. */
  why?: unknown
}

/** What a deadline is called: by its own label, or by what it does. */
export function labelOf({ model, deadline }: DeadlinePlan): Text {
  if (deadline.label) return deadline.label
  const transition = model.machines.flatMap(({ transitions }) => transitions).find(({ id }) => id === deadline.transition)
  const what = transition?.label ?? (deadline.delete ? { zh: '删除', en: 'Delete' } : { zh: '提醒', en: 'Remind' })
  return { zh: `${model.label.zh}：${what.zh}`, en: `${model.label.en}: ${what.en}` }
}

const REMINDED: Text = { zh: '已提醒', en: 'Reminded' }
const DELETED: Text = { zh: '已删除', en: 'Deleted' }
const KEPT: Text = { zh: '复核后保留', en: 'Kept after a second look' }
const LEFT: Text = { zh: '超出每晚上限，留到明晚', en: 'Over the nightly limit, left for the next night' }
const FAILED: Text = { zh: '未能处理', en: 'Not done' }

/** What a run did: counts of all, and the first rows; those that failed before the others. */
export class Findings {
  private readonly figures = new Map<string, { id: string; title: Text; value: number }>()
  private readonly failed: Told[] = []
  private readonly done: Told[] = []
  private total = 0

  add(told: readonly Told[]): void {
    for (const one of told) {
      this.count(one)
      this.total += 1
      const list = one.failed ? this.failed : this.done
      if (list.length < MOST_ROWS) list.push(one)
    }
  }

  /** So many more are due than one night takes. */
  leave(count: number): void {
    if (count > 0) this.raise('left', LEFT, count)
  }

  private count({ plan, step, failed, kept }: Told): void {
    const id = `${plan.model.name}.${plan.deadline.id}`
    const label = labelOf(plan)
    if (failed) this.raise('failed', FAILED)
    else if (kept) this.raise('kept', KEPT)
    else if (step === '') this.raise(id, label)
    else this.raise(`${id}.remind`, { zh: `${label.zh}（提醒）`, en: `${label.en} (reminders)` })
  }

  private raise(id: string, title: Text, by = 1): void {
    this.figures.set(id, { id, title, value: (this.figures.get(id)?.value ?? 0) + by })
  }

  async report(core: Core, db: Executor, context: RequestContext): Promise<JobReport> {
    const shown = [...this.failed, ...this.done].slice(0, MOST_ROWS)
    const names = await namesOf(core, db, context, shown)
    return {
      figures: [...this.figures.values()],
      columns: [
        { id: 'deadline', title: { zh: '到期事项', en: 'Deadline' } },
        { id: 'code', title: { zh: '记录', en: 'Record' } },
        { id: 'status', title: { zh: '结果', en: 'Outcome' } },
        { id: 'error', title: { zh: '原因', en: 'Reason' } },
      ],
      rows: shown.map((one) => ({
        id: String(one.row.id),
        deadline: labelOf(one.plan),
        code: names.get(one) ?? '',
        status: outcomeOf(core, one),
        error: one.failed ?? whyOf(core, one),
      })),
      cells: shown.map(({ plan }) => ({ code: sourcesOf(core, plan) })),
      more: this.total - shown.length,
    }
  }
}

function outcomeOf(core: Core, { plan: { deadline, counted }, step, row, failed, kept }: Told): Text {
  if (failed) return FAILED
  if (kept) return KEPT
  if (step !== '') return REMINDED
  if (deadline.delete === true) return DELETED
  const state = counted ? row[counted.field.name] : null
  const dictionary = core.registry.dictionary(counted?.field.field['x-dictionary'] ?? '')
  return dictionary?.items.find(({ code }) => code === state)?.label ?? { zh: String(state), en: String(state) }
}

function whyOf(core: Core, { plan: { model, deadline }, why }: Told): Text | null {
  if (typeof why !== 'string') return null
  const dictionary = core.registry.dictionary(model.fields.get(deadline.why ?? '')?.field['x-dictionary'] ?? '')
  return dictionary?.items.find(({ code }) => code === why)?.label ?? { zh: why, en: why }
}

/** The field that names a record by number, if it has one: it says nothing about anybody. */
const codeOf = (model: EntityModel): string | undefined => model.stored.find(({ sequence }) => sequence)?.name

/** Who reads why something was done wants to know to what: the title stands beside the number. */
const namedIn = ({ model, deadline }: DeadlinePlan): boolean => deadline.why !== undefined && model.titleField !== codeOf(model)

/** What the names of records are made of. */
function sourcesOf(core: Core, plan: DeadlinePlan): string[] {
  const { model } = plan
  const code = codeOf(model)
  if (code !== undefined) return [code, ...(namedIn(plan) ? [model.titleField] : [])].map((name) => `${model.name}.${name}`)
  const field = model.title ? undefined : model.fields.get(model.titleField)
  const target = core.registry.find((field && referenceOf(field)) ?? '')
  if (target) return target.titleFields.map((name) => `${model.name}.${model.titleField}.${name}`)
  return model.titleFields.map((name) => `${model.name}.${name}`)
}

async function namesOf(core: Core, db: Executor, context: RequestContext, told: readonly Told[]): Promise<Map<Told, string>> {
  const wanted = new Map<string, Set<string>>()
  for (const { plan, row } of told)
    if (codeOf(plan.model) === undefined) {
      const ids = wanted.get(plan.model.name) ?? new Set<string>()
      wanted.set(plan.model.name, ids.add(String(row.id)))
    }
  const titles = await core.references.titles(db, context, wanted)
  return new Map(
    told.map((one) => {
      const { model } = one.plan
      const code = codeOf(model)
      const id = String(one.row.id)
      const name = code === undefined ? titles[model.name]?.[id]?.title : one.row[code]
      const title = code !== undefined && namedIn(one.plan) ? one.row[model.titleField] : undefined
      return [one, typeof name !== 'string' ? id : typeof title === 'string' ? `${title} (${name})` : name]
    }),
  )
}
