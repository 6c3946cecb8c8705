import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allFields,
  brokenRules,
  columnName,
  compileEntity,
  entityPath,
  findTransition,
  isMasked,
  MASK,
  maskValue,
  parseSequence,
  readValue,
  outOfState,
  restrictedFields,
  tableName,
  type EntityModel,
} from '../../../../src/schema/entity'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { client, note } from '../../../fixtures/entities/documents'
import { timeTaken } from '../../../support/timeTaken'

const environment = { locale: 'en' as const, timeZone: 'Asia/Shanghai' }

describe('fields of an entity', () => {
  it('are the base fields, those of ownership, and its own, which win', () => {
    const names = allFields(client).map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['id', 'createdAt', 'createdBy'])
    expect(names).toEqual(expect.arrayContaining(['ownerId', 'ownerDeptId', 'ownedAt', 'deletedAt', 'name']))
    expect(allFields(note).map(({ name }) => name)).not.toContain('ownerId')
    const owner = { type: 'string' as const, 'x-ref': 'sys.staff', 'x-label': { zh: '销售', en: 'Sales' } }
    const own = allFields({ ...client, properties: { ...client.properties, ownerId: owner } }).filter(
      ({ name }) => name === 'ownerId',
    )
    expect(own).toEqual([{ name: 'ownerId', field: owner, origin: 'own' }])
  })

  it('have names in the database and on the way', () => {
    expect(columnName('seaEnteredAt')).toBe('sea_entered_at')
    expect(columnName('revenue30')).toBe('revenue30')
    expect(tableName('crm.dupCheck')).toBe('crm_dup_check')
    expect(entityPath({ name: 'crm.followUp' })).toBe('/v2/crm/followUp')
    expect(entityPath({ name: 'crm.x', 'x-path': '/v2/other/' })).toBe('/v2/other')
  })

  it('are refused where the document cannot work: circles, wrong parents, wrong numbers, unknown names', () => {
    const withField = (fields: EntityDocument['properties']): EntityDocument => ({
      ...note,
      properties: { ...note.properties, ...fields },
    })
    const computed = (expression: string) => ({
      type: 'integer' as const,
      'x-derived': { value: expression },
      'x-label': { zh: '值', en: 'Value' },
    })
    expect(() => compileEntity(withField({ a: computed('{{ b + 1 }}'), b: computed('{{ a }}') }))).toThrow(/a -> b -> a/)
    expect(() => compileEntity(withField({ a: computed('{{ nope }}') }))).toThrow(/nope/)
    expect(() => compileEntity({ ...note, 'x-scope': { parent: 'text' } })).toThrow(/not a reference/)
    expect(() =>
      compileEntity(withField({ code: { type: 'string', 'x-sequence': 'X{q}', 'x-label': { zh: '码', en: 'Code' } } })),
    ).toThrow(/counter/)
  })
})

describe('numbers from a pattern', () => {
  it('put the parts of the day and the counter into the text', () => {
    const pattern = parseSequence('CU{yy}{n:5}')!
    expect(pattern.format('2026-11-21', 42)).toBe('CU2600042')
    expect(pattern.prefix('2026-11-21')).toBe('CU26')
    expect(parseSequence('{yyyy}-{mm}/{n:3}-X')!.format('2026-01-02', 1234)).toBe('2026-01/1234-X')
    for (const wrong of ['CU', 'CU{n}{n}', 'CU{x}{n:5}', '{n:5', '{yy}']) expect(parseSequence(wrong)).toBeNull()
  })

  it('differ whenever the counter does (any pattern, any counters)', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z-]{0,4}$/),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 1e7 }),
        fc.integer({ min: 1, max: 1e7 }),
        (text, digits, a, b) => {
          const pattern = parseSequence(`${text}{yy}{n:${digits}}`)!
          expect(pattern.format('2026-11-21', a) === pattern.format('2026-11-21', b)).toBe(a === b)
        },
      ),
    )
  })
})

describe('masks', () => {
  it.each([
    ['phone', '+8613812340001', '138****0001'],
    ['phone', '+14155550123', '+14****0123'],
    ['phone', '12345', MASK],
    ['email', 'anna@example.com', 'a***@example.com'],
    ['email', 'broken', MASK],
    ['string', '91440300MA5', '9***'],
    ['string', 'abcd', MASK],
    ['money', '1234.50', MASK],
    ['integer', 5, MASK],
    ['json', { a: 1 }, MASK],
    ['refs', ['a', 'b'], [MASK]],
    ['string', null, null],
    ['refs', [], []],
  ] as const)('%s %j is shown as %j', (kind, value, masked) => {
    expect(maskValue(kind, value)).toEqual(masked)
  })

  it('never hold more than the ends of a text, and are known as masks when they come back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('string', 'text', 'url', 'dictionary', 'date'),
        fc.string({ minLength: 9, unit: 'grapheme' }),
        (kind, text) => {
          const masked = maskValue(kind as 'string', text)
          expect(String(masked).length).toBeLessThanOrEqual(5)
          expect(isMasked(kind as 'string', masked, masked)).toBe(true)
        },
      ),
    )
    expect(isMasked('phone', '138****0001', '+8613812340001')).toBe(false)
  })
})

describe('values', () => {
  const model = compileEntity(client)
  const read = (name: string, raw: unknown) => readValue(model.fields.get(name)!, raw)

  it.each([
    ['name', '  星河  ', '星河'],
    ['name', '', null],
    ['name', undefined, null],
    ['limit', 1234.5, '1234.5'],
    ['limit', '1,234.50', '1234.5'],
    ['limit', '0012.500', '12.5'],
    ['lastSeenAt', '2026-01-01T08:00:00+08:00', '2026-01-01T00:00:00.000Z'],
    ['products', [], null],
    ['products', ['sms'], ['sms']],
    ['phone', '0086 138-1234-0001', '+8613812340001'],
    ['extra', { a: [1] }, { a: [1] }],
    ['vip', false, false],
    ['staff', 0, 0],
  ])('%s: %j is stored as %j', (name, raw, stored) => {
    expect(read(name, raw)).toEqual({ value: stored })
  })

  it.each([
    ['name', 'x'],
    ['name', 5],
    ['name', 'a\u0000b'],
    ['name', '\ud800'],
    ['staff', 1.5],
    ['staff', -1],
    ['staff', '5'],
    ['limit', 'NaN'],
    ['limit', '1e999'],
    ['vip', 'true'],
    ['foundedOn', '2025-02-30'],
    ['lastSeenAt', '2025-01-01'],
    ['email', 'x@'],
    ['products', 'sms'],
    ['products', ['sms', 'sms']],
    ['extra', { a: { b: 'x\u0000' } }],
  ])('%s: %j is refused with a sentence that names the field', (name, raw) => {
    const answer = read(name, raw)
    expect(answer).toHaveProperty('problem')
    expect(answer).toMatchObject({ problem: { en: expect.stringContaining(model.fields.get(name)!.label.en) as string } })
  })

  it('are read once: what was stored reads as itself (any JSON, any field)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...model.stored), fc.jsonValue(), (field, raw) => {
        const first = readValue(field, raw)
        if ('value' in first) expect(readValue(field, first.value)).toEqual(first)
      }),
      { numRuns: 500 },
    )
  })

  it('are read in time that grows with their length, whatever they hold', () => {
    const took = timeTaken(() => {
      for (const field of model.stored)
        for (const text of ['a'.repeat(200_000), '1'.repeat(200_000), '@.'.repeat(100_000), ' '.repeat(200_000)])
          readValue(field, text)
    })
    expect(took).toBeLessThan(3_000)
  })
})

describe('rules and states', () => {
  const model = compileEntity(client)
  const surroundings = { scope: { today: '2026-11-21' }, environment }

  it('a rule is broken when its expression is true; with changed fields only rules that read them count', () => {
    const record = { country: 'FR', nameEn: null }
    expect(brokenRules(model, record, surroundings)).toMatchObject([{ rule: 'nameEnAbroad', field: 'nameEn' }])
    expect(brokenRules(model, record, surroundings, new Set(['remark']))).toEqual([])
    expect(brokenRules(model, record, surroundings, new Set(['country']))).toHaveLength(1)
    expect(brokenRules(model, { country: 'CN' }, surroundings)).toEqual([])
  })

  it('a transition is possible in its states, else the reason is said', () => {
    const release = findTransition(model, 'release')!
    const stateLabel = (code: string) => ({ zh: code, en: code })
    const why = (record: Record<string, unknown>) => outOfState(release, record, stateLabel)?.en ?? null
    expect(why({ holding: 'private', level: 'b' })).toBeNull()
    expect(why({ holding: 'sea', level: 'b' })).toContain('"sea"')
    expect(why({ level: 'b' })).toContain('empty')
    expect(findTransition(model, 'release', 'stage')).toBeUndefined()
  })

  it('random walks of allowed transitions never leave the states of the machine', () => {
    const stateLabel = (code: string) => ({ zh: code, en: code })
    fc.assert(
      fc.property(fc.array(fc.constantFrom('release', 'claim', 'lose', 'reopen'), { maxLength: 30 }), (steps) => {
        const record: Record<string, unknown> = { holding: 'private', stage: 'open', level: 'b' }
        for (const step of steps) {
          const found = findTransition(model, step)!
          const refused = outOfState(found, record, stateLabel)
          expect(refused === null).toBe(found.transition.from.includes(record[found.machine.field] as string))
          if (!refused) record[found.machine.field] = found.transition.to
          expect(['private', 'sea']).toContain(record.holding)
          expect(['open', 'lost']).toContain(record.stage)
        }
      }),
    )
  })
})

describe('stored values that follow others', () => {
  const text = { type: 'string' as const, 'x-label': { zh: '文', en: 'Text' } }
  const whole = { type: 'integer' as const, 'x-label': { zh: '数', en: 'Number' } }
  const entity = (name: string, properties: EntityDocument['properties']): EntityDocument => ({
    ...{ formatVersion: 3, name, label: { zh: '例', en: 'Example' }, titleField: 'name', type: 'object' },
    properties: { name: text, ...properties },
  })
  const models = new Map<string, EntityModel>()
  for (const document of [
    entity('a.head', {
      secret: { ...text, 'x-sensitive': 'a:see' },
      ownerId: { ...text, 'x-ref': 'a.person' },
      lines: { ...whole, 'x-rollup': { of: 'a.line.headId', count: true } },
      cost: { ...whole, 'x-rollup': { of: 'a.line.headId', sum: 'price' } },
      dear: { ...whole, 'x-rollup': { of: 'a.line.headId', count: true, where: [{ field: 'price', operator: 'notEmpty' }] } },
      twice: { ...whole, 'x-derived': { value: '{{ cost * 2 }}' } },
    }),
    entity('a.line', {
      headId: { ...text, 'x-ref': 'a.head' },
      price: whole,
      of: { ...text, 'x-derived': { value: '{{ headId.secret }}' } },
      byPhone: { ...text, 'x-derived': { value: '{{ headId.ownerId.phone }}' } },
      total: { ...whole, 'x-derived': { value: '{{ headId.twice + 1 }}' } },
      free: { ...text, 'x-derived': { value: '{{ upper(name) }}' } },
    }),
    entity('a.person', { phone: text }),
  ])
    models.set(
      document.name,
      compileEntity(document, (name) => models.get(name)),
    )
  const closed = (name: string, fieldRules: Record<string, string>) =>
    Object.fromEntries(
      [...restrictedFields(models.get(name)!, { has: () => false, fieldRules })].filter(
        ([, access]) => access !== 'write' && access !== 'hide',
      ),
    )

  it('are columns unless they read the moment or the viewer', () => {
    expect(models.get('a.line')!.fields.get('free')).toMatchObject({ storage: 'stored', kept: true })
    const reads = (value: string) =>
      compileEntity(entity('a.one', { b: { ...text, 'x-derived': { value } } })).fields.get('b')!.storage
    expect(reads('{{ name }}')).toBe('stored')
    for (const value of ['{{ now }}', '{{ today + name }}', '{{ user.name }}', '{{ locale }}', "{{ can('x') ? name : '' }}"])
      expect(reads(value)).toBe('computed')
  })

  it('are as closed as what they are made of: over references, through rollups and their conditions, step by step', () => {
    expect(closed('a.line', {})).toEqual({ of: 'mask' })
    expect(closed('a.line', { 'a.line.price': 'mask' })).toEqual({ of: 'mask', price: 'mask', total: 'mask' })
    expect(closed('a.head', { 'a.line.price': 'mask' })).toEqual({ secret: 'mask', cost: 'mask', dear: 'mask', twice: 'mask' })
    expect(closed('a.line', { 'a.person.phone': 'mask' })).toEqual({ of: 'mask', byPhone: 'mask' })
    expect(closed('a.line', { 'a.head.ownerId': 'mask' })).toEqual({ of: 'mask', byPhone: 'mask' })
  })
})

describe('copies of a field', () => {
  const text = { type: 'string' as const, 'x-label': { zh: '文', en: 'Text' } }
  const entity = (name: string, properties: EntityDocument['properties']): EntityDocument => ({
    ...{ formatVersion: 3, name, label: { zh: '例', en: 'Example' }, titleField: 'name', type: 'object' },
    properties,
  })
  const documents = [
    entity('a.source', {
      name: text,
      secret: { ...text, 'x-sensitive': 'a:see' },
      first: { ...text, 'x-copyOf': 'b.copy.again' },
      both: { ...text, 'x-derived': { value: "{{ name + ' ' + secret }}" } },
    }),
    entity('b.copy', {
      name: { ...text, 'x-copyOf': ['a.source.name', 'a.source.secret'] },
      ofSecret: { ...text, 'x-copyOf': 'a.source.secret' },
      again: { ...text, 'x-copyOf': 'b.copy.ofSecret' },
      ofBoth: { ...text, 'x-copyOf': 'a.source.both' },
      round: { ...text, 'x-copyOf': 'b.copy.round' },
      free: text,
    }),
  ]
  const models = new Map<string, EntityModel>()
  for (const document of documents)
    models.set(
      document.name,
      compileEntity(document, (name) => models.get(name)),
    )
  const closed = (entityName: string, viewer: { keys?: string[]; fieldRules?: Record<string, string> }) =>
    Object.fromEntries(
      [
        ...restrictedFields(models.get(entityName)!, {
          has: (key) => viewer.keys?.includes(key) === true,
          fieldRules: viewer.fieldRules ?? {},
        }),
      ].filter(([name]) => !models.get(entityName)!.fields.get(name)!.internal),
    )

  it('are closed by the key of what they were copied from, also through further copies and what is computed', () => {
    const masked = { name: 'mask', ofSecret: 'mask', again: 'mask', ofBoth: 'mask' }
    expect(closed('b.copy', {})).toEqual(masked)
    expect(closed('a.source', {})).toEqual({ secret: 'mask', first: 'mask', both: 'mask' })
    expect(closed('b.copy', { keys: ['a:see'] })).toEqual({})
  })

  it('follow the strictest rule of what they are made of; that one may not be changed is no matter of theirs', () => {
    const rules = { 'a.source.name': 'hide', 'a.source.secret': 'read' }
    expect(closed('b.copy', { keys: ['a:see'], fieldRules: rules })).toEqual({ name: 'hide', ofBoth: 'hide' })
  })
})
