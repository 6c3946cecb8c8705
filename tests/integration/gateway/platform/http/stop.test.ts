import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ok } from '../../../../../gateway/platform/http'
import { startGateway } from '../../../../support/gateway'

it('finishes requests in flight when it stops, and refuses new ones with an envelope', async () => {
  const test = await startGateway({
    routes: (app) => {
      app.get('/v2/test/slow', { config: { open: true } }, async () => {
        await sleep(800)
        return ok('finished')
      })
    },
  })
  const running = test.anybody.get<string>('/v2/test/slow')
  await sleep(150)
  const late = sleep(100).then(() =>
    test.anybody.get('/health').then(
      (answer) => answer.status,
      () => 'refused',
    ),
  )
  const begun = Date.now()
  const closed = test.close()
  expect((await running).data).toBe('finished')
  expect([503, 'refused']).toContain(await late)
  await closed
  expect(Date.now() - begun).toBeLessThan(5000)
  await expect(fetch(`${test.base}/health`)).rejects.toThrow()
})
