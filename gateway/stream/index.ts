import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import { contextOf, ServiceError, type Locale } from '../platform/http'
import type { EndedSessions, SessionService } from '../platform/session'

/** Half of the heartbeat timeout of browsers would do (R331: 120 s); proxies give up earlier. */
const HEARTBEAT = 25_000

/** Streams that one person holds at this gateway: more than anybody has tabs that live. */
const MOST_STREAMS = 10

/** An event of the stream; `event` says which kind it is (R225, R330). */
export interface PushEvent {
  event: string
  [name: string]: unknown
}

interface Connection {
  response: ServerResponse
  sessionId: string
  staffId: string
  locale: Locale
  /** Goes on, or ends with the session. */
  check(): Promise<boolean>
}

/** Open browsers of this gateway, and what is pushed to them: `GET /v2/sys/mc/sse/connection` (R328). */
export class Stream {
  private readonly connections = new Set<Connection>()

  /** @param heartbeat milliseconds between two signs of life */
  constructor(private readonly heartbeat = HEARTBEAT) {}

  /** To every open browser of this gateway; the others hear of it through their own gateway. */
  broadcast(event: PushEvent): void {
    for (const { response } of this.connections) response.write(textOf(event))
  }

  /** To the open browsers of one person, in the language of each. */
  toPerson(staffId: string, event: (locale: Locale) => PushEvent): void {
    for (const { response, locale, staffId: whose } of this.connections)
      if (whose === staffId) response.write(textOf(event(locale)))
  }

  get size(): number {
    return this.connections.size
  }

  /** A connection ends with its session (R385): as soon as its end is told, and at the next sign of life when nobody told. */
  register(app: FastifyInstance, sessions: Pick<SessionService, 'stillOpen' | 'followEnds'>): void {
    sessions.followEnds((ended) => {
      for (const connection of this.connections) if (concerns(connection, ended)) void connection.check()
    })
    app.get(
      '/v2/sys/mc/sse/connection',
      {
        schema: {
          tags: ['stream'],
          summary: 'Server-sent events: connection, heartbeat, message, messageRead, approvals, schema',
        },
      },
      (request, reply) => {
        const { authorization } = request.headers
        const { sessionId, user, locale } = contextOf(request)
        if ([...this.connections].filter(({ staffId }) => staffId === user.staffId).length >= MOST_STREAMS) throw tooMany
        reply.hijack()
        const response = reply.raw
        response.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
          'x-trace-id': request.id,
        })
        const check = async (): Promise<boolean> => {
          const open = await sessions.stillOpen(authorization).catch(() => false)
          if (!open) response.end()
          return open
        }
        const connection = { response, sessionId, staffId: user.staffId, locale, check }
        this.connections.add(connection)
        response.write(textOf({ event: 'connection' }))
        const beat = setInterval(() => {
          void check().then((open) => open && response.write(textOf({ event: 'heartbeat' })))
        }, this.heartbeat)
        response.on('close', () => {
          clearInterval(beat)
          this.connections.delete(connection)
        })
        // It may have ended between the look at the token and now.
        void check()
      },
    )
  }

  /** Ends every connection; browsers come back by themselves. */
  end(): void {
    for (const { response } of this.connections) response.end()
    this.connections.clear()
  }
}

const tooMany = new ServiceError('tooManyRequests', {
  message: {
    zh: `您已打开 ${MOST_STREAMS} 个实时连接，请关闭一些门户标签页后再试。`,
    en: `You hold ${MOST_STREAMS} live connections. Close some tabs of the portal and try again.`,
  },
  data: { retryAfter: 60 },
})

const textOf = (event: PushEvent): string => `data: ${JSON.stringify(event)}\n\n`

function concerns({ sessionId, staffId }: Connection, ended: EndedSessions | null): boolean {
  if (ended === null) return true
  return 'sessionId' in ended ? ended.sessionId === sessionId : ended.staffId === staffId
}
