import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'

/** Half of the heartbeat timeout of browsers would do (R331: 120 s); proxies give up earlier. */
const HEARTBEAT = 25_000

/** An event of the stream; `event` says which kind it is (R225, R330). */
export interface PushEvent {
  event: string
  [name: string]: unknown
}

export interface StreamOptions {
  /** False: the session behind the connection is over, and the connection ends (R385). */
  stillOpen(authorization: string | undefined): Promise<boolean>
}

/** Open browsers of this gateway, and what is pushed to them: `GET /v2/sys/mc/sse/connection` (R328). */
export class Stream {
  private readonly connections = new Set<ServerResponse>()

  /** @param heartbeat milliseconds between two signs of life */
  constructor(private readonly heartbeat = HEARTBEAT) {}

  /** To every open browser of this gateway; the others hear of it through their own gateway. */
  broadcast(event: PushEvent): void {
    const text = `data: ${JSON.stringify(event)}\n\n`
    for (const response of this.connections) response.write(text)
  }

  get size(): number {
    return this.connections.size
  }

  register(app: FastifyInstance, { stillOpen }: StreamOptions): void {
    app.get(
      '/v2/sys/mc/sse/connection',
      { schema: { tags: ['stream'], summary: 'Server-sent events: connection, heartbeat, message, schema' } },
      (request, reply) => {
        const { authorization } = request.headers
        reply.hijack()
        const response = reply.raw
        response.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
          'x-trace-id': request.id,
        })
        this.connections.add(response)
        response.write(`data: ${JSON.stringify({ event: 'connection' })}\n\n`)
        const beat = setInterval(() => {
          stillOpen(authorization).then(
            (open) => (open ? response.write(`data: ${JSON.stringify({ event: 'heartbeat' })}\n\n`) : response.end()),
            () => response.end(),
          )
        }, this.heartbeat)
        response.on('close', () => {
          clearInterval(beat)
          this.connections.delete(response)
        })
      },
    )
  }

  /** Ends every connection; browsers come back by themselves. */
  end(): void {
    for (const response of this.connections) response.end()
    this.connections.clear()
  }
}
