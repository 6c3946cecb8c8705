import type { Database, Executor } from '../database'
import { ServiceError } from '../http'
import { after } from './sessions'

/** Who tries a password. */
export interface Attempt {
  /** Whose password: an id, or the name as it was typed when it belongs to nobody; null = not told yet. */
  person: string | null
  ip: string
  /** A browser in which this very person signed in before. */
  device: string | null
  /** This person signed in from this address before. */
  knownAddress: boolean
}

/** Somebody who has not said yet who he is. */
export const nobodyAt = (ip: string): Attempt => ({ person: null, ip, device: null, knownAddress: false })

interface Bound {
  /** Attempts after which no further one is taken for a while. */
  attempts: number
  /** Seconds in which they are counted. */
  window: number
  /** With it each further attempt has to wait longer, at most so many seconds; without it until the window ends. */
  longestWait?: number
}

/**
 * Bounds by kind of subject. A person whose browser is known is held by his own mistakes only, one at a known address not by
 * those of strangers elsewhere; strangers as a whole are slowed down for a name, but never shut out.
 */
const BOUNDS = {
  device: { attempts: 10, window: 900 },
  place: { attempts: 10, window: 900 },
  change: { attempts: 10, window: 900 },
  name: { attempts: 30, window: 86_400, longestWait: 60 },
  ip: { attempts: 200, window: 900 },
} as const satisfies Record<string, Bound>
type Kind = keyof typeof BOUNDS

/** Failures after which a verification code is asked for. */
const VERIFICATION_AFTER: Readonly<Record<Kind, number>> = { device: 3, place: 3, name: 10, ip: 50, change: Infinity }
/** Passwords that one gateway looks at at the same time: so many of an office's good ones may stand in its count. */
const AT_ONCE = 8
/** Calls of sign-in that one address may make in a minute, each for itself. */
const CALLS = 3000

/**
 * Counts attempts at passwords by name, address and browser, over all gateways and restarts. An attempt is counted before the
 * password is looked at and taken back when it was right, so that parallel ones cannot slip through.
 */
export class SignInThrottle {
  private looking = 0
  private readonly waiting: (() => void)[] = []
  /** Subjects whose calls are refused without asking the database; milliseconds. */
  private readonly refusedUntil = new Map<string, number>()

  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** Looks at a password, when there is room for the attempt. @throws ServiceError tooManyRequests (10010011) with the seconds to wait */
  async attempt<Result extends { right: boolean }>(attempt: Attempt, look: () => Promise<Result>): Promise<Result> {
    return this.counted(subjectsOf(attempt), look)
  }

  /** The same for the old password of somebody who is signed in. */
  async attemptToChange<Result extends { right: boolean }>(staffId: string, look: () => Promise<Result>): Promise<Result> {
    return this.counted([`change:${staffId}`], look)
  }

  /** Whether a verification code is asked for before the next attempt. */
  async verificationNeeded(attempt: Attempt): Promise<boolean> {
    const { rows } = await this.database.query<{ subject: string; count: number }>(
      'select subject, count from auth_failure where subject = any($1::text[]) and window_ends_at > $2',
      [subjectsOf(attempt), this.now().toISOString()],
    )
    return rows.some(({ subject, count }) => count >= VERIFICATION_AFTER[kindOf(subject)])
  }

  /** Counts a call of an address. @throws ServiceError tooManyRequests (10010011) */
  async countCall(call: string, ip: string): Promise<void> {
    const subject = `calls:${call} ${networkOf(ip)}`
    const now = this.now().getTime()
    const refused = this.refusedUntil.get(subject)
    if (refused !== undefined && refused > now) throw tooMany((refused - now) / 1000)
    const held = await this.count(this.database, subject, { attempts: CALLS, window: 60 })
    if (!held) return
    if (this.refusedUntil.size >= 1000) this.refusedUntil.clear()
    this.refusedUntil.set(subject, held.getTime())
    throw tooMany((held.getTime() - now) / 1000)
  }

  private async counted<Result extends { right: boolean }>(
    subjects: readonly string[],
    look: () => Promise<Result>,
  ): Promise<Result> {
    await this.turn()
    try {
      await this.database.transaction(async (transaction) => {
        // In one order everywhere, so that two attempts never wait for one another; a refusal counts nothing.
        for (const subject of [...subjects].sort()) {
          const held = await this.count(transaction, subject, BOUNDS[kindOf(subject)])
          if (held) throw tooMany((held.getTime() - this.now().getTime()) / 1000)
        }
      })
      const result = await look()
      if (result.right) await this.takeBack(subjects)
      return result
    } finally {
      this.looking -= 1
      this.waiting.shift()?.()
    }
  }

  private async turn(): Promise<void> {
    while (this.looking >= AT_ONCE) await new Promise<void>((next) => this.waiting.push(next))
    this.looking += 1
  }

  /** Counts one in one statement; answers until when nothing more is taken when there is no room. */
  private async count(executor: Executor, subject: string, bound: Bound): Promise<Date | undefined> {
    const now = this.now()
    const { rowCount } = await executor.query(
      `insert into auth_failure as f (subject, count, window_ends_at) values ($1, 1, $3)
       on conflict (subject) do update set
         count = case when f.window_ends_at <= $2 then 1 else f.count + 1 end,
         window_ends_at = case when f.window_ends_at <= $2 then excluded.window_ends_at else f.window_ends_at end,
         held_until = case
           when f.window_ends_at <= $2 or f.count + 1 < $4::int then null
           when $5::int is null then f.window_ends_at
           else $2::timestamptz + least($5::int, 2 ^ least(f.count + 1 - $4::int, 20)) * interval '1 second' end
       where f.window_ends_at <= $2 or f.held_until is null or f.held_until <= $2`,
      [subject, now.toISOString(), after(now, bound.window), bound.attempts, bound.longestWait ?? null],
    )
    if (rowCount > 0) return undefined
    const { rows } = await executor.query<{ heldUntil: string | null }>(
      'select held_until as "heldUntil" from auth_failure where subject = $1',
      [subject],
    )
    return new Date(rows[0]?.heldUntil ?? after(now, 1))
  }

  /** A right password forgives the mistakes that were made here, and only itself where others are counted too. */
  private async takeBack(subjects: readonly string[]): Promise<void> {
    const own = subjects.filter((subject) => !SHARED.has(kindOf(subject)))
    await this.database.query('delete from auth_failure where subject = any($1::text[])', [own])
    for (const subject of subjects.filter((each) => SHARED.has(kindOf(each))))
      await this.database.query(
        `update auth_failure set count = greatest(count - 1, 0), held_until = case when count <= $2 then null else held_until end
         where subject = $1`,
        [subject, BOUNDS[kindOf(subject)].attempts],
      )
  }
}

const SHARED = new Set<Kind>(['name', 'ip'])

/** `kind:...` of everything that an attempt counts for. */
function subjectsOf({ person, ip, device, knownAddress }: Attempt): string[] {
  const network = networkOf(ip)
  if (person === null) return [`ip:${network}`]
  if (device !== null) return [`device:${person} ${device}`]
  const here = [`ip:${network}`, `place:${person} ${network}`]
  return knownAddress ? here : [...here, `name:${person}`]
}

const kindOf = (subject: string): Kind => subject.slice(0, subject.indexOf(':')) as Kind

/** An address as one network: of IPv6 one customer of a provider has a whole network (/64). */
function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const last = tail?.split(':').filter((group) => group !== '') ?? []
  const whole =
    tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0'), ...last]
  return `${whole
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

function tooMany(seconds: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(seconds))
  const minutes = Math.ceil(retryAfter / 60)
  const wait =
    retryAfter < 100
      ? { zh: `${retryAfter} 秒`, en: `${retryAfter} seconds` }
      : { zh: `${minutes} 分钟`, en: `${minutes} minutes` }
  return new ServiceError('tooManyRequests', {
    message: {
      zh: `登录尝试次数过多，请 ${wait.zh}后再试。`,
      en: `Too many attempts to sign in. Please try again in ${wait.en}.`,
    },
    data: { retryAfter },
  })
}
