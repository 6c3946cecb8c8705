import { describe, expect, it } from 'vitest'
import { offeredActions } from '../../../../src/runtime/action/rowActions'
import { foreignSearch } from '../../../../src/headless/list/query'
import type { ActionModel, Scope } from '../../../../src/schema/model'

const action = (beside: boolean): ActionModel =>
  ({
    id: 'look',
    label: 'Quick view',
    visible: () => true,
    disabledBecause: () => null,
    effect: { type: 'open', address: () => '/a?id=1', newWindow: false, ...(beside ? { beside: true } : {}) },
  }) as unknown as ActionModel

describe('a row that is looked at beside its list (money 9.1)', () => {
  it('is named by the address of the list and starts no other list', () => {
    const body = { filters: [], views: [], columns: [] } as unknown as Parameters<typeof foreignSearch>[0]
    expect(foreignSearch(body, '?open=t1&page=2&customerId=c1')).toBe('customerId=c1')
  })

  it('is opened by a button of the list, where a page of its own is a link', () => {
    const failed = (): string => ''
    expect(offeredActions([action(true)], {} as Scope, failed)[0]?.address).toBeNull()
    expect(offeredActions([action(false)], {} as Scope, failed)[0]?.address).toBe('/a?id=1')
  })
})
