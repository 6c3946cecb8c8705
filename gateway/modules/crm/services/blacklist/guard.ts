import { newId, type Executor } from '../../../../platform/database'
import { can, ServiceError, type RequestContext, type Text } from '../../../../platform/http'
import type { EntityRecord, SaveHook, RecordOf } from '../../../../entities'
import { notify } from '../../../../todos'
import { customerPage } from '../customerPage'
import { ruleFor } from '../../../../rules'
import { textOf, textsOf } from '../values'
import { findBlacklisted } from './manyMatches'
import { sharedDomains, type BlacklistIdentity, type BlacklistMatch } from './match'

/** Where an entry of the blacklist was met (dictionary blacklistPlace). */
export type BlacklistOccasion = 'create' | 'edit' | 'contact' | 'import' | 'convert' | 'buka'

/** What a refusal needs besides the entries. */
export interface HitDesk {
  /** Writes a hit down outside the running transaction, which a refusal rolls back. */
  write(context: RequestContext, hit: EntityRecord): void
  /** What a reason (dictionary blackReason) is called. */
  reason(code: string): Text
}

/** Finds the entries that an identity meets. */
export type FindBlacklisted = (
  identity: BlacklistIdentity,
  rules: { similarWarn: number; freeMailDomains: readonly string[] },
) => Promise<BlacklistMatch[]>

export interface BlacklistCheck {
  db: Executor
  context: RequestContext
  now: Date
  place: BlacklistOccasion
  /** Shown among the hits of the entry. */
  name: string
  identity: BlacklistIdentity
  hitDesk: HitDesk
  /** Finds the entries; by default each check asks the database. */
  find?: FindBlacklisted
}

/**
 * Refuses what is barred with 10030003 and its code; the reason only for who may see it. Every attempt is written down.
 * Answers a match that is only similar: it is told to the risk officers by its hit.
 */
export async function refuseBlacklisted(check: BlacklistCheck): Promise<BlacklistMatch | null> {
  const { db, context, now, place: occasion, name, identity, hitDesk } = check
  const find = check.find ?? ((...asked) => findBlacklisted(db, ...asked, now))
  const { similarWarn } = await ruleFor(db, 'crm.blacklistRule', now, { staffId: context.user.staffId })
  const freeMailDomains = await sharedDomains(db, now)
  const matches = await find(identity, { similarWarn, freeMailDomains })
  const exact = matches.find((match) => match.rule !== 'similar' && bars(match.scope, occasion))
  const found = exact ?? matches.find((match) => match.rule === 'similar')
  if (!found) return null
  hitDesk.write(context, {
    id: newId(),
    blacklistId: found.id,
    place: occasion,
    rule: found.rule,
    value: found.value.slice(0, 200),
    name: name.slice(0, 200),
    refused: exact !== undefined,
    byId: context.user.staffId || null,
    at: now.toISOString(),
  })
  if (!exact) return found
  const told = can(context, 'crm:blacklist:view')
  const reason = told ? hitDesk.reason(exact.reason) : null
  throw new ServiceError('blacklisted', {
    message: {
      zh: `命中黑名单（${exact.code}）${reason ? `，原因：${reason.zh}` : ''}，操作未执行。如有疑问请联系风控。`,
      en: `Blacklisted (${exact.code})${reason ? `, reason: ${reason.en}` : ''}; nothing was changed. Please ask the risk officers if in doubt.`,
    },
    data: { code: exact.code, rule: exact.rule, ...(told ? { reason: exact.reason, id: exact.id } : {}) },
  })
}

/** Without post-paid a customer may exist; without new business nothing new begins, and what runs goes on. */
const bars = (scope: string, occasion: BlacklistOccasion): boolean =>
  scope === 'all' || (scope === 'newBusiness' && occasion !== 'edit' && occasion !== 'contact')

/** Refuses a customer that is to come about without a form: by an accepted appeal, or by coming back. */
export async function refuseBarredCustomer(
  { tx, context, now }: Pick<SaveHook, 'tx' | 'context' | 'now'>,
  record: EntityRecord,
  hitDesk: HitDesk,
): Promise<void> {
  const identity = blacklistIdentityOf(record)
  await refuseBlacklisted({ db: tx, context, now, place: 'create', name: String(record.name), identity, hitDesk })
}

const IDENTIFYING = ['name', 'countryCode', 'regNo', 'taxNo', 'website'] as const

/**
 * The check around a save of a customer: new ones, and changes of what identifies them. One that is made of a clue is also looked
 * for by the clue's mail and phone. A similar name raises the risk level; answers the entry that it is similar to.
 */
export async function guardCustomer(
  hook: SaveHook,
  reads: { db: Executor; blacklisted: FindBlacklisted },
  hitDesk: HitDesk,
  clue?: RecordOf<'csc.clue'>,
): Promise<BlacklistMatch | null> {
  const { record, before, context, now, origin } = hook
  if (before && !IDENTIFYING.some((field) => record[field] !== before[field])) return null
  const similar = await refuseBlacklisted({
    db: reads.db,
    find: reads.blacklisted,
    context,
    now,
    place: before ? 'edit' : clue ? 'convert' : origin === 'import' ? 'import' : 'create',
    name: String(record.name),
    identity: { ...blacklistIdentityOf(record), emails: textsOf([clue?.email]), phones: textsOf([clue?.phone]) },
    hitDesk,
  })
  if (similar && record.riskLevel === 'low') record.riskLevel = 'medium'
  return similar
}

/** Whoever enters or imports a customer learns that its name resembles a barred one, of which the risk officers know by the hit. */
export async function tellSimilar({ tx, context, record, now, warn }: SaveHook, { code }: BlacklistMatch): Promise<void> {
  const id = String(record.id)
  warn({
    zh: `名称与黑名单 ${code} 相似，风控会核实。`,
    en: `The name resembles the blacklist entry ${code}; the risk officers check it.`,
  })
  await notify(
    tx,
    [
      {
        staffId: context.user.staffId,
        todo: false,
        type: '5',
        kind: 'notice',
        title: {
          zh: `“${String(record.name)}”与黑名单 ${code} 名称相似，风控会核实。`,
          en: `The name "${String(record.name)}" resembles the blacklist entry ${code}; the risk officers check it.`,
        },
        plain: {
          title: {
            zh: `名称与黑名单 ${code} 相似，风控会核实。`,
            en: `The name resembles the blacklist entry ${code}; the risk officers check it.`,
          },
        },
        subject: { entity: 'crm.customer', id },
        link: customerPage(id),
        key: `similarName/${id}/${code}/${context.user.staffId}`,
      },
    ],
    now,
  )
}

/** What a customer itself is known by. */
export const blacklistIdentityOf = (record: EntityRecord): BlacklistIdentity => ({
  nameKey: textOf(record.nameKey) ?? '',
  regNos: [record.regNo, record.taxNo].flatMap((one) => textOf(one) ?? []),
  domains: textsOf(record.domains),
})

/** The check around a contact: its mail, the mail's domain, its phones. */
export async function guardContact(hook: SaveHook, hitDesk: HitDesk): Promise<void> {
  const { record, before, tx, context, now } = hook
  if (before && !['email', 'phone', 'mobile'].some((field) => record[field] !== before[field])) return
  const email = textOf(record.email)
  await refuseBlacklisted({
    db: tx,
    context,
    now,
    place: hook.origin === 'import' ? 'import' : 'contact',
    name: String(record.name),
    identity: {
      emails: email ? [email] : [],
      domains: email?.includes('@') ? [email.slice(email.indexOf('@') + 1)] : [],
      phones: [record.phone, record.mobile].flatMap((one) => textOf(one) ?? []),
    },
    hitDesk,
  })
}
