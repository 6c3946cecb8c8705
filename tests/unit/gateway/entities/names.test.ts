import { describe, expect, it } from 'vitest'
import { runEffects } from '../../../../gateway/entities/effects/run'
import { prepare } from '../../../../gateway/entities/effects/prepare'
import { evaluate, scopeOf, subjectOf } from '../../../../gateway/entities/effects/subject'
import { derivedValue } from '../../../../gateway/entities/derive/value'
import { queriedTable } from '../../../../gateway/entities/query/queriedTable'
import { viewConditions } from '../../../../gateway/entities/query/plan'
import { titleOf, withComputed } from '../../../../gateway/entities/read/record'
import { Registry } from '../../../../gateway/entities/registry'
import { textOf } from '../../../../gateway/entities/transfer/export'
import { newRecord } from '../../../../gateway/entities/write/newRecord'
import type { EntityRecord, Verb } from '../../../../gateway/entities'
import type { Core, WriteContext } from '../../../../gateway/entities/core'
import { detachedRecords } from '../../../../gateway/entities/detached'
import { systemContext } from '../../../../gateway/platform/http'
import { allFields, brokenRules, namesAt, PLACES, type Place } from '../../../../src/schema/entity'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import { formEntity, rowEntities } from '../../../../src/schema/process'
import { problemsOf, readFixture } from '../../schema/validate/world'

const label = { 'x-label': { zh: '字段', en: 'Field' } }
const text = { type: 'string', maxLength: 200, ...label } as const
const head: EntityDocument = {
  formatVersion: 3,
  name: 'demo.whole',
  label: { zh: '整单', en: 'Whole' },
  titleField: 'name',
  type: 'object',
  properties: { name: text },
}
/** What belongs to another record, with a look-up; `more` says where its expression stands. */
const partOf = (more: Partial<EntityDocument> = {}, field: object = {}): EntityDocument => ({
  formatVersion: 3,
  name: 'demo.part',
  label: { zh: '部分', en: 'Part' },
  titleField: 'name',
  type: 'object',
  'x-scope': { parent: 'wholeId' },
  properties: {
    wholeId: { type: 'string', 'x-ref': 'demo.whole', ...label },
    name: text,
    state: { type: 'string', 'x-dictionary': 'itemStatus', ...label },
    asked: { ...text, ...field },
  },
  'x-lookups': { seen: { function: 'demo.seen', with: { id: '{{ id }}' } } },
  ...more,
})
const NAMED = partOf()
/** Every name that some place gives. */
const ALL = [...new Set([...(Object.keys(PLACES) as Place[]).flatMap((place) => namesAt(place, NAMED)), 'query', 'row'])]
const asks = (name: string): string => `{{ ${name} == null ? 'lacks' : 'has' }}`

const sentence = { zh: '不行', en: 'No' }
const going = (more: object) => [
  { field: 'state', initial: 'open', transitions: [{ id: 'close', label: sentence, from: ['open'], to: 'closed', ...more }] },
]
/** The document with an expression at a place, as somebody writes it. */
const WRITTEN: Readonly<Record<Exclude<Place, 'merge' | 'duplicates'>, (said: string) => EntityDocument>> = {
  title: (said) => partOf({ 'x-title': said }),
  default: (said) => partOf({}, { default: said }),
  exportText: (said) => partOf({}, { 'x-exportText': said }),
  view: (said) =>
    partOf({
      'x-views': [{ id: 'all', label: sentence, scope: 'all', where: [{ field: 'name', operator: 'eq', value: said }] }],
    } as Partial<EntityDocument>),
  limit: (said) =>
    partOf({
      'x-limits': [
        { id: 'one', per: ['wholeId'], where: [{ field: 'name', operator: 'eq', value: said }], most: 1, message: sentence },
      ],
    } as Partial<EntityDocument>),
  reference: (said) => partOf({}, { 'x-ref': 'demo.whole', 'x-refFilter': [{ field: 'name', operator: 'eq', value: said }] }),
  derived: (said) => partOf({}, { 'x-derived': { value: said } }),
  rule: (said) => partOf({ 'x-rules': [{ id: 'one', when: said, message: sentence }] }),
  transition: (said) =>
    partOf({ 'x-states': going({ refuse: [{ id: 'one', when: said, message: sentence }] }) } as Partial<EntityDocument>),
}

const context = systemContext({ locale: 'en', now: new Date('2026-03-02T04:05:06Z') })
const record: EntityRecord = Object.fromEntries(allFields(NAMED).map(({ name }) => [name, `a ${name}`]))

/** The gateway's own entities, of which this part is one; nothing that is asked here reads a database. */
function gatewayOf(part: EntityDocument) {
  const registry = new Registry([head, part], () => undefined, 'Asia/Shanghai')
  registry.registerFunction('demo.seen', (_call, asked) => Promise.resolve(asked.map(() => 'seen')))
  const model = registry.model('demo.part')
  return { registry, model, write: { core: { registry }, context, model } as unknown as WriteContext }
}
const subject = () => ({ ...subjectOf(record, record, { note: 'x' }), named: { head: { name: 'whole' } } })

/** What the engine makes of an expression at a place. */
const GIVEN: Readonly<Partial<Record<Place, (said: string) => unknown>>> = {
  title: (said) => {
    const { registry, model } = gatewayOf(WRITTEN.title(said))
    return titleOf(registry, context, model, record)
  },
  default: (said) => {
    const { registry, model } = gatewayOf(WRITTEN.default(said))
    return newRecord({ registry }, context, model, {}, 'new').asked
  },
  exportText: (said) => {
    const { registry, model } = gatewayOf(WRITTEN.exportText(said))
    return textOf({ registry }, context, model.fields.get('asked')!)!('value')
  },
  view: (said) => {
    const { registry, model } = gatewayOf(WRITTEN.view(said))
    const [clause] = viewConditions(registry, context, queriedTable(registry, context, model), model.views.get('all'))
    const seen = new WeakSet<object>()
    const texts: unknown[] = []
    const walk = (part: unknown): void => {
      if (typeof part === 'string') texts.push(part)
      if (typeof part !== 'object' || part === null || seen.has(part)) return
      seen.add(part)
      Object.values(part).forEach(walk)
    }
    walk(clause)
    return texts.find((part) => part === 'has' || part === 'lacks')
  },
  derived: (said) => {
    const { registry, model } = gatewayOf(WRITTEN.derived(said))
    const field = model.fields.get('asked')!
    if (field.derivation) return derivedValue(registry, context, model, field, record, {}).value
    return withComputed(registry, context, model, { ...record, asked: null }).asked
  },
  rule: async (said) => {
    const { write, model, registry } = gatewayOf(WRITTEN.rule(said.replace("'lacks'", 'false').replace("'has'", 'true')))
    if (model.rules.length > 0) {
      const scope = registry.expressionScope(context)
      return brokenRules(model, record, { scope, environment: registry.environment(context) }).length > 0 ? 'has' : 'lacks'
    }
    const one = subject()
    await prepare(write, [one], [said])
    return evaluate(write, said, scopeOf(write, one))
  },
  transition: async (said) => {
    const { write } = gatewayOf(NAMED)
    const told: unknown[] = []
    const tell: Verb = (_hook, runs) => {
      told.push(...runs.map((run) => run.with.said))
      return Promise.resolve()
    }
    const doing = {
      ...write,
      core: { ...write.core, verb: () => tell, entities: () => undefined },
    } as unknown as WriteContext
    await runEffects(doing, [subject()], [{ id: 'tell', do: 'demo.tell', with: { said } }], () => doing)
    return told[0]
  },
}

describe('the names that expressions of an entity read', () => {
  it.each(Object.keys(GIVEN) as Place[])('at %s the engine gives every name that the table has', async (place) => {
    const lacking: string[] = []
    for (const name of namesAt(place, NAMED)) {
      // what follows from itself is refused for that
      if (place === 'derived' && name === 'asked') continue
      if ((await GIVEN[place]!(asks(name))) !== 'has') lacking.push(name)
    }
    expect(lacking).toEqual([])
  })

  it.each(Object.keys(WRITTEN) as (keyof typeof WRITTEN)[])(
    'at %s the check takes those names and refuses the others',
    (place) => {
      const allowed = new Set(namesAt(place, NAMED))
      const where = 'schemas/demo/entities/part.json'
      const whole = { where: 'schemas/demo/entities/whole.json', type: 'entity' as const, value: head }
      for (const name of ALL) {
        if (place === 'derived' && (name === 'asked' || name === 'head')) continue
        const all = problemsOf([whole, { where, type: 'entity', value: WRITTEN[place](asks(name)) }])
        expect(all.filter(({ code }) => code === 'invalid-shape')).toEqual([])
        const told = all
          .filter((problem) => problem.where === where && problem.code === 'expression-root')
          .map(({ message }) => message.en)
        expect([name, told.length > 0]).toEqual([name, !allowed.has(name)])
        if (name === 'query') expect(told[0]).toMatch(/There is no "query" here\. Here are .*user, today, now, locale/)
      }
    },
  )

  it('what is behind a reference is refused in a title, which is told of the record alone, with what to do', () => {
    const where = 'schemas/demo/entities/part.json'
    const whole = { where: 'schemas/demo/entities/whole.json', type: 'entity' as const, value: head }
    const told = (said: string): string[] =>
      problemsOf([whole, { where, type: 'entity', value: WRITTEN.title(said) }])
        .filter((problem) => problem.where === where && problem.at === '/x-title')
        .map(({ message }) => message.en)
    expect(told('{{ wholeId.name }}')).toEqual([expect.stringMatching(/"wholeId\.name" cannot be read\. Keep it in a field/)])
    expect(told('{{ record.name }}')).toEqual([])
  })

  it('a row of a form reads the form around it as head, and its own cells', async () => {
    const process = readFixture<ProcessDocument>('cases/assetPurchase.json')
    const { write, registry } = gatewayOf(NAMED)
    const records = detachedRecords({ registry } as unknown as Core, formEntity(process), rowEntities(process))
    const said = ['{{ head.currency }}', '{{ quantity }}', '{{ reason }}', '{{ applicant }}']
    const values = { currency: 'JPY', reason: 'why', items: [{ quantity: 2 }] }
    const read = await records.evaluateRow(write, 'items', { quantity: 2 }, values, { applicant: 'who' }, said)
    expect(read).toEqual(['JPY', 2, 'why', 'who'])
  })
})
