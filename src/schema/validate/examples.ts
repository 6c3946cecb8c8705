import { pointer } from '../diagnosis'
import { allFields } from '../entity/fields'
import type { EntityDocument, Example } from '../generated/entity'
import type { Checker } from './checker'

type Step = Example['do'][number]

/** Examples name entities, fields, transitions, rule sets, people and records that are there. */
export const checkExamples = (checker: Checker, entity: EntityDocument): void => {
  const examples = entity['x-tests'] ?? []
  checker.unique(
    examples.map(({ id }) => id),
    '/x-tests',
    'id',
  )
  examples.forEach((example, index) => new ExampleCheck(checker, entity, example, pointer('/x-tests', index)).check())
}

class ExampleCheck {
  /** Record by name -> its entity. */
  private readonly records = new Map<string, string>()

  constructor(
    private readonly checker: Checker,
    private readonly entity: EntityDocument,
    private readonly example: Example,
    private readonly at: string,
  ) {}

  check(): void {
    const { rules = {}, given = {}, do: steps, expect = [] } = this.example
    for (const [key, params] of Object.entries(rules)) this.rules(key, params, pointer(this.at, 'rules', key))
    for (const [name, { entity = this.entity.name, values = {} }] of Object.entries(given)) {
      const at = pointer(this.at, 'given', name)
      this.records.set(name, entity)
      this.checker.entity(entity, pointer(at, 'entity'))
      this.fields(entity, values, pointer(at, 'values'))
    }
    steps.forEach((step, index) => this.step(step, pointer(this.at, 'do', index)))
    expect.forEach(({ record, values = {}, entity, match = {} }, index) => {
      const at = pointer(this.at, 'expect', index)
      if (entity === undefined) {
        this.record(record ?? 'record', pointer(at, 'record'))
        this.fields(this.records.get(record ?? 'record'), values, pointer(at, 'values'))
        return
      }
      this.checker.entity(entity, pointer(at, 'entity'))
      this.fields(entity, match, pointer(at, 'match'))
    })
  }

  private rules(key: string, params: unknown, at: string): void {
    this.checker.rules(key, at)
    const given = typeof params === 'object' && params !== null ? Object.keys(params) : []
    const set = this.checker.catalog.ruleSets.get(key)
    for (const name of given)
      if (set && !Object.hasOwn(set.defaults, name))
        this.checker.add(
          'unknown-field',
          pointer(at, name),
          { zh: `规则集“${key}”没有参数“${name}”。`, en: `The rule set "${key}" has no parameter "${name}".` },
          { value: name, known: Object.keys(set.defaults) },
        )
  }

  private step(step: Step, at: string): void {
    const { user, record = 'record', match, save, transition, values = {} } = step
    const known = match ? step.entity : this.records.get(record)
    const entity = step.entity ?? known ?? this.entity.name
    if (step.entity !== undefined) this.checker.entity(entity, pointer(at, 'entity'))
    if (user !== undefined) this.record(user, pointer(at, 'user'))
    if (match) this.fields(entity, match, pointer(at, 'match'))
    step.keys?.forEach((key, index) => this.checker.permission(key, pointer(at, 'keys', index)))
    if (save) {
      const inputs = this.inputsOf(entity)
      this.fields(entity, Object.fromEntries(Object.entries(save).filter(([name]) => !inputs.has(name))), pointer(at, 'save'))
      if (!match && !this.records.has(record)) this.records.set(record, entity)
    }
    if (transition === undefined) return
    if (!match) this.record(record, pointer(at, 'record'))
    const found = this.documentOf(entity)?.['x-states']?.flatMap(({ transitions }) => transitions) ?? []
    const taken = found.find(({ id }) => id === transition)
    if (!taken && this.documentOf(entity))
      this.checker.add(
        'unknown-transition',
        pointer(at, 'transition'),
        { zh: `实体“${entity}”没有名为“${transition}”的流转。`, en: `The entity "${entity}" has no transition "${transition}".` },
        { value: transition, known: found.map(({ id }) => id) },
      )
    const asked = new Set([...(taken?.fields ?? []), ...Object.keys(taken?.inputs ?? {})])
    for (const name of taken ? Object.keys(values) : [])
      if (!asked.has(name))
        this.checker.add(
          'unknown-field',
          pointer(at, 'values', name),
          { zh: `流转“${transition}”不接受“${name}”。`, en: `The transition "${transition}" does not take "${name}".` },
          { value: name, known: asked },
        )
  }

  private documentOf(entity: string): EntityDocument | undefined {
    return entity === this.entity.name ? this.entity : this.checker.catalog.entities.get(entity)
  }

  /** What a save takes besides the fields of its entity. */
  private inputsOf(entity: string): ReadonlySet<string> {
    const document = this.documentOf(entity)
    const service = document?.['x-service']
    return new Set([
      ...(service === undefined ? [] : (this.checker.catalog.services?.get(service) ?? [])),
      ...[document?.['x-duplicates']?.people?.reason ?? []].flat(),
    ])
  }

  private record(name: string, at: string): void {
    if (this.records.has(name)) return
    this.checker.add(
      'unknown-field',
      at,
      { zh: `示例里没有名为“${name}”的记录。`, en: `The example has no record "${name}".` },
      { value: name, known: this.records.keys() },
    )
  }

  private fields(entity: string | undefined, values: Readonly<Record<string, unknown>>, at: string): void {
    const document = entity === undefined ? undefined : this.documentOf(entity)
    if (!document) return
    const fields = new Map(allFields(document).map(({ name, field }) => [name, field]))
    for (const name of Object.keys(values)) this.checker.field(fields, name, pointer(at, name), document.name)
  }
}
