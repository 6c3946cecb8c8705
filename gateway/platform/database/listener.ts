import pg from 'pg'
import type { Engine } from './engine'
import type { DatabaseLogger, ListenOptions } from './types'

interface Subscription extends ListenOptions {
  handler: (payload: string) => void
}

const RETRY_AFTER = 500
const RETRY_AT_MOST = 10_000

/**
 * Subscriptions to channels. Servers get one connection of their own that is renewed when it breaks; PGlite has one
 * connection for everything, so `listenOnShared` says LISTEN there and `receive` is fed by it.
 */
export class Listener {
  private readonly channels = new Map<string, Set<Subscription>>()
  private client: Promise<pg.Client> | undefined
  private closed = false

  constructor(
    private readonly engine: Engine,
    private readonly logger: DatabaseLogger,
    /** `application_name` of the connection. */
    private readonly name: string,
    private readonly listenOnShared: ((statement: string) => Promise<unknown>) | undefined,
  ) {}

  async listen(channel: string, handler: (payload: string) => void, options: ListenOptions = {}): Promise<() => Promise<void>> {
    const subscription = { handler, ...options }
    const known = this.channels.get(channel)
    if (known) known.add(subscription)
    else this.channels.set(channel, new Set([subscription]))
    // Also for a known channel: it may be on its way still, and LISTEN twice does no harm.
    await this.say(`listen ${pg.escapeIdentifier(channel)}`)
    return async () => {
      const subscriptions = this.channels.get(channel)
      if (!subscriptions?.delete(subscription) || subscriptions.size > 0) return
      this.channels.delete(channel)
      if (!this.closed) await this.say(`unlisten ${pg.escapeIdentifier(channel)}`)
    }
  }

  receive({ channel, payload = '' }: pg.Notification): void {
    for (const { handler } of [...(this.channels.get(channel) ?? [])]) {
      try {
        handler(payload)
      } catch (error) {
        this.logger.error({ channel, error: error instanceof Error ? error.message : String(error) }, 'a listener failed')
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true
    const client = await this.client?.catch(() => undefined)
    this.client = undefined
    await client?.end().catch(() => undefined)
  }

  private async say(statement: string): Promise<void> {
    if (this.listenOnShared) await this.listenOnShared(statement)
    else await (await this.connected()).query(statement)
  }

  private connected(): Promise<pg.Client> {
    if (this.client) return this.client
    const connecting = this.connect()
    this.client = connecting
    connecting.catch(() => {
      if (this.client === connecting) this.client = undefined
    })
    return connecting
  }

  private async connect(): Promise<pg.Client> {
    await this.engine.ready()
    const client = new pg.Client({ ...this.engine.connection, keepAlive: true, application_name: this.name })
    client.on('notification', (notification) => this.receive(notification))
    client.on('error', (error) => this.logger.warn({ error: error.message }, 'the listening connection broke'))
    await client.connect()
    client.on('end', () => {
      if (this.closed) return
      this.client = undefined
      void this.renew(RETRY_AFTER)
    })
    return client
  }

  private async renew(wait: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, wait).unref())
    if (this.closed) return
    try {
      const client = await this.connected()
      for (const channel of this.channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      for (const subscriptions of this.channels.values()) for (const { onGap } of subscriptions) onGap?.()
    } catch (error) {
      this.logger.warn({ error: error instanceof Error ? error.message : String(error) }, 'cannot listen yet')
      void this.renew(Math.min(wait * 2, RETRY_AT_MOST))
    }
  }
}
