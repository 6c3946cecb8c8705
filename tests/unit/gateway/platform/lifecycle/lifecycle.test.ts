import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EXIT, reportStartupError, StartupError, stopGracefully, stopOnSignals } from '../../../../../gateway/platform/lifecycle'

function report(error: unknown): [number, string] {
  let text = ''
  const code = reportStartupError(error, (part) => (text += part))
  return [code, text]
}

const quiet = { info: () => undefined, error: () => undefined }

describe('reportStartupError', () => {
  it('prints the sentence of a StartupError without a stack', () => {
    expect(report(new StartupError('locked', 'the folder is in use.'))).toEqual([
      EXIT.locked,
      '\nSwitchboard cannot start: the folder is in use.\n',
    ])
  })

  it('turns a taken port into one sentence', async () => {
    const first = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => first.once('listening', done))
    const { port } = first.address() as AddressInfo
    const error = await new Promise((done) => createServer().once('error', done).listen(port, '127.0.0.1'))
    expect(report(error)).toEqual([EXIT.unavailable, expect.stringContaining(`port ${port} is taken by another program`)])
    first.close()
  })

  it.each([
    ['ENOSPC', EXIT.cannotWrite, 'the disk is full (/data/x)'],
    ['EACCES', EXIT.cannotWrite, '/data/x cannot be written or read by this user'],
    ['EROFS', EXIT.cannotWrite, '/data/x cannot be written or read by this user'],
  ])('turns %s into one sentence', (code, exit, sentence) => {
    expect(report(Object.assign(new Error(code), { code, path: '/data/x' }))).toEqual([exit, expect.stringContaining(sentence)])
  })

  it('shows the stack of a fault of our own', () => {
    const [code, text] = report(new TypeError('oops'))
    expect(code).toBe(EXIT.internal)
    expect(text).toContain('lifecycle.test.ts')
  })
})

describe('stopGracefully', () => {
  it('ends streams, server, jobs and database in this order, and goes on after a failure', async () => {
    const done: string[] = []
    const failed = await stopGracefully(
      {
        closeDatabase: async () => void done.push('database'),
        stopJobs: () => Promise.reject(new Error('stuck')),
        closeServer: async () => void done.push('server'),
        cutConnections: () => void done.push('cut'),
        endStreams: () => void done.push('streams'),
      },
      quiet,
    )
    expect(done).toEqual(['streams', 'server', 'cut', 'database'])
    expect(failed).toBe(1)
  })

  it('waits for a request in flight, and cuts what is still open after its patience', async () => {
    let arrived = 0
    let bothArrived = (): void => undefined
    const inFlight = new Promise<void>((done) => (bothArrived = done))
    const server = createServer((request, answer) => {
      if (request.url === '/slow') setTimeout(() => answer.end('done'), 100)
      arrived += 1
      if (arrived === 2) bothArrived()
    })
    server.listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const slow = fetch(`${base}/slow`).then((answer) => answer.text())
    const endless = fetch(`${base}/endless`).then(
      () => 'answered',
      () => 'cut',
    )
    await inFlight
    const closeServer = () => new Promise<void>((done) => server.close(() => done()))
    const started = Date.now()
    await stopGracefully({ closeServer, cutConnections: () => server.closeAllConnections() }, quiet, 300)
    expect(await slow).toBe('done')
    expect(await endless).toBe('cut')
    expect(Date.now() - started).toBeGreaterThanOrEqual(280)
  })
})

describe('stopOnSignals', () => {
  it('stops once, takes an echo for what it is, and leaves at once at a later signal', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const codes: number[] = []
    let stops = 0
    let finish = (_failed: number) => {}
    const off = stopOnSignals(
      () => {
        stops += 1
        return new Promise((done) => (finish = done))
      },
      (code) => codes.push(code),
    )
    onTestFinished(off)
    process.emit('SIGINT')
    process.emit('SIGINT')
    expect([stops, codes]).toEqual([1, []])
    vi.advanceTimersByTime(1500)
    process.emit('SIGTERM')
    expect([stops, codes]).toEqual([1, [130]])
    finish(0)
    await Promise.resolve()
    expect(codes).toEqual([130, 0])
  })
})
