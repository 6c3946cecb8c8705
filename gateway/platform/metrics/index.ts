import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Database } from '../database'
import { ServiceError } from '../http'

export interface MetricsOptions {
  /** Bearer token that a scraper has to send; without one only this machine may read. */
  token?: string
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
    const allowed = options.token ? request.headers.authorization === `Bearer ${options.token}` : isLoopback(request.ip)
    if (!allowed) throw new ServiceError('noPermission', { data: { permission: 'metrics' } })
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')
}
