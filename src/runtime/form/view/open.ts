import type { Host } from '../../../headless/host'
import type { Refs } from '../../../headless/row'
import type { FormModel, FormNodeModel, Scope } from '../../../schema/model'
import { createEngine } from '../../../headless/form/engine'
import { pageField } from '../../../headless/form/node'
import type { FormPlan } from '../../../headless/form/types'
import { validatorOf } from '../../../headless/form/validate'
import { optionsPart } from '../options/load'
import { createNear } from './near'
import type { FormSession } from './session'
import { createTitles } from './titles'

/** What was in a form when the language changed. */
export interface FormSnapshot {
  values: Readonly<Record<string, unknown>>
  dirty: boolean
  record: OpenForm['record']
}

/** What a form is opened with. */
export interface Opening {
  model: FormModel
  plan: FormPlan
  scope: Scope
  /** The record that is edited; null = a new one. */
  record: Readonly<Record<string, unknown>> | null
  refs: Refs
  /** False = the viewer may look and not change. */
  canEdit: boolean
  /** Values that the opener gave; they win over defaults. */
  given: Readonly<Record<string, unknown>>
  kept?: FormSnapshot | null
  /** Id of the record that a new one is about: its draft is another one than that of a new one about something else. */
  about?: string | undefined
  /** Lists and calendars open with the form: it is one field that is to be chosen. */
  opened?: boolean
}

export interface OpenForm extends FormSession {
  model: FormModel
  /** Id and version of the record; a stale save moves the version on. */
  record: { id: string | undefined; version: number | undefined }
  /** What the form held before anybody touched it; what is submitted for a record is the difference. */
  baseline: Record<string, unknown>
  given: Readonly<Record<string, unknown>>
  about: string | undefined
  /** Values that were kept hold input that nobody submitted. */
  keptDirty: boolean
  scope: Scope
  /** Expressions that failed while the form ran; shown in place. */
  failures: Set<string>
  onFailure: { current: (() => void) | null }
  /** Asks for what expressions read as `$facts`, until the answered function is called. */
  followFacts(): (() => void) | undefined
}

let opened = 0

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** Names at the top of the values that the schema has a place for. */
const plannedNames = (plan: FormPlan): Set<string> =>
  new Set([...plan.items, ...plan.tables].flatMap(({ path, node }) => (node.type === 'void' ? [] : [path.split('.')[0] ?? path])))

const initialValues = ({ model, plan, scope, record, given }: Opening): Record<string, unknown> => {
  const names = plannedNames(plan)
  const planned = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
  if (record) return { ...planned(record), ...planned(given) }
  // defaults are in the schema (fixed ones) and in `initial` (those with an expression): the compiler put them there
  return { ...planned(model.initial(scope)), ...planned(given) }
}

/** Fields that this viewer may only read, or that the gateway kept back. */
const lockOf =
  ({ model, record }: Opening) =>
  (node: FormNodeModel, name: string): 'readPretty' | 'hidden' | undefined => {
    const field = pageField(node)
    if (!field) return undefined
    const own = record !== null && record.version !== undefined && field.entity === model.entity ? record : null
    // a field that a rule hides from this viewer is not in the record; one without a value is there as null
    if (own && !(name in own)) return 'hidden'
    if (field.readOnly || field.computed) return 'readPretty'
    if (!own) return undefined
    // more lines than one answer takes: what was not read must not be saved over them
    if (field.lines && own[name] === null) return 'readPretty'
    if (field.immutable && own[name] !== null && own[name] !== undefined) return 'readPretty'
    // a masked value must not be saved over the real one
    return field.masked ? 'readPretty' : undefined
  }

const dictionariesOf = (plan: FormPlan): ((dictionary: string, code: string) => string | undefined) => {
  const labels = new Map<string, string>()
  const fields = [
    ...plan.items.map(({ field }) => field),
    ...plan.tables.flatMap(({ columns }) => columns.map(({ field }) => field)),
  ]
  for (const field of fields) {
    for (const { code, label } of field?.dictionary?.options ?? []) labels.set(`${field?.dictionary?.name} ${code}`, label)
  }
  return (dictionary, code) => labels.get(`${dictionary} ${code}`)
}

/** Plants the form of an opening. Nothing outside is touched: any number of forms stand open at once. */
export const openForm = (host: Host, opening: Opening): OpenForm => {
  const { model, plan, record, refs, canEdit, given } = opening
  const scope: Scope = { ...opening.scope, record: record ?? model.held ?? {} }
  const failures = new Set<string>()
  const onFailure: OpenForm['onFailure'] = { current: null }
  const part = optionsPart()
  const facts = model.facts && part?.createFacts(host, model.facts)
  const exchangeRate = part?.createRates(host)
  const engine = createEngine({
    plan,
    schema: model.schema,
    values: initialValues({ ...opening, scope }),
    scope: facts ? { ...scope, $facts: facts.known } : scope,
    world: {
      locale: host.locale,
      timeZone: host.companyTimeZone ?? host.timeZone,
      can: host.can,
      dictionaryLabel: dictionariesOf(plan),
      ...(exchangeRate ? { exchangeRate } : {}),
      onFailure: (error, expression) => {
        if (failures.has(expression)) return
        failures.add(expression)
        host.report(error, { where: model.source.where, at: model.source.at, expression })
        onFailure.current?.()
      },
    },
    validator: validatorOf(host.locale, host.timeZone),
    ...(part ? { options: part.followOptions(host) } : {}),
    lock: lockOf(opening),
    defaults: !record && !model.held,
    readPretty: model.readPretty || !canEdit,
  })
  const names = plannedNames(plan)
  const baseline = engine.values()
  const { kept } = opening
  // A later revision of the form may have no place for some of it: nothing is sent that nobody sees.
  if (kept)
    engine.form.setValues(
      structuredClone(Object.fromEntries(Object.entries(kept.values).filter(([name]) => names.has(name)))),
      'overwrite',
    )
  opened += 1
  return {
    host,
    locale: host.locale,
    engine,
    model,
    titles: createTitles(host, refs),
    near: createNear(),
    opened: opening.opened === true,
    prefix: `f${opened}-`,
    boxes: new Map(),
    folds: new Map(),
    busy: new Set(),
    record: kept?.record ?? {
      id: idOf(record?.id),
      version: typeof record?.version === 'number' ? record.version : undefined,
    },
    baseline,
    about: opening.about,
    keptDirty: kept?.dirty === true,
    given: Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name))),
    scope,
    failures,
    onFailure,
    followFacts: () => facts?.follow(engine.form),
  }
}
