import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compose } from '../../../../gateway/pages/changes/compose'
import { expandFeatures, usesFeatures } from '../../../../src/schema/feature'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { FeatureDocument } from '../../../../src/schema/generated/feature'
import { readDocuments, type SourceDocument } from '../../../../src/schema/validate'
import { wholeSchema } from '../../../support/schemas'
import { valueOf, world, worldContext } from '../validate/world'

const text = (en: string) => ({ zh: en, en })
const STAMPED: FeatureDocument = {
  formatVersion: 3,
  name: 'stamped',
  label: text('Stamped'),
  description: text('Keeps when it was closed.'),
  parameters: {
    close: { type: 'string', description: 'Id of the transition.', default: 'shut' },
    closedAt: { type: 'string', description: 'The field.' },
    reopen: { type: 'string', description: 'Id of the way back.' },
    people: { type: 'array', description: 'Who may.', required: true },
    title: { type: 'string', description: 'Which one.', default: '{{ <<entity.titleField>> }} (<<close>>)' },
  },
  template: {
    'x-states': [
      {
        field: 'status',
        transitions: [
          {
            id: '<<close>>',
            label: text('Close'),
            from: ['open'],
            to: 'closed',
            by: '<<people>>',
            effects: [
              { '<<given>>': 'closedAt', id: 'stamp', do: 'set', with: { '<<closedAt>>': '{{ now }}' } },
              { id: 'tell', do: 'notify', with: { to: '<<people>>', title: text('Closed: <<title>>'), link: '<<reopen>>' } },
            ],
          },
          { '<<given>>': 'reopen', id: '<<reopen>>', label: text('Open again'), from: ['closed'], to: 'open' },
          { '<<absent>>': 'reopen', id: 'never', label: text('Never'), from: ['closed'], to: 'open' },
        ],
      },
    ],
  },
}
const features = new Map([[STAMPED.name, STAMPED]])
const FEATURE: SourceDocument = { where: 'schemas/features/stamped.json', type: 'feature', value: STAMPED }
const ITEM = 'schemas/demo/entities/item.json'

const using = (given: object, own: object = {}) => {
  const { 'x-states': _states, ...rest } = valueOf(ITEM)
  return {
    ...rest,
    'x-states': [{ field: 'status', initial: 'open', transitions: [] }],
    ...own,
    'x-use': [{ id: 'stamped', feature: 'stamped', with: { people: ['creator'], ...given } }],
  }
}
const transitionsOf = (document: unknown) => (document as EntityDocument)['x-states']![0]!.transitions

const expanded = (document: unknown) => {
  if (!usesFeatures(document)) throw new Error('It uses no features.')
  return expandFeatures(document, { features })
}
const read = (document: unknown, more: readonly SourceDocument[] = [FEATURE]) => {
  const rest = world.documents.filter(({ where }) => where !== ITEM)
  const { problems, accepted } = readDocuments([...rest, { where: ITEM, type: 'entity', value: document }, ...more], worldContext)
  return { problems, entity: accepted.find(({ where }) => where === ITEM)?.value as EntityDocument | undefined }
}

describe('features', () => {
  it('fill in what is given, take defaults, and leave out what names nothing', () => {
    const { document, problems } = expanded(using({ closedAt: 'closedAt' }))
    expect(problems).toEqual([])
    expect(document).not.toHaveProperty('x-use')
    const [shut, never] = transitionsOf(document)
    expect(shut).toMatchObject({ id: 'shut', by: ['creator'] })
    expect(shut!.effects![0]).toEqual({ id: 'stamp', do: 'set', with: { closedAt: '{{ now }}' } })
    expect(shut!.effects![1]!.with).toEqual({ to: ['creator'], title: text('Closed: {{ name }} (shut)') })
    expect(never!.id).toBe('never')
    const other = expanded(using({ reopen: 'reopen' }))
    expect(transitionsOf(other.document).map(({ id }) => id)).toEqual(['shut', 'reopen'])
    expect(transitionsOf(other.document)[0]!.effects!.map(({ id }) => id)).toEqual(['tell'])
  })

  it('are under what the entity says itself, by id', () => {
    const refuse = [{ id: 'empty', when: '{{ !name }}', message: text('It has no name.') }]
    const { document } = expanded(
      using(
        {},
        {
          'x-states': [
            {
              field: 'status',
              initial: 'open',
              transitions: [
                { id: 'shut', label: text('Shut'), refuse, effects: [{ id: 'note', do: 'log', with: { text: 'shut' } }] },
                { id: 'lose', label: text('Lose'), from: ['open'], to: 'closed' },
              ],
            },
          ],
        },
      ),
    )
    const [shut, never, lose] = transitionsOf(document)
    expect(shut).toMatchObject({ label: text('Shut'), from: ['open'], refuse })
    expect(shut!.effects!.map(({ id }) => id)).toEqual(['tell', 'note'])
    expect([never!.id, lose!.id]).toEqual(['never', 'lose'])
    expect(document).toMatchObject({ 'x-states': [{ initial: 'open' }] })
  })

  it('are what everything behind the reading of documents sees, for admins too', () => {
    const { entity, problems } = read(using({}))
    expect(problems.filter(({ where }) => where === ITEM)).toEqual([])
    expect(transitionsOf(entity).map(({ id }) => id)).toEqual(['shut', 'never'])
    const { 'x-use': uses, ...plain } = using({})
    const { documents } = compose(
      [FEATURE, { where: ITEM, type: 'entity', value: plain }],
      [{ target: `entity:${String(valueOf(ITEM).name)}`, role: '', changes: [{ at: '', set: { ...plain, 'x-use': uses } }] }],
    )
    expect(transitionsOf(documents.find(({ where }) => where === ITEM)!.value).map(({ id }) => id)).toEqual(['shut', 'never'])
  })

  it('and parameters that there are not, or that do not fit, are named', () => {
    expect(read(using({}), []).problems.map(({ code, at }) => `${at} ${code}`)).toContain('/x-use/0/feature unknown-service')
    const wrong = (given: object) => read(using(given)).problems.filter(({ where }) => where === ITEM)
    expect(wrong({ colsedAt: 'x' })).toMatchObject([{ at: '/x-use/0/with/colsedAt', code: 'unknown-field', hint: 'closedAt' }])
    expect(wrong({ close: 1 })).toMatchObject([{ at: '/x-use/0/with/close', code: 'field-kind-mismatch' }])
    const without = { ...using({}), 'x-use': [{ id: 'stamped', feature: 'stamped', with: {} }] }
    const missing = read(without).problems.filter(({ where }) => where === ITEM)
    expect(missing).toMatchObject([{ at: '/x-use/0/with/people', code: 'field-kind-mismatch' }])
    const feature = { ...STAMPED, template: { 'x-title': '<<colse>>' } }
    expect(read(using({}), [{ ...FEATURE, value: feature }]).problems).toMatchObject([
      { where: FEATURE.where, at: '/template/x-title', code: 'unknown-field', hint: 'close' },
    ])
  })

  it('a problem stands where it is said: in the entity, or with the feature whose place the sentence names', () => {
    const [own, ofFeature] = read(
      using(
        { closedAt: 'nothing' },
        {
          'x-states': [
            {
              field: 'status',
              initial: 'open',
              transitions: [
                { id: 'lose', label: text('Lose'), from: ['opne'], to: 'closed' },
                { id: 'shut', icon: 'lock' },
              ],
            },
          ],
        },
      ),
    ).problems.filter(({ where }) => where === ITEM)
    expect(own).toMatchObject({ at: '/x-states/0/transitions/0/from/0', code: 'unknown-state' })
    expect(ofFeature).toMatchObject({ at: '/x-use/0', code: 'unknown-field' })
    expect(ofFeature!.message.en).toMatch(/^The feature "stamped" \(\/x-states\/0\/transitions\/0\/effects\/0\/with\/nothing\): /)
    const missing = read(
      using({}, { 'x-states': [{ field: 'status', initial: 'open', transitions: [{ id: 'shot', to: 'closed' }] }] }),
    )
    expect(missing.problems.map(({ at }) => at)).toContain('/x-states/0/transitions/0')
  })

  it('make pages of an entity that takes part in another one, which is asked what it gave there', () => {
    const listed: FeatureDocument = {
      ...STAMPED,
      name: 'listed',
      for: 'page',
      parameters: { subject: { type: 'string', description: 'Whose.', required: true, of: 'stamped' } },
      template: {
        kind: 'list',
        title: text('<<subject.entity.label.en>>: <<subject.close>>'),
        entity: '<<subject.entity.name>>',
        columns: [{ field: 'name' }, { field: 'status', width: 90 }],
      },
    }
    const { name } = valueOf(ITEM)
    const page = {
      formatVersion: 3,
      columns: [
        { field: 'status', width: 120 },
        { '<<after>>': 'name', field: 'createdAt' },
      ],
      'x-use': [{ id: 'list', feature: 'listed', with: { subject: name } }],
    }
    const subjects = new Map<string, unknown>([[String(name), using({ close: 'end' })]])
    const library = { features: new Map([...features, ['listed', listed]]), subjects }
    const whole = expandFeatures(page as never, library, 'page')
    expect(whole.problems).toEqual([])
    expect(whole.document).toMatchObject({ kind: 'list', entity: name, title: { en: expect.stringMatching(/: end$/) as string } })
    expect(whole.document.columns).toEqual([{ field: 'name' }, { field: 'createdAt' }, { field: 'status', width: 120 }])
    expect(expandFeatures(page as never, library).problems).toMatchObject([{ at: '/x-use/0/feature' }])
    const nobody = expandFeatures(page as never, { ...library, subjects: new Map() }, 'page')
    expect(nobody.problems).toMatchObject([{ at: '/x-use/0/with/subject', unknown: 'subject' }])
  })

  it('leave what an admin changes addressed by the ids of the whole page', () => {
    const page = wholeSchema<object>('crm/pages/wander-share.json')
    const { documents, outcomes } = compose(
      [{ where: 'schemas/crm/pages/wander-share.json', type: 'page', name: 'crm/wander-share', value: page }],
      [{ target: 'page:crm/wander-share', role: '', changes: [{ at: 'columns/mode/width', set: 140 }] }],
    )
    expect([...outcomes.values()]).toEqual([['kept']])
    expect(documents[0]!.value).toMatchObject({
      columns: expect.arrayContaining([expect.objectContaining({ field: 'mode', width: 140 })]) as unknown,
    })
  })

  it('put in values that are not looked through again', () => {
    const { document } = expanded(using({ title: '<<people>>' }))
    expect(transitionsOf(document)[0]!.effects![0]!.with).toMatchObject({ title: text('Closed: <<people>>') })
  })

  it('of the portal name only parameters that they have', () => {
    const decision: unknown = JSON.parse(readFileSync('schemas/features/decision.json', 'utf8'))
    expect(readDocuments([{ where: 'schemas/features/decision.json', type: 'feature', value: decision }]).problems).toEqual([])
  })
})
