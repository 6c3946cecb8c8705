import type { Database } from '../database'
import { ServiceError } from '../http'
import { after } from './sessions'

const WINDOW_SECONDS = 900
/** Failures after which a verification code is asked for. */
const VERIFICATION_AFTER = 3
/** Failures after which no further attempt is taken until the window ends. */
const LIMITS = { name: 10, ip: 50 } as const

/** Counts failed sign-ins by name and by address, over all instances and restarts. */
export class SignInThrottle {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** @throws ServiceError tooManyRequests (10010011) with the seconds to wait, for either subject. */
  async requireRoom(name: string, ip: string): Promise<{ verificationNeeded: boolean }> {
    const counts = await this.read(name, ip)
    for (const [subject, { count, windowEndsAt }] of counts) {
      const limit = subject.startsWith('name:') ? LIMITS.name : LIMITS.ip
      if (count < limit) continue
      const retryAfter = Math.max(1, Math.ceil((new Date(windowEndsAt).getTime() - this.now().getTime()) / 1000))
      throw new ServiceError('tooManyRequests', {
        message: {
          zh: `登录失败次数过多，请 ${Math.ceil(retryAfter / 60)} 分钟后再试。`,
          en: `Too many failed sign-ins. Please try again in ${Math.ceil(retryAfter / 60)} minutes.`,
        },
        data: { retryAfter },
      })
    }
    return { verificationNeeded: [...counts.values()].some(({ count }) => count >= VERIFICATION_AFTER) }
  }

  async failed(name: string, ip: string): Promise<void> {
    const now = this.now()
    await this.database.query(
      `insert into auth_failure (subject, count, window_ends_at) select subject, 1, $2 from unnest($1::text[]) as subject
       on conflict (subject) do update set
         count = case when auth_failure.window_ends_at <= $3 then 1 else auth_failure.count + 1 end,
         window_ends_at = case when auth_failure.window_ends_at <= $3 then excluded.window_ends_at else auth_failure.window_ends_at end`,
      [subjectsOf(name, ip), after(now, WINDOW_SECONDS), now.toISOString()],
    )
  }

  async succeeded(name: string): Promise<void> {
    await this.database.query('delete from auth_failure where subject = $1', [subjectsOf(name, '')[0]])
  }

  private async read(name: string, ip: string): Promise<Map<string, { count: number; windowEndsAt: string }>> {
    const { rows } = await this.database.query<{ subject: string; count: number; windowEndsAt: string }>(
      'select subject, count, window_ends_at as "windowEndsAt" from auth_failure where subject = any($1::text[]) and window_ends_at > $2',
      [subjectsOf(name, ip), this.now().toISOString()],
    )
    return new Map(rows.map((row) => [row.subject, row]))
  }
}

function subjectsOf(name: string, ip: string): string[] {
  return [`name:${name.trim().toLowerCase().slice(0, 64)}`, `ip:${ip}`]
}
