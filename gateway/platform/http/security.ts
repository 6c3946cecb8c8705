import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface SecurityOptions {
  /** Other origins whose pages may call the gateway, e.g. `https://portal.example.com`. */
  corsOrigins: readonly string[]
  /** Origins of the sub-applications that the portal shows in frames (R035). */
  frameOrigins: readonly string[]
  /** Origins beside our own that the portal calls: another gateway, the streaming host. */
  connectOrigins: readonly string[]
  /** True when people reach us over https: turns HSTS on. */
  https: boolean
}

/** Addresses that may carry a secret: codes and signed requests of sign-in, tickets of files. No page below them tells where it is. */
const WITH_SECRETS = /^\/(?:authorize|auth\/|v2\/)/

/** What a browser asks of documents alone: 700 bytes that would be more than the body of most answers. */
const OF_DOCUMENTS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/** Answers that no browser draws as a document: data of calls, event streams, and what the portal is built of. */
function isNoDocument(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.url.startsWith('/assets/')) return reply.statusCode < 400
  const type = reply.getHeader('content-type')
  if (type === undefined) return request.url.startsWith('/v2/') && (reply.statusCode === 304 || reply.statusCode === 204)
  return /^(?:application\/json|text\/event-stream)\b/.test(String(type))
}

/** Strict headers for documents, and for every answer that browsers take it for what it says it is: the portal runs without inline scripts and without eval. */
export async function protect(app: FastifyInstance, options: SecurityOptions): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'script-src-attr': ["'none'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'", ...options.connectOrigins],
        'frame-src': ["'self'", 'blob:', ...options.frameOrigins],
        'worker-src': ["'self'", 'blob:'],
        'object-src': ["'none'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'self'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginEmbedderPolicy: false,
    hsts: options.https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'sameorigin' },
  })
  app.addHook('onRequest', async (request, reply) => {
    if (WITH_SECRETS.test(request.url)) reply.header('referrer-policy', 'no-referrer')
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isNoDocument(request, reply)) return payload
    // helmet writes past the framework; what a route has set itself stays
    for (const name of OF_DOCUMENTS) reply.raw.removeHeader(name)
    if (request.url.startsWith('/v2/')) reply.removeHeader('referrer-policy')
    if (request.url.startsWith('/assets/')) {
      reply.raw.removeHeader('cross-origin-resource-policy')
      reply.removeHeader('x-trace-id')
    }
    return payload
  })
  const allowed = new Set(options.corsOrigins)
  await app.register(cors, {
    origin: (origin, answer) => answer(null, origin !== undefined && allowed.has(origin)),
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['X-Trace-Id', 'Content-Disposition', 'ETag', 'Retry-After', 'X-Idempotent-Replay', 'X-Schema-Revision'],
    maxAge: 600,
  })
}
