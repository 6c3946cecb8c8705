import { getDomain } from 'tldts'
import { newId, type Executor } from '../../../platform/database'
import { ServiceError, type RequestContext, type Text } from '../../../platform/http'
import type { Entities, EntityRecord, SaveHook } from '../../../entities'
import { findDuplicates, type DuplicateHit, type Identity } from '../duplicate/findDuplicates'
import { bigramsOf, matchKeys } from '../duplicate/nameKey'
import { customerPage } from './customerPage'
import type { CustomerReads } from './customerReads'
import { ruleFor, sharedDomains } from './rules'

const IDENTIFYING = ['name', 'countryCode', 'regNo', 'taxNo', 'website'] as const

/** Writes the duplicate check down outside the running transaction, which a refusal rolls back. */
export type WriteDown = (context: RequestContext, record: EntityRecord) => void

/** Derives the match keys of a customer that is about to be saved. */
export function deriveKeys(record: EntityRecord, contactDomains: readonly string[]): void {
  const name = String(record.name ?? '')
  const keys = matchKeys(name)
  const own = typeof record.website === 'string' ? getDomain(record.website) : null
  Object.assign(record, {
    nameKey: keys.nameKey,
    nameCore: keys.nameCore,
    nameBigrams: bigramsOf(keys.nameKey),
    regNo: plainNumber(record.regNo),
    taxNo: plainNumber(record.taxNo),
    domains: [...new Set([...(own ? [own.toLowerCase()] : []), ...contactDomains])],
  })
}

/** Registration and tax numbers are compared without blanks and dashes, in capitals. */
const plainNumber = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.replace(/[\s-]/g, '').toUpperCase() : null

/** Registrable domains of a customer's contacts. */
export async function contactDomains(entities: Entities, customerId: string): Promise<string[]> {
  const contacts = await entities.list('crm.contact', { where: [{ field: 'customerId', operator: 'eq', value: customerId }] })
  return mailDomains(contacts.map(({ email }) => email))
}

/** Registrable domains of mail addresses, each once. */
export function mailDomains(mails: readonly unknown[]): string[] {
  const domains = mails.flatMap((mail) => (typeof mail === 'string' ? [getDomain(mail.split('@')[1] ?? '')] : []))
  return [...new Set(domains.filter((domain) => domain !== null))]
}

/**
 * Refuses a customer that already exists (10030001, decision block) and asks for a reason where it may (decision warn).
 * The same name cannot be saved twice at once: an advisory lock on the name key holds until the transaction ends.
 */
export async function guardAgainstDuplicates(hook: SaveHook, reads: CustomerReads, writeDown: WriteDown): Promise<void> {
  const { record, before, now, context } = hook
  if (before && !IDENTIFYING.some((name) => record[name] !== before[name])) return
  await reads.lockName(String(record.nameKey))
  const rules = await ruleFor(reads.db, 'crm.duplicate', now, { staffId: context.user.staffId })
  const hits = await reads.duplicates(
    { ...identityOf(record), ...peopleIn(hook.inputs.contact), id: before ? String(before.id) : null },
    rules,
    new Set(await sharedDomains(reads.db, now)),
  )
  if (hits.length === 0) return
  const input = { name: record.name, countryCode: record.countryCode }
  await decide(hook, writeDown, { hits, input, reason: record.duplicateReason, appeal: !before && hook.origin === 'save' })
  record.duplicateOfId = hits[0]?.id ?? null
}

/** A person whose mail address stands with another customer is refused; a telephone number that does needs a reason. */
export async function guardContactAgainstDuplicates(hook: SaveHook, writeDown: WriteDown): Promise<void> {
  const { record, before, tx, now, context, inputs } = hook
  const changed = (name: string): unknown => (record[name] === before?.[name] ? null : record[name])
  const people = peopleIn({ email: changed('email'), mobile: changed('mobile'), phone: changed('phone') })
  if (people.emails.length === 0 && people.phones.length === 0) return
  for (const one of [...people.emails, ...people.phones].sort())
    await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`crm.contact ${one}`])
  const rules = await ruleFor(tx, 'crm.duplicate', now, { staffId: context.user.staffId })
  const nothing = { nameKey: '', nameCore: '', countryCode: '', regNo: null, taxNo: null, domains: [] }
  const hits = await findDuplicates(tx, { ...nothing, ...people, id: String(record.customerId) }, rules, new Set())
  if (hits.length === 0) return
  const input = { customerId: record.customerId, name: record.name }
  await decide(hook, writeDown, { hits, input, reason: inputs.duplicateReason, appeal: false })
}

/** Mail addresses and telephone numbers of a person. */
function peopleIn(contact: unknown): { emails: string[]; phones: string[] } {
  const { email, mobile, phone } = (contact ?? {}) as Record<string, unknown>
  const texts = (values: unknown[]): string[] => [
    ...new Set(values.filter((value) => typeof value === 'string' && value !== '') as string[]),
  ]
  return { emails: texts([email]).map((one) => one.toLowerCase()), phones: texts([mobile, phone]) }
}

/** Refuses what is blocked, and what is only alike without a reason; writes the check down either way. */
async function decide(
  { tx, now, context }: SaveHook,
  writeDown: WriteDown,
  { hits, input, reason: given, appeal }: { hits: DuplicateHit[]; input: EntityRecord; reason: unknown; appeal: boolean },
): Promise<void> {
  const blocked = hits.some((hit) => hit.decision === 'block')
  const reason = typeof given === 'string' ? given.trim() : ''
  const log = (decision: string): EntityRecord => ({
    id: newId(),
    checkedById: context.user.staffId || null,
    input,
    hits,
    decision,
    appealNote: reason || null,
    at: now.toISOString(),
  })
  if (blocked || reason === '') {
    writeDown(context, log(blocked ? 'blocked' : 'abandoned'))
    const own = await ownAmong(tx, hits, context.user.staffId)
    const mine = hits[0] !== undefined && own.has(hits[0].id)
    throw new ServiceError('duplicateRecord', {
      message: blocked ? BLOCKED(hits, mine, mine ? null : await departmentOf(tx, hits[0])) : WARNED(hits, mine),
      data: {
        decision: blocked ? 'block' : 'warn',
        hits: hits.map((hit) => ({ ...told(hit), ...(own.has(hit.id) ? { link: customerPage(hit.id) } : {}) })),
        ...(blocked && appeal ? { appeal: APPEAL_CALL } : {}),
      },
    })
  }
  tx.afterCommit(() => writeDown(context, log('warnedSaved')))
}

/** Where a blocked customer can be appealed. */
const APPEAL_CALL = '/v2/crm/customer/appeal'

/** What of a customer with derived keys is compared. */
export const identityOf = (record: EntityRecord): Identity => ({
  id: null,
  nameKey: String(record.nameKey ?? ''),
  nameCore: String(record.nameCore ?? ''),
  countryCode: String(record.countryCode ?? ''),
  regNo: (record.regNo as string | null) ?? null,
  taxNo: (record.taxNo as string | null) ?? null,
  domains: (record.domains as string[] | null) ?? [],
})

/** What the person may learn of a customer of somebody else: that it exists and which department has it. */
const told = ({ id, code, name, countryCode, rule, score, decision, holding, ownerDeptId }: DuplicateHit) => ({
  id,
  code,
  name,
  countryCode,
  rule,
  score,
  decision,
  holding,
  ownerDeptId,
})

const first = (hits: readonly DuplicateHit[]): string => `${hits[0]?.name ?? ''} (${hits[0]?.code ?? ''})`
const whose = (hit: DuplicateHit | undefined, mine: boolean, department: Text | null): Text =>
  mine
    ? { zh: '它就是您自己的客户，请直接打开。', en: 'It is your own: open it instead.' }
    : hit?.holding === 'sea'
      ? { zh: '它在公海，可以直接领取。', en: 'It is in the open sea: claim it instead.' }
      : {
          zh: `请联系其所属部门${department ? `：${department.zh}` : ''}。`,
          en: `Please ask the department that has it${department ? `: ${department.en}` : ''}.`,
        }
const BLOCKED = (hits: readonly DuplicateHit[], mine: boolean, department: Text | null): Text => {
  const { zh, en } = whose(hits[0], mine, department)
  return { zh: `客户已存在：${first(hits)}。${zh}`, en: `This customer exists already: ${first(hits)}. ${en}` }
}

/** Which of the customers belong to whoever is told of them: those he may open, and hears of as his own. */
async function ownAmong(db: Executor, hits: readonly DuplicateHit[], staffId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select id from crm_customer where id = any($1::text[]) and owner_id = $2 and holding = 'private'`,
    [hits.map(({ id }) => id), staffId],
  )
  return new Set(rows.map(({ id }) => id))
}

async function departmentOf(db: Executor, hit: DuplicateHit | undefined): Promise<Text | null> {
  if (!hit?.ownerDeptId) return null
  const { rows } = await db.query<Text>(`select name as zh, coalesce(name_en, name) as en from sys_department where id = $1`, [
    hit.ownerDeptId,
  ])
  return rows[0] ?? null
}
const WARNED = (hits: readonly DuplicateHit[], mine: boolean): Text => ({
  zh: `可能与${mine ? '您自己的客户' : ''} ${first(hits)} 重复。若确认不是同一客户，请写明原因后保存。`,
  en: `It may be a duplicate of ${mine ? 'your own customer ' : ''}${first(hits)}. If it is another customer, say why and save again.`,
})
