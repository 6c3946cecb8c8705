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

  private count({ plan, step, failed }: Told): void {
    const id = `${plan.model.name}.${plan.deadline.id}`
    const label = labelOf(plan)
    if (failed) this.raise('failed', FAILED)
    else if (step === '') this.raise(id, label)
    else this.raise(`${id}.remind`, { zh: `${label.zh}（提醒）`, en: `${label.en} (reminders)` })
  }

  private raise(id: string, title: Text): void {
    this.figures.set(id, { id, title, value: (this.figures.get(id)?.value ?? 0) + 1 })
  }

  async report(core: Core, db: Executor, context: RequestContext): Promise<JobReport> {
    const shown = [...this.failed, ...this.done].slice(0, MOST_ROWS)
    const names = await namesOf(core, db, context, shown)
    const models = [...new Set(shown.map(({ plan }) => plan.model))]
    return {
      figures: [...this.figures.values()],
      columns: [
        { id: 'deadline', title: { zh: '到期事项', en: 'Deadline' } },
        { id: 'code', title: { zh: '记录', en: 'Record' }, of: [...new Set(models.flatMap((model) => sourcesOf(core, model)))] },
        { id: 'status', title: { zh: '结果', en: 'Outcome' } },
        { id: 'error', title: { zh: '原因', en: 'Reason' } },
      ],
      rows: shown.map((one) => ({
        id: String(one.row.id),
        deadline: labelOf(one.plan),
        code: names.get(one) ?? '',
        status: outcomeOf(core, one),
        error: one.failed,
      })),
      more: this.total - shown.length,
    }
  }
}

function outcomeOf(core: Core, { plan: { deadline, counted }, step, row, failed }: Told): Text {
  if (failed) return FAILED
  if (step !== '') return REMINDED
  if (deadline.delete === true) return DELETED
  const state = counted ? row[counted.field.name] : null
  const dictionary = core.registry.dictionary(counted?.field.field['x-dictionary'] ?? '')
  return dictionary?.items.find(({ code }) => code === state)?.label ?? { zh: String(state), en: String(state) }
}

/** The field that names a record by number, if it has one: it says nothing about anybody. */
const codeOf = (model: EntityModel): string | undefined => model.stored.find(({ sequence }) => sequence)?.name

/** What the names of records are made of. */
function sourcesOf(core: Core, model: EntityModel): string[] {
  const code = codeOf(model)
  if (code !== undefined) return [`${model.name}.${code}`]
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
      return [one, typeof name === 'string' ? name : id]
    }),
  )
}
