import { once } from 'node:events'
import { expect, it } from 'vitest'
import { ok } from '../../../../../gateway/platform/http'
import { startGateway } from '../../../../support/gateway'

it('finishes requests in flight when it stops, and refuses new ones with an envelope', async () => {
  const told = new EventTarget()
  const arrived = once(told, 'arrived')
  const test = await startGateway({
    routes: (app) => {
      app.get('/v2/test/slow', { config: { open: true } }, async () => {
        const go = once(told, 'go')
        told.dispatchEvent(new Event('arrived'))
        await go
        return ok('finished')
      })
    },
  })
  const running = test.anybody.get<string>('/v2/test/slow')
  await arrived
  const closed = test.close()
  const late = (): Promise<number | 'refused'> =>
    test.anybody.get('/health').then(
      (answer) => answer.status,
      () => 'refused',
    )
  await expect.poll(async () => [503, 'refused'].includes(await late())).toBe(true)
  const begun = Date.now()
  told.dispatchEvent(new Event('go'))
  expect((await running).data).toBe('finished')
  await closed
  expect(Date.now() - begun).toBeLessThan(5000)
  await expect(fetch(`${test.base}/health`)).rejects.toThrow()
})
