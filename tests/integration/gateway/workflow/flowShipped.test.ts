import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { tryStart } from '../../../../gateway/workflow/flow'
import { flowWorld, type FlowWorld } from './flowWorld'

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld()
})
afterAll(() => world.close())

describe('every shipped process', () => {
  it('shows the way that an empty application would take, and names what is missing', async () => {
    const { engine, database, registry, queue } = world.gateway.gateway
    const now = world.gateway.clock.now
    const parts = {
      engine,
      database,
      schemas: registry,
      queue,
      timeZone: database.companyTimeZone,
      now,
      onError: (error: unknown) => {
        throw error
      },
    }
    const context = {
      ...systemContext({ now: now() }),
      user: { ...systemContext().user, staffId: 'applicant', name: 'applicant' },
    }
    const rows = await world.rows<{ code: string }>(`select code from wf_process where source = 'file' order by code`)
    expect(rows.length).toBeGreaterThan(20)
    const failed: string[] = []
    for (const { code } of rows)
      try {
        const { path } = await engine.transaction(context, (_entities, tx) =>
          tryStart(parts, tx, context, { code, formData: {} }),
        )
        if (path[0]?.kind !== 'start' || path.at(-1)?.kind !== 'end') failed.push(`${code}: ${path.map(({ id }) => id).join()}`)
      } catch (error) {
        failed.push(`${code}: ${error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error)}`)
      }
    expect(failed).toEqual([])
  })
})
