import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { nanoid } from 'nanoid'
import type { Logger } from 'pino'
import type { Answer } from './answer'
import { collectAddresses } from './addresses'
import { compressJson } from './compression'
import { refusalFor } from './errors'
import { isLoopbackHost, refuseUnknownHosts } from './ownAddresses'
import { refuseUnusableInput } from './plainInput'
import { protect } from './security'
import type { SecurityOptions } from './security'
import { ServiceError } from './serviceError'
import { localeFrom } from './text'
import { createValidatorCompiler } from './validation'

export interface ServerOptions extends SecurityOptions {
  logger: Logger
  /** Bytes of a JSON body; default 1 MiB. Uploads have their own limits. */
  bodyLimit?: number
  /** Addresses of proxies whose X-Forwarded-* headers are believed; default none. */
  trustProxy?: string | readonly string[] | boolean
  /** Whether a Host header is one of ours; default: loopback names. */
  knowsHost?(host: string): boolean
}

const TRACE_ID = /^[A-Za-z0-9_-]{8,64}$/
/** Uploads may take ten minutes (R336). */
const REQUEST_TIMEOUT = 600_000

/**
 * The HTTP side of the gateway without any route: the envelope for every JSON answer (also 404, 405, 413, 429, 500),
 * languages, trace ids, headers, compression, request log.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit ?? 1_048_576,
    trustProxy: trustedProxies(options.trustProxy),
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: (request) => {
      const given = request.headers['x-trace-id']
      return typeof given === 'string' && TRACE_ID.test(given) ? given : nanoid(16)
    },
    frameworkErrors: (error, request, reply) => {
      const refusal = refusalFor(error, {
        locale: localeFrom(request.headers['accept-language']),
        traceId: request.id,
        log: request.log,
      })
      const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-trace-id': request.id }
      reply.hijack()
      reply.raw.writeHead(refusal.status, headers).end(JSON.stringify(refusal.answer))
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  })
  app.setValidatorCompiler(createValidatorCompiler())
  app.decorateRequest('callContext', null)
  app.decorateRequest('locale', 'zh')
  app.decorateRequest('partsDigest', null)
  const methodsAt = collectAddresses(app)
  followStopping(app)

  app.addHook('onRequest', async (request, reply) => {
    request.locale = localeFrom(request.headers['accept-language'])
    reply.header('x-trace-id', request.id)
  })
  refuseUnknownHosts(app, options.knowsHost ?? isLoopbackHost)
  await protect(app, options)
  app.addHook('onSend', async (_request, reply, payload) => {
    // Answers belong to one person and one moment (R309), unless a route says otherwise.
    if (reply.getHeader('cache-control') === undefined) reply.header('cache-control', 'no-store')
    return payload
  })
  compressJson(app)
  logRequests(app)
  acceptForms(app)
  refuseUnusableInput(app)

  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFor(error, { locale: request.locale, traceId: request.id, log: request.log })
    if (refusal.retryAfter !== undefined) reply.header('retry-after', Math.ceil(refusal.retryAfter))
    return reply.status(refusal.status).type('application/json; charset=utf-8').send(refusal.answer)
  })
  app.setNotFoundHandler((request, reply) => {
    // A route of this very method that found nothing (a missing asset) is a wrong address, not a wrong method.
    const methods = methodsAt(pathOf(request.url))
    const wrongMethod = methods.length > 0 && !methods.includes(request.method)
    if (wrongMethod) reply.header('allow', methods.join(', '))
    const error = new ServiceError(wrongMethod ? 'methodNotAllowed' : 'noAddress')
    const answer: Answer = { code: error.code, msg: error.messageIn(request.locale), data: null }
    return reply.status(error.status).send(answer)
  })
  return app
}

/** The path of an address without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

/** New requests on open connections are refused with an envelope while those in flight are being finished. */
function followStopping(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    // A connection that is kept alive would hold the server open.
    if (stopping) reply.header('connection', 'close')
    return payload
  })
  app.addHook('onRequest', async () => {
    if (!stopping) return
    throw new ServiceError('unavailable', {
      message: { zh: '网关正在停止，请稍后重试。', en: 'The gateway is stopping. Please try again shortly.' },
    })
  })
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const details = {
      traceId: request.id,
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip,
      staffId: request.callContext?.user.staffId,
    }
    if (reply.statusCode >= 500) request.log.error(details, 'answered')
    else if (request.routeOptions.config.quiet) request.log.debug(details, 'answered')
    else request.log.info(details, 'answered')
  })
}

/** Plain HTML forms of the identity pages. */
function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 65_536 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )
}

function trustedProxies(value: ServerOptions['trustProxy']): string | string[] | boolean {
  if (value === undefined) return false
  return typeof value === 'boolean' || typeof value === 'string' ? value : [...value]
}

/** A request that is not even HTTP: answered like everything else, then the connection is closed. */
function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: NodeJS.WritableStream & { destroyed?: boolean; destroy(): void },
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refused = new ServiceError('badRequest')
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = tooLarge ? '431 Request Header Fields Too Large' : late ? '408 Request Timeout' : '400 Bad Request'
  const body = JSON.stringify({ code: refused.code, msg: refused.text.zh, data: null } satisfies Answer)
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logged at debug only: probes that come every few seconds. */
    quiet?: boolean
  }
}
