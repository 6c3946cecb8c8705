import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { registerEntityRoutes, type EntityEngine, type QueryPageRequest } from '../gateway/entities'
import { createServer } from '../gateway/platform/http'
import { caller } from './gatewayWorld'

/** Who calls: everything, a member of staff who sees his own, or the leader of a department. */
export type BenchCaller = 'admin' | 'sales' | 'leader'

export interface BenchServer {
  /** Sends one call and answers how long it took, in milliseconds. Rejects when the envelope is not a success. */
  call(who: BenchCaller, number: number, path: string, body?: unknown): Promise<number>
  close(): Promise<void>
}

/** The calls of the entities over HTTP on 127.0.0.1, with the caller named in headers instead of a session. */
export async function serveBench(engine: EntityEngine): Promise<BenchServer> {
  const app = await createServer({
    logger: pino({ level: 'silent' }),
    corsOrigins: [],
    connectOrigins: [],
    frameOrigins: [],
    https: false,
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const who = request.headers['x-who'] as BenchCaller
    request.callContext = caller(who, Number(request.headers['x-number'] ?? 7))
    done()
  })
  await registerEntityRoutes(app, engine)
  await app.listen({ port: Number(process.env.PORT ?? 4620), host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    call(who, number, path, body) {
      const payload = body === undefined ? undefined : JSON.stringify(body)
      const started = performance.now()
      return new Promise((resolve, reject) => {
        const request = httpRequest(
          {
            host: '127.0.0.1',
            port,
            agent,
            method: payload === undefined ? 'GET' : 'POST',
            path,
            headers: {
              ...(payload === undefined
                ? {}
                : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
              'x-who': who,
              'x-number': String(number),
            },
          },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              if (!text.startsWith('{"code":0')) reject(new Error(`${path}: ${text.slice(0, 300)}`))
              else resolve(performance.now() - started)
            })
          },
        )
        request.on('error', reject)
        request.end(payload)
      })
    },
    async close() {
      agent.destroy()
      await app.close()
    },
  }
}

/** One page of an entity: `path` is its base, e.g. `/v2/crm/customer`. */
export const queryPage = (path: string, body: QueryPageRequest): [path: string, body: QueryPageRequest] => [
  `${path}/queryPage`,
  { pageSize: 20, ...body },
]

/** The value below which `part` (0..1) of the times lie. */
export const percentile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!

/** Calls one after the other for `seconds` or until `most` calls: their times in milliseconds, after 20 calls of warming up. */
export async function timesOf(call: (turn: number) => Promise<number>, seconds: number, most = 400): Promise<number[]> {
  for (let turn = 0; turn < 20; turn += 1) await call(turn)
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  for (let turn = 0; performance.now() < until && turn < most; turn += 1) times.push(await call(turn))
  return times
}
