import type { EntityService } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ruleFor, type RuleTestAnswer } from '../../../rules'
import { isBlackKind, normalised, refusing, type BlackEntry, type Registration } from '../rules/registerBlack'

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Brings a value into the form in which it is compared; refuses what is none, ranges that are too wide, and domains that everybody has. */
export const registerBlackService: EntityService<'csc.registerBlack'> = {
  async beforeSave({ record, given, before, tx, now, fail }) {
    if (before && !given.has('value') && !given.has('kind')) return
    const kind = text(record.kind)
    // what is none of the kinds is refused by the dictionary
    if (!isBlackKind(kind)) return
    const answer = normalised(kind, text(record.value))
    if ('refused' in answer) {
      const message =
        answer.refused === 'wide'
          ? { zh: 'IP 段太大：IPv4 不超过 /16，IPv6 不超过 /32', en: 'The range is too wide: at most /16 of IPv4, /32 of IPv6' }
          : { zh: '格式与所选类型不符', en: 'This is no value of the chosen kind' }
      fail({ field: 'value', rule: answer.refused, message })
      return
    }
    record.value = answer.value
    const { domains } = await ruleFor(tx, 'crm.domain', now)
    if (kind === 'domain' && domains.some(({ domain }) => domain === answer.value))
      fail({
        field: 'value',
        rule: 'whitelisted',
        message: {
          zh: `${answer.value} 在域名白名单中，不能拉黑`,
          en: `${answer.value} is on the domain whitelist and cannot be barred`,
        },
      })
  },
}

/** Tries a registration against the list: would it be refused, and by which rows. Nothing is counted. */
export async function testRegistration(
  db: Executor,
  input: Readonly<Record<string, unknown>>,
  label: (kind: string) => { zh: string; en: string },
): Promise<RuleTestAnswer> {
  const registration: Registration = {
    email: text(input.email),
    phone: text(input.phone),
    company: text(input.company),
    ip: text(input.ip),
    device: text(input.device),
  }
  const { rows } = await db.query<BlackEntry>(
    `select id, kind, value from csc_register_black where status = 'on' and deleted_at is null order by created_at, id`,
  )
  const found = refusing(registration, rows)
  return {
    verdict:
      found.length > 0
        ? { zh: '会被拒绝注册', en: 'The registration would be refused' }
        : { zh: '可以注册', en: 'The registration would be let through' },
    tone: found.length > 0 ? 'error' : 'success',
    lines: found.slice(0, 20).map(({ kind, value }) => ({ label: label(kind), value })),
  }
}
