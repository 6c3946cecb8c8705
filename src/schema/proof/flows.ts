import { dependenciesOf, measureOf, referenceOf, splitRollup, transitionsOf, type EntityModel, type FieldModel } from '../entity'
import { compileExpression, isExpression } from '../expression'
import type { Effect } from '../generated/entity'
import type { BilingualText } from '../problem'

/** A value that goes from where it is kept to where others read it. */
export interface Flow {
  /** Stable within one entity. */
  readonly id: string
  /** `entity.field`; `entity.*` for a whole record, `function:name` for what a function answers. */
  readonly source: string
  /** `entity.field` whose readers get it; without it whoever has to do with the entity, or, of what is sent, anybody. */
  readonly field?: string
  readonly sent: boolean
  /** The rows it comes from may be others than those that its readers see. */
  readonly foreign: boolean
  /** The place is as closed as the source is by the rules of the fields; only rows are at stake. */
  readonly follows: boolean
  readonly what: BilingualText
}

interface Place extends Pick<Flow, 'field' | 'sent' | 'follows' | 'what'> {
  id: string
  /** What is told of a record to those who do not see it. */
  told?: boolean
}

/**
 * Where an entity tells values of its records, and of others, besides the fields themselves: defaults, values that follow others,
 * titles, sentences that refuse, what is told of doubles, effects. Conditions are left out: they decide, and say nothing.
 * Pure; what of it somebody may not see is for the caller to decide.
 */
export function flowsOf(model: EntityModel): Flow[] {
  const flows = new Map<string, Flow>()
  const add = (place: Place, source: string, foreign: boolean): void => {
    const id = `${place.id} < ${source}`
    const { field, sent, follows, what } = place
    flows.set(id, {
      id,
      source,
      ...(field === undefined ? {} : { field }),
      sent,
      follows,
      what,
      foreign: foreign || place.told === true,
    })
  }
  const read = (place: Place, value: unknown, from: Reading = { model }): void => {
    for (const { source, foreign } of textsIn(value).flatMap((text) => sourcesOf(text, from))) add(place, source, foreign)
  }
  for (const { name, label, field, computed, derivation } of model.fields.values()) {
    const place: Place = {
      id: `field:${name}`,
      field: `${model.name}.${name}`,
      sent: false,
      follows: false,
      what: fieldNamed(label),
    }
    read(place, field.default)
    const following = { ...place, follows: true }
    if (derivation?.by !== undefined) add(following, `function:${derivation.by}`, true)
    for (const path of derivation?.paths ?? []) followPath(path.steps, { model }, following, add)
    if (computed) for (const own of dependenciesOf(computed, model.fields)) add(following, `${model.name}.${own}`, false)
    const rollup = field['x-rollup']
    if (rollup) {
      const { entity } = splitRollup(rollup)
      const names = [measureOf(rollup).field ?? 'id', ...(rollup.where ?? []).map((condition) => condition.field)]
      for (const one of names) add(following, `${entity}.${one}`, true)
    }
  }
  for (const name of model.titleFields)
    add({ id: 'title', sent: true, told: true, follows: true, what: { zh: '标题', en: 'title' } }, `${model.name}.${name}`, true)
  readSentences(model, read)
  const told = model.document['x-duplicates']?.tell ?? []
  for (const name of told)
    add(
      { id: 'duplicates', sent: false, told: true, follows: false, what: { zh: '查重提示', en: 'what is told of doubles' } },
      `${model.name}.${name}`,
      true,
    )
  for (const effect of effectsIn(model.document)) readEffect(model, effect, read)
  return [...flows.values()]
}

type Read = (place: Place, value: unknown, from?: Reading) => void

/** Why something is refused, with the values that it names. */
function readSentences(model: EntityModel, read: Read): void {
  const { document } = model
  const place = (id: string): Place => ({ id, sent: false, follows: false, what: { zh: `提示“${id}”`, en: `message "${id}"` } })
  for (const { id, message } of document['x-rules'] ?? []) read(place(id), message)
  for (const { id, message } of document['x-limits'] ?? []) read(place(id), message)
  for (const { id, message, values } of document['x-forbids'] ?? [])
    read({ ...place(id), sent: true, told: true }, [message, values])
  for (const { transition } of transitionsOf(model))
    for (const { id, message } of transition.refuse ?? []) read(place(`${transition.id}/${id}`), message)
  for (const { id, message } of document['x-merge']?.refuse ?? []) read(place(`merge/${id}`), message)
  const { hints, link } = document['x-duplicates'] ?? {}
  read({ ...place('duplicates'), told: true }, [link, hints?.map(({ message }) => message)])
}

/** What an effect writes into fields, or tells people. */
function readEffect(model: EntityModel, effect: Effect, read: Read): void {
  const row = typeof effect.each === 'object' ? targetOf(model, effect.each) : undefined
  const from = { model, ...(row ? { row } : {}) }
  const target = effect.on ? targetOf(model, effect.on) : effect.do === 'create' ? model.find(String(effect.with.entity)) : model
  const values = effect.do === 'set' ? effect.with : effect.do === 'create' ? effect.with.values : undefined
  if (typeof values === 'object' && values !== null) {
    for (const [name, value] of Object.entries(values)) {
      const label = target?.fields.get(name)?.label ?? { zh: name, en: name }
      const place = { id: `effect:${effect.id}/${name}`, sent: false, follows: false, what: fieldNamed(label) }
      read({ ...place, ...(target ? { field: `${target.name}.${name}` } : {}) }, value, from)
    }
    return
  }
  const { to: _, ...said } = effect.with
  read(
    { id: `effect:${effect.id}`, sent: true, follows: false, what: { zh: `效果“${effect.id}”`, en: `effect "${effect.id}"` } },
    said,
    from,
  )
}

function targetOf(model: EntityModel, { reference, entity }: { reference?: string; entity?: string }): EntityModel | undefined {
  if (entity !== undefined) return model.find(entity)
  let at: EntityModel | undefined = model
  for (const name of (reference ?? '').split('.')) {
    const field: FieldModel | undefined = at?.fields.get(name)
    at = field && model.find(referenceOf(field) ?? '')
  }
  return at
}

function effectsIn(value: unknown): Effect[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, item]) => (key === 'x-tests' ? [] : effectsIn(item)))
  return 'do' in value && typeof value.do === 'string' && 'with' in value ? [value as Effect, ...inside] : inside
}

interface Reading {
  model: EntityModel
  /** What `row` of an effect is. */
  row?: EntityModel
  /** Look-ups that are being read. */
  open?: ReadonlySet<string>
}

interface Source {
  source: string
  foreign: boolean
}

/** Names of the record itself in expressions of its entity. */
const OWN: ReadonlySet<string> = new Set(['before', 'record', 'values', 'stored'])

/** The fields that an expression of an entity reads, behind references and look-ups too. */
function sourcesOf(text: string, from: Reading): Source[] {
  return compileExpression(text).dependencies.flatMap((path) => pathSources(path.split('.'), from))
}

function pathSources([first = '', ...rest]: readonly string[], from: Reading): Source[] {
  const { model, row } = from
  const lookup = Object.hasOwn(model.document['x-lookups'] ?? {}, first) ? first : undefined
  if (model.fields.has(first)) return stepSources([first, ...rest], model, false)
  if (lookup !== undefined) return lookupSources(lookup, rest, from)
  if (OWN.has(first)) return stepSources(rest, model, false)
  if (first === 'row' && row) return stepSources(rest, row, true)
  const head = first === 'head' && model.scope.kind === 'parent' ? model.find(model.scope.entity) : undefined
  // whoever sees a line sees what it belongs to
  return head ? stepSources(rest, head, false) : []
}

function stepSources([name, ...rest]: readonly string[], model: EntityModel, foreign: boolean): Source[] {
  if (name === undefined) return [{ source: `${model.name}.*`, foreign }]
  const field = model.fields.get(name)
  if (!field) return []
  const target = referenceOf(field)
  const next = rest.length > 0 && target !== undefined ? model.find(target) : undefined
  const asParent = model.scope.kind === 'parent' && model.scope.field === name
  return [{ source: `${model.name}.${name}`, foreign }, ...(next ? stepSources(rest, next, foreign || !asParent) : [])]
}

function lookupSources(name: string, rest: readonly string[], from: Reading): Source[] {
  const { model, open = new Set<string>() } = from
  const lookup = model.document['x-lookups']![name]!
  if (open.has(name) || 'rules' in lookup) return []
  if ('function' in lookup) return [{ source: `function:${lookup.function}`, foreign: true }]
  const whole = 'first' in lookup ? lookup.first : 'count' in lookup ? `${lookup.count}.id` : lookup.sum
  if (!('first' in lookup)) return [{ source: whole, foreign: true }]
  const target = model.find(whole)
  return target ? stepSources(rest, target, true) : []
}

type Add = (place: Place, source: string, foreign: boolean) => void

function followPath(steps: readonly string[], { model }: Reading, place: Place, add: Add): void {
  for (const { source, foreign } of stepSources(steps, model, false)) add(place, source, foreign)
}

function textsIn(value: unknown): string[] {
  if (isExpression(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const fieldNamed = ({ zh, en }: BilingualText): BilingualText => ({ zh: `字段“${zh}”`, en: `field "${en}"` })
