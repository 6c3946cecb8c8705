import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, openWorld, PEOPLE, type World } from './world'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('saving', () => {
  it('creates a record with number, owner, defaults and states, and reads it back', async () => {
    const me = as(PEOPLE.wang)
    const saved = await world.engine.save('test.client', me, {
      name: '  星河通信 ',
      country: 'CN',
      limit: '1000.50',
      products: ['sms'],
    })
    expect(saved.record).toMatchObject({
      name: '星河通信',
      level: 'd',
      holding: 'private',
      stage: 'open',
      ownerId: PEOPLE.wang,
      ownerDeptId: 'd2',
      limit: '1000.5',
      version: 1,
      noteCount: 0,
      $write: true,
    })
    expect(saved.record.code).toMatch(/^CL\d{2}00001$/)
    expect(saved.record).not.toHaveProperty('nameKey')
    const page = await world.engine.queryPage('test.client', me, { keyword: '星河' })
    expect(page.total).toBe(1)
    expect(page.refs['sys.staff']?.[PEOPLE.wang]?.title).toBe('王伟 (S0002)')
    const view = await world.engine.view('test.client', me, saved.id)
    expect(view.can.transitions).toMatchObject({ lose: null, release: null })
  })
})
