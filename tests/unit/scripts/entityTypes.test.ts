import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Entities, EntityRecord, EntityService, Verb } from '../../../gateway/entities'
import { generateEntityTypes } from '../../../scripts/generateEntityTypes'
import type { EntityDocument, EntityField } from '../../../src/schema/generated/entity'

const label = { zh: '记录', en: 'A record' }
const field = (definition: Omit<EntityField, 'x-label'>): EntityField => ({ ...definition, 'x-label': label })
const entity = (name: string, properties: Record<string, EntityField>, more: Partial<EntityDocument> = {}): EntityDocument => ({
  formatVersion: 3,
  name,
  label,
  titleField: 'code',
  type: 'object',
  properties: { code: field({ type: 'string', 'x-sequence': 'A{n:4}' }), ...properties },
  ...more,
})

const LINE = entity(
  'own.line',
  { headId: field({ type: 'string', 'x-ref': 'own.head' }) },
  { 'x-scope': { parent: 'headId', line: true }, required: ['headId'] },
)
const HEAD = entity(
  'own.head',
  {
    status: field({ type: 'string', 'x-dictionary': 'headStatus' }),
    name: field({ type: 'string' }),
    amount: field({ type: 'string', format: 'decimal' }),
    pieces: field({ type: 'integer' }),
    tags: field({ type: 'array', items: { type: 'string' } }),
    papers: field({ type: 'array', items: { type: 'object', format: 'file' } }),
    doubled: field({ type: 'string', format: 'decimal', 'x-derived': { value: '{{ amount * 2 }}' } }),
    late: field({ type: 'boolean', 'x-derived': { value: '{{ name < today }}' } }),
    near: field({ type: 'string', 'x-condition': true }),
    facts: field({ type: 'object', format: 'json' }),
    lines: field({ type: 'array', 'x-lines': { entity: 'own.line', parent: 'headId' } }),
  },
  { 'x-scope': 'owned', required: ['name'], 'x-states': [{ field: 'status', initial: 'open', transitions: [] }] },
)

/** The fields of an interface as they are written. */
function written(text: string, name: string): Record<string, string> {
  const [, body = ''] = new RegExp(`export interface ${name}[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(text) ?? []
  return Object.fromEntries(body.split('\n').map((line) => line.trim().split(/: (.*)/, 2) as [string, string]))
}

describe('the types of entities', () => {
  const text = generateEntityTypes([HEAD, LINE], '/* made */')

  it('are one line a field, with what is empty at times and what is no column', () => {
    expect(written(text, 'OwnHead')).toEqual({
      code: 'string',
      status: 'string',
      name: 'string',
      amount: 'string | null',
      pieces: 'number | null',
      tags: 'string[] | null',
      papers: 'FileValue[] | null',
      doubled: 'string | null',
      'late?': 'boolean | null',
      'near?': 'string | null',
      facts: 'unknown',
      'lines?': 'OwnLine[] | null',
    })
  })

  it('say once what every record has, and name each entity', () => {
    expect(text).toContain('/** A record */\nexport interface OwnHead extends OwnedFields {')
    expect(written(text, 'OwnLine')).toEqual({ position: 'number | null', code: 'string', headId: 'string' })
    expect(written(text, 'BaseFields')).toMatchObject({ id: 'string', version: 'number', createdBy: 'string | null' })
    expect(written(text, 'OwnedFields')).toEqual({
      ownerId: 'string | null',
      ownerDeptId: 'string | null',
      ownedAt: 'string | null',
    })
    expect(written(text, 'EntityTypes')).toEqual({ "'own.head'": 'OwnHead', "'own.line'": 'OwnLine' })
  })
})

// read by the type checker, never called
describe('records by the name of their entity', () => {
  const reads = async (entities: Entities, name: string) => {
    const bill = await entities.find('fin.bill', '1')
    expectTypeOf(bill).not.toBeAny()
    expectTypeOf(bill!.code).toEqualTypeOf<string>()
    expectTypeOf(bill!.deferredTo).toEqualTypeOf<string | null>()
    expectTypeOf(bill).toExtend<EntityRecord | null>()
    // @ts-expect-error a bill has no such field
    expectTypeOf(bill!.totall).toBeAny()
    expectTypeOf(await entities.find(name, '1')).toEqualTypeOf<EntityRecord | null>()
    expectTypeOf((await entities.list('crm.customer'))[0]!.ownerId).toEqualTypeOf<string | null>()
    await entities.save('crm.contact', { name: 'A', email: null })
    // @ts-expect-error no field of a contact
    await entities.save('crm.contact', { naem: 'A' })
    // @ts-expect-error amounts are texts
    await entities.save('fin.bill', { total: 1 })
  }
  const hooks: EntityService<'crm.contact'> = {
    beforeSave: ({ record, before }) => {
      // what has to be given is checked afterwards
      expectTypeOf(record.name).toEqualTypeOf<string | null>()
      expectTypeOf(before!.name).toEqualTypeOf<string>()
    },
    afterSave: ({ record }) => {
      expectTypeOf(record.name).toEqualTypeOf<string>()
    },
  }
  const verb: Verb<'fin.bill'> = async (_, runs) => runs.map(({ subject }) => subject.record.code)

  it('stand wherever hooks and verbs of any entity do', () => {
    expectTypeOf(hooks).toExtend<EntityService>()
    expectTypeOf(verb).toExtend<Verb>()
    expect([typeof reads, typeof verb]).toEqual(['function', 'function'])
  })
})
