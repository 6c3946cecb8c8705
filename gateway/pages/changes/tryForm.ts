import '../../../src/schema/expression/functions/all'
import { createEngine } from '../../../src/headless/form/engine'
import { fieldsForm } from '../../../src/headless/form/fieldsForm'
import { planForm } from '../../../src/headless/form/plan'
import { validatorOf } from '../../../src/headless/form/validate'
import { part } from '../../../src/headless/form/part'
import { diagnose } from '../../../src/schema/diagnosis'
import { compileEntity, readValue } from '../../../src/schema/entity'
import { formatOf } from '../../../src/schema/formats'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { ActionModel, PageField, FormModel, FormNodeModel, PageModel, TransitionModel } from '../../../src/schema/model'
import type { BilingualText, Problem } from '../../../src/schema/problem'

/** A value that somebody could enter. */
function exampleOf(node: FormNodeModel, field: PageField | undefined): unknown {
  const first = typeof node.enum === 'object' ? node.enum[0]?.value : undefined
  if (first !== undefined) return node.type === 'array' ? [first] : first
  if (node.items && node.items.type !== 'string' && !field)
    return [node.items.type === 'object' ? {} : exampleOf(node.items, undefined)]
  if (field) return formatOf(field.kind).example.value
  return { number: 1, boolean: true, array: ['x'], object: {}, string: 'x', void: undefined }[node.type]
}

/**
 * Makes the compiled form as a browser does, without drawing it: plants it, fills it in with examples, and has the values read
 * as a save reads them. Answers what breaks.
 */
export function tryForm(form: FormModel, entity: EntityDocument | undefined, timeZone: string): Problem[] {
  const problems: Problem[] = []
  const fault = (code: 'invalid-shape' | 'field-kind-mismatch', message: BilingualText): void => {
    problems.push(diagnose(code, { where: form.source.where, at: '/schema' }, message))
  }
  try {
    const plan = planForm(form.schema, part)
    const engine = createEngine({
      plan,
      schema: form.schema,
      values: {},
      scope: { query: {}, user: {}, record: {}, today: '2026-01-05', now: '2026-01-05T08:00:00Z', locale: form.locale },
      // an expression may well find nothing to read in an example: the field then stays as it is
      world: { locale: form.locale, timeZone, can: () => true, dictionaryLabel: () => '', onFailure: () => undefined },
      validator: validatorOf(form.locale, timeZone),
    })
    engine.attach()
    for (const { address, node, field } of plan.items)
      if (node.type !== 'void') engine.dataField(address)?.setValue(exampleOf(node, field))
    for (const table of plan.tables) {
      engine.form.setValuesIn(table.path, [{}])
      engine.plantRow(table, 0)
      for (const { at, node, field, title } of table.columns) {
        const cell = engine.dataField(`${table.address}.0.${at}`)
        if (cell) cell.setValue(exampleOf(node, field))
        else
          fault('invalid-shape', { zh: `表格的列“${title}”无法打开。`, en: `The column "${title}" of a table cannot be opened.` })
      }
    }
    const model = entity && compileEntity(entity)
    for (const { path, node, field } of plan.items) {
      const stored = field || node.type === 'string' ? undefined : model?.fields.get(path)
      const read = stored && readValue(stored, exampleOf(node, field))
      if (read && 'problem' in read)
        fault('field-kind-mismatch', {
          zh: `“${path}”的值不能保存：${read.problem.zh}`,
          en: `What "${path}" holds cannot be saved: ${read.problem.en}`,
        })
    }
    engine.form.onUnmount()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    fault('invalid-shape', { zh: `表单打开后无法使用：${reason}`, en: `The form fails when it is opened: ${reason}` })
  }
  return problems
}

type TransitionAction = ActionModel & { effect: { type: 'transition'; transition: TransitionModel } }

const isTransition = (value: object): value is TransitionAction =>
  'effect' in value && (value as Partial<ActionModel>).effect?.type === 'transition'

/** The actions of a model, wherever on the page they stand, that move records to another state. */
function* transitionsIn(value: unknown, seen = new Set<object>()): Generator<TransitionAction> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (isTransition(value)) yield value
  else for (const part of Object.values(value)) yield* transitionsIn(part, seen)
}

/** Tries the forms that ask for what transitions of a page need; no page describes them. */
export function tryTransitions(model: PageModel, timeZone: string): Problem[] {
  return [...transitionsIn(model)].flatMap(({ effect: { transition }, label, source }) => {
    if (transition.fields.length === 0) return []
    const form = fieldsForm({
      id: `transition:${transition.id}`,
      title: label,
      fields: transition.fields,
      required: transition.required,
      initial: {},
      call: { method: 'POST', path: '' },
      params: (values) => ({ ...values }),
      submitLabel: label,
      success: label,
      locale: model.locale,
      source,
    })
    return tryForm(form, undefined, timeZone).map((problem) => ({
      ...problem,
      at: source.at,
      message: { zh: `“${label}”的${problem.message.zh}`, en: `"${label}": ${problem.message.en}` },
    }))
  })
}
