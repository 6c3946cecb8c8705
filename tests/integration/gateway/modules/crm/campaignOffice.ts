import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'
import { CAMPAIGN_LINE, MAIL_LINE } from '../../../../../gateway/modules/crm/campaigns/parts'
import { systemContext } from '../../../../../gateway/platform/http'
import { newId } from '../../../../../gateway/platform/database'
import { readMail, type ReadMail } from '../../../../../gateway/platform/mail'
import { freePort } from '../../../../support/freePort'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../../support/gateway'

const MENUS = ['crm:sendList', 'crm:opportunities', 'crm:client-partner:my-client', 'message:email']
const KEYS = ['crm:campaign:add', 'crm:campaign:send', 'crm:customer:viewSensitive', 'message:email:bind']

/** A mail as the server of the tests took it. */
export interface Taken {
  at: Date
  from: string
  to: string
  raw: Buffer
}

export interface Campaign extends Record<string, unknown> {
  id: string
  status: string
  total: number
  sent: number
}

/** A gateway with two salespeople, their customers, and a server that takes what they send. */
export class CampaignOffice {
  readonly taken: Taken[] = []
  /** Addresses that the server does not take. */
  readonly unknown = new Set<string>()
  private constructor(
    readonly gateway: TestGateway,
    private readonly server: SMTPServer,
    private readonly people: ReadonlyMap<string, Caller>,
    /** The mailbox of `wang`, at the server. */
    readonly mailbox: string,
  ) {}

  /** With `isPublic` the operator has named the address under which people outside reach the portal. */
  static async open(isPublic = true): Promise<CampaignOffice> {
    const port = await freePort()
    const known = isPublic ? { PUBLIC_URL: `http://127.0.0.1:${port}` } : {}
    const gateway = await startGateway({ port, environment: { MAIL_PRIVATE_HOSTS: '127.0.0.1', ...known } })
    const people = new Map<string, Caller>()
    for (const [index, name] of ['wang', 'li'].entries()) {
      const scopes = Object.fromEntries(['crm.customer', 'crm.mailCampaign', 'crm.opportunity'].map((one) => [one, ['own']]))
      const jobNumber = `C000${index}`
      await gateway.addStaff({
        id: name,
        jobNumber,
        name,
        email: `${name}@switchboard.example`,
        keys: KEYS,
        menus: MENUS,
        scopes,
      })
      people.set(name, await gateway.signIn(jobNumber))
    }
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.server.address()
    const smtpPort = typeof address === 'object' && address !== null ? address.port : 0
    const mailbox = await bindAtServer(gateway, smtpPort)
    const office = new CampaignOffice(gateway, server, people, mailbox)
    office.take()
    return office
  }

  private take(): void {
    const { server, unknown, taken, gateway } = this
    Object.assign(server, {
      onRcptTo: ({ address }: { address: string }, _session: unknown, done: (error?: Error) => void) =>
        unknown.has(address) ? done(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 })) : done(),
    })
    server.onData = (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        taken.push({ at: gateway.clock.now(), from, to: rcptTo[0]!.address, raw: Buffer.concat(parts) })
        done()
      })
    }
  }

  who(name: string): Caller {
    return this.people.get(name)!
  }

  post<T>(name: string, path: string, body: unknown = {}): Promise<Answer<T>> {
    return this.who(name).post<T>(path, body, { 'accept-language': 'en' })
  }

  async done<T>(name: string, path: string, body: unknown = {}): Promise<T> {
    const { code, msg, data } = await this.post<T>(name, path, body)
    expect([path, code, msg]).toEqual([path, 0, 'OK'])
    return data
  }

  /** Customers with a contact each, of `owner`; answers the ids of the contacts. */
  async customers(owner: string, people: readonly Person[]): Promise<void> {
    const now = this.gateway.clock.now()
    const stamp = { createdAt: now.toISOString(), createdBy: owner, version: 1 }
    await this.gateway.gateway.engine.transaction(systemContext({ now }), async (entities) => {
      await entities.insertMany(
        'crm.customer',
        people.map(({ id, country = 'DE', level = 'c', company = `Company ${id}`, ...more }) => ({
          ...{ ...stamp, id: `cu-${id}`, code: `T${id}`, name: company, ownerId: owner, ownerDeptId: null, holding: 'private' },
          ...{ partyType: 'customer', countryCode: country, level, stage: 'following', platform: 'main', tradeType: 'direct' },
          ...{ blacklisted: more.blacklisted ?? false, products: ['sms'], language: null },
        })),
      )
      await entities.insertMany(
        'crm.contact',
        people.map(({ id, email = `${id}@client.example`, name = `Person ${id}`, role = 'business', ...more }) => ({
          ...{ ...stamp, id: `co-${id}`, customerId: `cu-${id}`, name, email, role, isPrimary: true },
          ...{ unsubscribedAt: more.unsubscribed ? now.toISOString() : null, bounceCount: more.bounces ?? 0 },
        })),
      )
    })
  }

  /** A saved draft. */
  async draft(name: string, values: Record<string, unknown> = {}): Promise<string> {
    const { id } = await this.done<{ id: string }>(name, '/v2/crm/mailCampaign/save', {
      ...{ name: 'Spring rates', senderId: this.mailbox, subject: 'Hello {{contact.name}}', perHour: 200 },
      ...{
        body: '<p>Dear {{contact.name}} of {{customer.name}}, <a href="https://switchboard.example/rates?a=1&amp;b=2">our rates</a></p>',
      },
      ...{ audienceKind: 'customers', audienceOwner: 'mine' },
      ...values,
    })
    return id
  }

  async move(name: string, id: string, transition: string): Promise<Answer<{ done: string[]; refused: { reason: string }[] }>> {
    return this.post(name, '/v2/crm/mailCampaign/stateUpdate', { ids: [id], transition })
  }

  async send(name: string, id: string): Promise<void> {
    const { code, msg } = await this.move(name, id, 'send')
    expect([code, msg]).toEqual([0, 'OK'])
  }

  /** Time goes on, and what is due is done. */
  async later(seconds = 1): Promise<void> {
    this.gateway.clock.forward(seconds)
    await this.gateway.gateway.queue.hurry([CAMPAIGN_LINE, MAIL_LINE])
  }

  async campaign(name: string, id: string): Promise<Campaign> {
    const { record } = await this.view<Campaign>(name, 'mailCampaign', id)
    return record
  }

  async view<T>(name: string, entity: string, id: string): Promise<{ record: T }> {
    const { code, msg, data } = await this.who(name).get<{ record: T }>(`/v2/crm/${entity}/view/${id}`)
    expect([code, msg]).toEqual([0, 'OK'])
    return data
  }

  async rows<T extends Record<string, unknown>>(name: string, entity: string, campaignId: string): Promise<T[]> {
    const where = [{ field: 'campaignId', operator: 'eq', value: campaignId }]
    return (await this.done<{ records: T[] }>(name, `/v2/crm/${entity}/queryPage`, { where, pageSize: 1_000 })).records
  }

  /** An opportunity that somebody finds at a customer. */
  async opportunity(owner: string, customerId: string): Promise<void> {
    const now = this.gateway.clock.now()
    await this.gateway.gateway.engine.transaction(systemContext({ now }), (entities) =>
      entities.insertMany('crm.opportunity', [
        {
          ...{ id: newId(), code: `BO-${customerId}`, name: customerId, customerId, ownerId: owner, product: 'sms', stage: 's1' },
          ...{ createdAt: now.toISOString(), createdBy: owner, version: 1 },
        },
      ]),
    )
  }

  /** What came to an address. */
  async mailTo(address: string): Promise<ReadMail & { raw: string; from: string }> {
    const found = this.taken.find(({ to }) => to === address)
    expect(found, `a mail to ${address}`).toBeDefined()
    return { ...(await readMail(found!.raw)), raw: found!.raw.toString('latin1'), from: found!.from }
  }

  /** A public address of the portal, asked of this gateway. */
  ask(address: string, init: RequestInit = {}): Promise<Response> {
    return fetch(address, { redirect: 'manual', ...init })
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }
}

export interface Person {
  id: string
  email?: string
  name?: string
  company?: string
  country?: string
  level?: string
  role?: string
  blacklisted?: boolean
  unsubscribed?: boolean
  bounces?: number
}

/** The mailbox of `wang` at a server that takes mail for address+key. */
async function bindAtServer(gateway: TestGateway, smtpPort: number): Promise<string> {
  const [id, now] = [newId(), gateway.clock.now()]
  const stamp = { createdAt: now.toISOString(), createdBy: 'wang', version: 1 }
  await gateway.gateway.engine.transaction(systemContext({ now }), async (entities) => {
    await entities.insertMany('mail.account', [
      {
        ...{ ...stamp, id, address: 'wang@sender.example', displayName: 'Wang', kind: 'personal', ownerId: 'wang' },
        ...{ transport: 'imapSmtp', smtpHost: '127.0.0.1', smtpPort, smtpSecurity: 'none', imapHost: '127.0.0.1', imapPort: 1 },
        ...{ imapSecurity: 'none', authKind: 'password', timeZone: 'Asia/Shanghai', state: 'active', dailyLimit: 6_000 },
        ...{ plusAddress: true, sentToday: 0, pushEnabled: false, failures: 0 },
      },
    ])
    await entities.insertMany('mail.accountStaff', [
      { ...stamp, id: newId(), accountId: id, staffId: 'wang', right: 'manage', isDefault: true },
    ])
  })
  return id
}
