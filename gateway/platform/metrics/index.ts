import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Database } from '../database'
import { ServiceError, isLoopbackHost } from '../http'
import type { Text } from '../http'
import { sameSecret } from '../session/secrets'

export interface MetricsOptions {
  /** Bearer token of a scraper. */
  token?: string
  /** Programs on this machine read without it. */
  loopback: boolean
}

const OFF: Text = {
  zh: '监控指标未开放：请设置 METRICS_TOKEN，或用 METRICS_LOOPBACK=true 对本机开放。',
  en: 'Metrics are switched off here: set METRICS_TOKEN, or METRICS_LOOPBACK=true for programs on this machine.',
}

/**
 * Prometheus metrics at /metrics: requests by route (never by address: ids would be labels), the pool of the database,
 * event loop, memory and garbage collection of the process. Other capabilities add their own to the returned registry.
 */
export function registerMetrics(app: FastifyInstance, database: Database, options: MetricsOptions): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'switchboard_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'switchboard_faults_total',
    help: 'Answers with a status of 500 or more.',
    labelNames: ['route'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'switchboard_database_connections',
    help: 'Connections of the pool by state; waiting = callers that wait for one.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { inUse, idle, waiting } = database.usage()
      this.set({ state: 'inUse' }, inUse)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    if (reply.statusCode >= 500) refusals.inc({ route })
  })
  app.get('/metrics', { schema: { hide: true }, config: { open: true, quiet: true } }, async (request, reply) => {
    const { token } = options
    const byToken = token !== undefined && sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)
    if (!byToken && !(options.loopback && isOfThisMachine(request))) {
      if (token === undefined) throw new ServiceError('noAddress', { message: OFF })
      throw new ServiceError('noPermission', { data: { permission: 'metrics' } })
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

/** A proxy on this machine connects from loopback too, but for somebody else. */
function isOfThisMachine({ socket, headers }: FastifyRequest): boolean {
  const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].some(
    (name) => headers[name] !== undefined,
  )
  const from = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return !forwarded && (from === '::1' || from.startsWith('127.')) && isLoopbackHost(headers.host ?? '')
}
