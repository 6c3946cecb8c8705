import { getDomain } from 'tldts'
import type { DeriveFunction, EntityService } from '../../../entities'
import { matchKeys } from '../../../duplicates'
import { RULE_DEFAULTS, ruleFor } from '../../../rules'
import { qualityOf, respondBy, scoreOf } from '../rules/clue'

const FREE_MAIL = new Set<string>(RULE_DEFAULTS['crm.domain'].domains.map(({ domain }) => domain))

/** What code decides of clues: their score, and by when whoever has one is to respond. */
export const clueService: EntityService<'csc.clue'> = {
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
}

/** The time to respond begins anew with each who gets a clue; the rules of the assignment say how long it is. */
export const deriveRespondBy: DeriveFunction = async ({ db, now, timeZone }, rows) => {
  const { slaHigh, slaMedium, slaLow } = await ruleFor(db, 'csc.assign', now)
  const minutes = { high: slaHigh, medium: slaMedium, low: slaLow }
  return rows.map(({ record: { assignedAt, score } }) => ({
    respondBy:
      typeof assignedAt === 'string'
        ? respondBy(new Date(assignedAt), qualityOf(Number(score ?? 0)), timeZone, minutes).toISOString()
        : null,
  }))
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function isCompanyMail(email: unknown): boolean {
  const domain = typeof email === 'string' ? getDomain(email.split('@')[1] ?? '') : null
  return domain !== null && !FREE_MAIL.has(domain)
}
