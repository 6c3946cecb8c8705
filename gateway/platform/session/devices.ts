import type { FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../database'
import type { Database } from '../database'
import { readCookie, setHiddenCookie } from '../http'
import type { OwnAddresses } from '../http'
import { after } from './sessions'
import type { Attempt } from './throttle'
import type { TokenSigner } from './tokens'

const COOKIE = 'switchboard_device'
const SECONDS = 180 * 86_400
/** People whom one browser remembers: more than a shared desk has. */
const MOST_PEOPLE = 8

interface Device {
  id: string
  people: readonly string[]
}

/** Browsers in which somebody has signed in: a signed cookie that opens nothing, but sets its owner apart from strangers. */
export class KnownDevices {
  constructor(
    private readonly database: Database,
    private readonly signer: TokenSigner,
    private readonly addresses: OwnAddresses,
    private readonly now: () => Date,
  ) {}

  /** What is known of somebody who is about to try the password of a name. */
  async attemptOf(request: FastifyRequest, name: string, staffId: string | null): Promise<Attempt> {
    const { ip } = request
    const device = await this.read(request)
    if (staffId !== null && device?.people.includes(staffId))
      return { person: staffId, ip, device: device.id, knownAddress: true }
    // Asked for a name of nobody too, so that time does not tell.
    const { rowCount } = await this.database.query(
      'select 1 from auth_sign_in where staff_id = $1 and ip = $2 and at > $3 limit 1',
      [staffId ?? '', ip, after(this.now(), -SECONDS)],
    )
    return { person: staffId ?? `?${name.trim().toLowerCase().slice(0, 64)}`, ip, device: null, knownAddress: rowCount > 0 }
  }

  /** Lets the browser remember the person who has just signed in. */
  async remember(request: FastifyRequest, reply: FastifyReply, staffId: string): Promise<void> {
    const known = await this.read(request)
    const people = [staffId, ...(known?.people ?? []).filter((each) => each !== staffId)].slice(0, MOST_PEOPLE)
    const value = await this.signer.sign('device', { sub: known?.id ?? newId(), people }, SECONDS)
    const secure = this.addresses.isSecure(request.host)
    setHiddenCookie(reply, COOKIE, value, { path: '/auth/identity', maxAge: SECONDS, secure })
  }

  private async read(request: FastifyRequest): Promise<Device | undefined> {
    const claims = await this.signer.verify('device', readCookie(request, COOKIE) ?? '')
    if (typeof claims === 'string') return undefined
    const { sub, people } = claims as { sub?: string; people?: unknown }
    return sub !== undefined && Array.isArray(people) ? { id: sub, people: people.map(String) } : undefined
  }
}
