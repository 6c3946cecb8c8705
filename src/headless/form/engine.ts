import { createForm, isField } from '@formily/core'
import type { Field, Form, GeneralField } from '@formily/core'
import { batch, toJS } from '@formily/reactive'
import type { FormNodeModel } from '../../schema/model'
import { writeAmounts } from './amounts'
import { scopeIn, type FormWorld } from './expressions'
import { plantForm, plantRow, plantTables } from './plant'
import type { Planting } from './types'
import type { FormPlan, TablePlan } from './types'

export interface EngineOptions {
  /** Made with planForm(schema). */
  plan: FormPlan
  schema: FormNodeModel
  /** Values of the record, or of a new one. They win over the schema's defaults. */
  values: Readonly<Record<string, unknown>>
  /** Roots for expressions: query, user, today, now, locale, record. */
  scope: Readonly<Record<string, unknown>>
  /** Language, zone, rights and labels for the expressions of this form alone. */
  world?: FormWorld
  validator: Planting['validator']
  options?: Planting['options']
  lock?: Planting['lock']
  defaults?: boolean
  readPretty?: boolean
}

/** One thing that is wrong, with the address of its field. */
export interface FormProblem {
  address: string
  title: string
  message: string
}

/**
 * A form without React: all fields, linkages and validators live in a Formily Form; what is drawn reads from it.
 * An engine belongs to one opening of one form.
 */
export interface FormEngine {
  readonly form: Form
  readonly plan: FormPlan
  /**
   * Tells the form that it is on the screen, once. After `form.onUnmount()`, which destroys every field, it plants them
   * again with the values that were there, and answers true: whoever holds fields has to look them up anew.
   */
  attach(): boolean
  field(address: string): GeneralField | undefined
  dataField(address: string): Field | undefined
  plantRow(table: TablePlan, index: number): void
  /** Checks everything that is shown, untouched rows too. Empty = all is well. */
  validate(): Promise<readonly FormProblem[]>
  /** What is wrong now, in reading order, without checking again. */
  problems(): readonly FormProblem[]
  /** Puts the server's messages on their fields; what belongs to no field is returned. */
  setServerErrors(errors: readonly { field?: string; message: string }[]): readonly string[]
  clearServerErrors(): void
  /** A plain copy of the values; amounts are decimal text. */
  values(): Record<string, unknown>
}

/** What the server said of a field stands until the field is changed. */
export const SERVER_ERROR = 'ServerError'

export const createEngine = ({
  plan,
  schema,
  values,
  scope: roots,
  world,
  validator,
  options,
  lock,
  defaults,
  readPretty,
}: EngineOptions): FormEngine => {
  const scope = scopeIn(world, roots)
  let form = createForm({ values: { ...values }, validateFirst: true, ...(readPretty ? { readPretty: true } : {}) })
  let mounted: Form | null = null
  const plantingOf = (target: Form): Planting => ({
    form: target,
    scope,
    validator,
    ...(plan.formily ? { formily: plan.formily } : {}),
    ...(options ? { options } : {}),
    ...(lock ? { lock } : {}),
    ...(defaults === undefined ? {} : { defaults }),
  })
  plantForm(plantingOf(form), schema)

  const field = (address: string): GeneralField | undefined => form.fields[address]
  const dataField = (address: string): Field | undefined => {
    const found = field(address)
    return found && isField(found) ? found : undefined
  }
  const byPath = (path: string): Field | undefined => {
    const address = form.indexes[path]
    return dataField(address ?? path)
  }

  return {
    get form() {
      return form
    },
    plan,
    attach: () => {
      const replanted = form.unmounted
      if (replanted) {
        // onUnmount destroyed the fields and the effects: the values go into a form of their own
        form = createForm({ values: toJS(form.values), validateFirst: true, ...(readPretty ? { readPretty: true } : {}) })
        plantForm(plantingOf(form), schema)
      }
      if (mounted === form) return replanted
      mounted = form
      form.onMount()
      batch(() => {
        for (const planted of Object.values(form.fields)) planted.onMount()
      })
      return replanted
    },
    field,
    dataField,
    plantRow: (table, index) => plantRow(plantingOf(form), table, index),
    validate: async () => {
      plantTables(plantingOf(form), plan.tables)
      try {
        await form.validate()
      } catch {
        // Formily throws the list that form.errors holds as well
      }
      return problemsOf(form)
    },
    problems: () => problemsOf(form),
    setServerErrors: (errors) => {
      const homeless: string[] = []
      batch(() => {
        for (const { field: path, message } of errors) {
          plantRowOf(path)
          const target = path ? byPath(path) : undefined
          if (!target || target.display !== 'visible') homeless.push(message)
          else {
            const before = target.queryFeedbacks({ code: SERVER_ERROR }).flatMap((feedback) => feedback.messages ?? [])
            target.setFeedback({ type: 'error', code: SERVER_ERROR, triggerType: 'onInput', messages: [...before, message] })
          }
        }
      })
      return homeless
    },
    clearServerErrors: () =>
      batch(() => {
        for (const planted of Object.values(form.fields)) {
          if (isField(planted) && planted.feedbacks.length > 0)
            planted.setFeedback({ type: 'error', code: SERVER_ERROR, messages: [] })
        }
      }),
    values: () => {
      const values = toJS(form.values)
      writeAmounts(schema, values)
      return values
    },
  }

  function plantRowOf(path: string | undefined): void {
    if (!path) return
    for (const table of plan.tables) {
      const row = path.startsWith(`${table.path}.`) ? Number(path.slice(table.path.length + 1).split('.')[0]) : NaN
      if (Number.isInteger(row)) plantRow(plantingOf(form), table, row)
    }
  }
}

/** The title of a field, or of the nearest that it lies in. */
const titleOf = (form: Form, address: string): string | undefined => {
  for (let at = address; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const title: unknown = form.fields[at]?.title
    if (typeof title === 'string' && title !== '') return title
  }
  return undefined
}

/** What is wrong now, in reading order. */
const problemsOf = (form: Form): readonly FormProblem[] =>
  form.errors.flatMap(({ address, messages }) => {
    const at = String(address)
    const title = titleOf(form, at) ?? at
    // a linkage may set one text where Formily keeps a list of them
    return [...new Set([messages ?? []].flat())].map((message) => ({ address: at, title, message: String(message) }))
  })
