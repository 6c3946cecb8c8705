import { entityExpression, referenceOf, restrictedFields, sourcesOf, type EntityModel } from '../../../src/schema/entity'
import type { Effect } from '../../../src/schema/generated/entity'
import type { Said } from '../../todos'
import type { EntityRecord } from '../calls'
import type { WriteContext } from '../core'
import { loadPaths } from '../derive/paths'
import type { Registry } from '../registry'
import type { EffectRun } from '../types'
import { targetModel } from './lookups'
import { evaluateText, textsIn } from './subject'

/** Messages repeat what these fields say; whoever may not read it reads what stands in its place. */
const MESSAGE = { entity: 'sys.message', field: 'titleZh' }
/** What a record is known by where its name is kept back, the first that it has. */
const KNOWN_BY = ['alias', 'code'] as const

const remembered = new WeakMap<Registry, Map<EntityModel, ReadonlySet<string>>>()

/** Fields of an entity that say what messages keep from some readers: names of customers, and what repeats them. */
function keptBack(registry: Registry, model: EntityModel): ReadonlySet<string> {
  const known = remembered.get(registry) ?? new Map<EntityModel, ReadonlySet<string>>()
  remembered.set(registry, known)
  let found = known.get(model)
  if (!found) {
    const field = registry.find(MESSAGE.entity)?.fields.get(MESSAGE.field)?.field
    const fieldRules = Object.fromEntries((field ? sourcesOf(field) : []).map((source) => [source, 'mask']))
    const closed = restrictedFields(model, { has: () => true, fieldRules })
    found = new Set([...closed].flatMap(([name, access]) => (access === 'mask' ? [name] : [])))
    known.set(model, found)
  }
  return found
}

/** A value of a record that is kept back, as an expression names it. */
interface Named {
  /** As the expression says it. */
  path: string
  /** The steps to the record that it stands at; none for the record itself. */
  steps: readonly string[]
  at: EntityModel
  of: 'record' | 'row'
}

/** What the texts of an effect name that is kept from some readers. */
function namedIn(write: WriteContext, effect: Effect, texts: readonly string[]): Named[] {
  const { registry } = write.core
  const rows = effect.on ?? (typeof effect.each === 'object' ? effect.each : undefined)
  const row = rows && targetModel(write, rows)
  const read = new Set(texts.flatMap((text) => entityExpression(write.model, text).dependencies))
  return [...read].flatMap((path): Named[] => {
    const all = path.split('.')
    const ofRow = all[0] === 'row' && row !== undefined
    let at: EntityModel | undefined = ofRow ? row : write.model
    const steps = ofRow ? all.slice(1) : all
    for (const step of steps.slice(0, -1)) {
      const field: string | undefined = at?.fields.get(step) && referenceOf(at.fields.get(step)!)
      at = field === undefined ? undefined : registry.find(field)
    }
    const last = steps.at(-1)
    if (!at || last === undefined || !keptBack(registry, at).has(last)) return []
    return [{ path, steps: steps.slice(0, -1), at, of: ofRow ? 'row' : 'record' }]
  })
}

/**
 * What a message says to whoever may not read the names in it: the same sentences, with the alias of a customer, else its number, and the
 * number of what is called by a customer. For all records at once, in the order of the runs.
 */
export async function plainTexts(
  write: WriteContext & { effect: Effect },
  runs: readonly EffectRun[],
  said: Said,
): Promise<readonly Said[]> {
  const named = namedIn(write, write.effect, textsIn({ ...said }))
  const known = await knownBy(write, runs, named)
  return runs.map((run, index) => {
    const instead = (locale: 'zh' | 'en'): EntityRecord => {
      const scope: EntityRecord = { ...run.scope }
      for (const one of named) {
        const value = known.get(one)?.[index] ?? one.at.label[locale]
        if (one.of === 'record') scope[one.path] = value
        else scope.row = { ...(scope.row as EntityRecord), [one.path.slice('row.'.length)]: value }
      }
      return scope
    }
    const say = (text: Said['title']): Said['title'] => ({
      zh: evaluateText(write, text, instead('zh')).zh,
      en: evaluateText(write, text, instead('en')).en,
    })
    return { title: say(said.title), ...(said.text ? { text: say(said.text) } : {}) }
  })
}

/** Alias or number of the record at which each value stands, by run; null where it has neither. */
async function knownBy(
  write: WriteContext,
  runs: readonly EffectRun[],
  named: readonly Named[],
): Promise<ReadonlyMap<Named, readonly (string | null)[]>> {
  const fieldsOf = ({ at }: Named): readonly string[] => KNOWN_BY.filter((name) => at.fields.get(name)?.storage === 'stored')
  const records = runs.map(({ subject }) => subject.record)
  const paths = named
    .filter(({ of, steps }) => of === 'record' && steps.length > 0)
    .flatMap((one) => fieldsOf(one).map((name) => [...one.steps, name].join('.')))
  const behind = paths.length > 0 ? await loadPaths(write.tx, write.model, records, [...new Set(paths)]) : undefined
  const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  return new Map(
    named.map((one) => [
      one,
      runs.map((run, index) => {
        const read = (name: string): unknown => {
          if (one.of === 'row') return one.steps.length > 0 ? null : (run.target ?? (run.scope.row as EntityRecord))[name]
          return one.steps.length > 0 ? behind?.get(records[index]!)?.[[...one.steps, name].join('.')] : records[index]![name]
        }
        return fieldsOf(one).reduce<string | null>((found, name) => found ?? textOf(read(name)), null)
      }),
    ]),
  )
}
