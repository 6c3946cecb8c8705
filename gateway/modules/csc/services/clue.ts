import { sql } from 'drizzle-orm'
import { getDomain } from 'tldts'
import { tableOf, type EntityRecord, type EntityService, type TransitionHook } from '../../../entities'
import { matchKeys } from '../../../duplicates'
import { qualityOf, respondBy, scoreOf } from '../rules/clue'
import { RULE_DEFAULTS } from '../../../rules'

const CUSTOMER = sql.raw(tableOf('crm.customer'))
const STAFF = sql.raw(tableOf('sys.staff'))

const FREE_MAIL = new Set<string>(RULE_DEFAULTS['crm.domain'].domains.map(({ domain }) => domain))

/** What code decides of clues: their score, and whom one is handed to. */
export function clueServices(timeZone: string): Record<string, EntityService> {
  return {
    'csc.clue': {
      beforeSave({ record }) {
        if (typeof record.email === 'string') record.email = record.email.trim().toLowerCase()
        record.nameKey = typeof record.company === 'string' && record.company !== '' ? matchKeys(record.company).nameKey : null
        const score = scoreOf({
          companyMail: isCompanyMail(record.email),
          phone: Boolean(record.phone),
          company: Boolean(record.company),
          volume: textOf(record.volume),
          countryCode: textOf(record.countryCode),
          source: textOf(record.source),
        })
        Object.assign(record, { score, quality: qualityOf(score) })
      },
    },
    'csc.clue.handOver': {
      async guard({ before, tx, context }) {
        const owner = await ownerOfSame({ tx }, before)
        if (owner === null)
          return {
            zh: '没有同名且有负责人的客户，无需转交。',
            en: 'No owned customer has this name: there is nobody to hand it to.',
          }
        return owner === context.user.staffId
          ? { zh: '同名客户就是您的，请直接跟进。', en: 'The customer of this name is yours: just follow it up.' }
          : null
      },
      effect: (hook) => handOver(hook, timeZone),
    },
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function isCompanyMail(email: unknown): boolean {
  const domain = typeof email === 'string' ? getDomain(email.split('@')[1] ?? '') : null
  return domain !== null && !FREE_MAIL.has(domain)
}

/** The clue is of a customer that somebody has: it becomes his, with a time to respond of its own. */
async function handOver(hook: TransitionHook, timeZone: string): Promise<void> {
  const { before, record, now } = hook
  Object.assign(record, {
    ownerId: await ownerOfSame(hook, before),
    assignedAt: now.toISOString(),
    respondBy: respondBy(now, qualityOf(Number(before.score ?? 0)), timeZone).toISOString(),
  })
}

/** Who has the customer of the same name in the same country. */
async function ownerOfSame({ tx }: Pick<TransitionHook, 'tx'>, clue: EntityRecord): Promise<string | null> {
  if (!clue.nameKey) return null
  const { rows } = await tx.query<{ ownerId: string }>(
    sql`select c.owner_id as "ownerId" from ${CUSTOMER} c join ${STAFF} s on s.id = c.owner_id and s.status <> 'left'
        where c.name_key = ${String(clue.nameKey)} and c.country_code = ${String(clue.countryCode)} and c.holding = 'private'
          and c.deleted_at is null and not coalesce(c.voided, false) limit 1`,
  )
  return rows[0]?.ownerId ?? null
}
