import { describe, expect, it } from 'vitest'
import { actsOtherwise, checkEntityChange } from '../../../../gateway/pages/changes/entityChange'
import type { EntityDocument } from '../../../../src/schema/generated/entity'

const ledger = (effects: object[], further: object = {}): EntityDocument =>
  ({
    name: 'demo.entry',
    label: { zh: '分录', en: 'Entry' },
    properties: {},
    'x-states': [
      {
        field: 'status',
        initial: 'open',
        transitions: [{ id: 'post', label: { zh: '过账', en: 'Post' }, from: ['open'], to: 'posted', effects }],
      },
    ],
    ...further,
  }) as unknown as EntityDocument
const post = { id: 'post', do: 'create', with: { entity: 'demo.line', values: {} }, locked: true }
const tell = { id: 'tell', do: 'notify', with: { to: ['creator'], title: { zh: '已过账', en: 'Posted' } } }

describe('what an administrator changes of the effects of an entity', () => {
  it('leaves locked effects as they are, wherever they stand in the list', () => {
    const problems = (after: EntityDocument) =>
      checkEntityChange(ledger([post, tell]), after, 'entity').map(({ at, message }) => [at, message.en])
    expect(problems(ledger([tell, post]))).toEqual([])
    expect(problems(ledger([post]))).toEqual([])
    const refused = [
      ['/x-states/0/transitions/0/effects/0', 'The effect "post" is locked: it can neither be changed nor taken out.'],
    ]
    expect(problems(ledger([tell]))).toEqual(refused)
    expect(problems(ledger([{ ...post, when: '{{ false }}' }, tell]))).toEqual(refused)
  })

  it('is told apart from changes that only show it otherwise', () => {
    const before = ledger([post])
    expect(actsOtherwise(before, ledger([post], { label: { zh: '凭证', en: 'Voucher' } }))).toBe(false)
    expect(actsOtherwise(before, ledger([post, tell]))).toBe(true)
    expect(actsOtherwise(before, ledger([post], { 'x-deadlines': [{ id: 'old', at: 'createdAt', delete: true }] }))).toBe(true)
  })
})
