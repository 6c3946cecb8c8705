import { EventSourceParserStream } from 'eventsource-parser/stream'
import { expect } from 'vitest'
import { SENDING_LINE } from '../../../../../gateway/modules/mail/send/outgoing'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../../support/gateway'

export const BASE = '/v2/emailbox'
const KEYS = ['message:email:bind']
const MENUS = ['message:email', 'message:email:adb', 'message:email:logs']

export interface Listed {
  list: Record<string, unknown>[]
  total: number
}

/** A gateway with people who have mail, and what they do. */
export class MailOffice {
  private constructor(
    readonly gateway: TestGateway,
    readonly people: ReadonlyMap<string, Caller>,
  ) {}

  static async open(environment: NodeJS.ProcessEnv = {}, names: readonly string[] = ['wang', 'li', 'chen']): Promise<MailOffice> {
    const gateway = await startGateway({ environment })
    const people = new Map<string, Caller>()
    for (const [index, name] of names.entries()) {
      const keys =
        name === 'li'
          ? [...KEYS, 'mail:template:share', 'mail:list:company', 'setModule:email:account', 'setModule:email:inbox']
          : KEYS
      await gateway.addStaff({ id: name, jobNumber: `M000${index}`, name, keys, menus: MENUS })
      people.set(name, await gateway.signIn(`M000${index}`))
    }
    return new MailOffice(gateway, people)
  }

  who(name: string): Caller {
    return this.people.get(name)!
  }

  post<T>(name: string, path: string, body: unknown = {}): Promise<Answer<T>> {
    return this.who(name).post<T>(`${BASE}/${path}`, body, { 'accept-language': 'en' })
  }

  get<T>(name: string, path: string): Promise<Answer<T>> {
    return this.who(name).get<T>(`${BASE}/${path}`, { 'accept-language': 'en' })
  }

  /** A call that has to go well. */
  async done<T>(name: string, path: string, body: unknown = {}): Promise<T> {
    const { code, msg, data } = await this.post<T>(name, path, body)
    expect([path, code, msg]).toEqual([path, 0, 'OK'])
    return data
  }

  /** Binds a mailbox; answers its id. */
  async bind(name: string, values: Record<string, unknown>): Promise<string> {
    const { code, msg, data } = await this.who(name).post<{ id: string }>('/v2/mail/account/save', {
      displayName: name,
      kind: 'personal',
      transport: 'local',
      ...values,
    })
    expect([code, msg]).toEqual([0, 'OK'])
    return data.id
  }

  /** Time goes on, and what is due is sent. */
  async later(seconds = 11, lines: readonly string[] = [SENDING_LINE]): Promise<void> {
    this.gateway.clock.forward(seconds)
    await this.gateway.gateway.queue.hurry(lines)
  }

  async send(
    name: string,
    accountId: string,
    to: readonly string[],
    more: Record<string, unknown> = {},
  ): Promise<{ outgoingId: string; undoUntil: string }> {
    return this.done(name, 'email/send', {
      accountId,
      to: to.map((email) => ({ email })),
      subject: 'Rates',
      content: '<p>Hi</p>',
      ...more,
    })
  }

  /** The newest of a list. */
  async newest(
    name: string,
    box: 'receive' | 'junk' | 'send',
    filter: Record<string, unknown> = {},
  ): Promise<Record<string, unknown> & { id: string }> {
    const { list } = await this.done<Listed>(name, `${box}/query`, { page: 1, size: 20, ...filter })
    return list[0] as Record<string, unknown> & { id: string }
  }

  async close(): Promise<void> {
    await this.gateway.close()
  }
}

/** An open browser tab of somebody: what it is told. */
export async function tabOf(office: MailOffice, name: string): Promise<{ events: Record<string, unknown>[]; close: () => void }> {
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${office.who(name).token}`, 'accept-language': 'en' }
  const response = await fetch(`${office.gateway.base}/v2/sys/mc/sse/connection`, { headers, signal: abort.signal })
  const events: Record<string, unknown>[] = []
  const reader = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  const follow = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      events.push(JSON.parse(value.data) as Record<string, unknown>)
    }
  }
  follow().catch(() => undefined)
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return { events, close: () => abort.abort() }
}
