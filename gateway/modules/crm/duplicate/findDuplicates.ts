import type { Executor } from '../../../platform/database'
import type { CrmRules } from '../rules/ruleSets'
import { bigramsOf, looksLike, similarity } from './nameKey'

/** What is compared: the identity of a company that is about to be saved. */
export interface Identity {
  id: string | null
  nameKey: string
  nameCore: string
  countryCode: string
  regNo: string | null
  taxNo: string | null
  domains: readonly string[]
  /** Of its people: mail addresses in small letters, telephone numbers in E.164. */
  emails?: readonly string[]
  phones?: readonly string[]
}
export type DuplicateRule = 'regNo' | 'nameKey' | 'email' | 'domain' | 'phone' | 'nameCore' | 'similar'
export interface DuplicateHit {
  id: string
  code: string
  name: string
  countryCode: string
  rule: DuplicateRule
  /** 60 to 100: how sure it is. */
  score: number
  decision: 'block' | 'warn'
  holding: string
  /** The owner is told as a department only. */
  ownerDeptId: string | null
}

export interface Candidate {
  id: string
  code: string
  name: string
  countryCode: string
  nameKey: string
  nameCore: string
  regNo: string | null
  taxNo: string | null
  domains: string[] | null
  holding: string
  ownerDeptId: string | null
}
/** Columns of a candidate, and the rows that count. */
export const COLUMNS = `id, code, name, country_code as "countryCode", name_key as "nameKey", name_core as "nameCore", reg_no as "regNo", tax_no as "taxNo", domains, holding, owner_dept_id as "ownerDeptId"`
export const LIVE = `deleted_at is null and not coalesce(voided, false)`

/** Customers that may be the same company, the surest first (CRM rule 9.1). */
export async function findDuplicates(
  db: Executor,
  identity: Identity,
  rules: CrmRules['crm.duplicate'],
  sharedDomains: ReadonlySet<string>,
): Promise<DuplicateHit[]> {
  const domains = identity.domains.filter((domain) => !sharedDomains.has(domain))
  const { rows: equal } = await db.query<Candidate>(
    `select ${COLUMNS} from crm_customer where ${LIVE} and id is distinct from $1 and (
       (reg_no is not null and reg_no = $2) or (tax_no is not null and tax_no = $3) or (name_key <> '' and name_key = $4)
       or (name_core <> '' and name_core = $5) or domains ?| $6::text[]) limit 50`,
    [identity.id, identity.regNo, identity.taxNo, identity.nameKey, identity.nameCore, domains],
  )
  const candidates = [...equal, ...(await withSharedPairs(db, identity))]
  return hitsAmong(identity, candidates, domains, rules, await samePeople(db, identity))
}

/** Customers with the most pairs of letters in common. */
export async function withSharedPairs(db: Executor, { id, nameKey }: Identity): Promise<Candidate[]> {
  const pairs = bigramsOf(nameKey)
  if (pairs.length < 2) return []
  const { rows } = await db.query<Candidate>(
    `select ${COLUMNS} from crm_customer where ${LIVE} and id is distinct from $1 and name_bigrams ?| $2::text[]
     order by (select count(*) from jsonb_array_elements_text(name_bigrams) pair where pair = any($2::text[])) desc limit 50`,
    [id, pairs],
  )
  return rows
}

/** The candidates that may be the same company, each by its surest rule, the surest first; `people`: found by their people. */
export function hitsAmong(
  identity: Identity,
  candidates: Iterable<Candidate>,
  domains: readonly string[],
  rules: CrmRules['crm.duplicate'],
  people: readonly DuplicateHit[] = [],
): DuplicateHit[] {
  const hits = new Map<string, DuplicateHit>()
  for (const candidate of candidates) {
    const found = compareIdentities(identity, candidate, domains, rules)
    const known = hits.get(candidate.id)
    if (found && (!known || found.score > known.score)) hits.set(candidate.id, found)
  }
  for (const found of people) {
    const known = hits.get(found.id)
    const surer = !known || (known.decision === 'warn' && found.decision === 'block') || found.score > known.score
    if (surer && !(known?.decision === 'block' && found.decision === 'warn')) hits.set(found.id, found)
  }
  return [...hits.values()]
    .sort((a, b) => Number(b.decision === 'block') - Number(a.decision === 'block') || b.score - a.score)
    .slice(0, 10)
}

/** Other companies where the same mail address (block) or telephone number (warn) stands with a person. */
async function samePeople(db: Executor, { id, emails = [], phones = [] }: Identity): Promise<DuplicateHit[]> {
  if (emails.length === 0 && phones.length === 0) return []
  const { rows } = await db.query<Candidate & { byMail: boolean }>(
    `select ${COLUMNS}, found.mail as "byMail" from crm_customer join (
       select customer_id, bool_or(email = any($2::text[])) as mail from crm_contact
       where deleted_at is null and (email = any($2::text[]) or mobile = any($3::text[]) or phone = any($3::text[])) group by 1 limit 50
     ) found on found.customer_id = crm_customer.id where ${LIVE} and id is distinct from $1`,
    [id, emails, phones],
  )
  return rows.map(({ id: found, code, name, countryCode, holding, ownerDeptId, byMail }) => ({
    id: found,
    code,
    name,
    countryCode,
    holding,
    ownerDeptId,
    ...(byMail
      ? ({ rule: 'email', score: 95, decision: 'block' } as const)
      : ({ rule: 'phone', score: 80, decision: 'warn' } as const)),
  }))
}

/** What two companies have in common, by the surest rule; null = nothing. */
export function compareIdentities(
  identity: Identity,
  candidate: Candidate,
  domains: readonly string[],
  rules: CrmRules['crm.duplicate'],
): DuplicateHit | null {
  const hit = (rule: DuplicateRule, score: number, decision: 'block' | 'warn'): DuplicateHit => {
    const { id, code, name, countryCode, holding, ownerDeptId } = candidate
    return { id, code, name, countryCode, rule, score, decision, holding, ownerDeptId }
  }
  const sameCountry = identity.countryCode === candidate.countryCode
  const sameGroup =
    sameCountry ||
    rules.countryGroups.some(
      ({ countries }) => countries.includes(identity.countryCode) && countries.includes(candidate.countryCode),
    )
  if ((identity.regNo && identity.regNo === candidate.regNo) || (identity.taxNo && identity.taxNo === candidate.taxNo))
    return hit('regNo', 100, 'block')
  if (identity.nameKey && identity.nameKey === candidate.nameKey)
    return sameCountry ? hit('nameKey', 100, 'block') : hit('nameKey', 90, 'warn')
  if (domains.some((domain) => candidate.domains?.includes(domain))) return hit('domain', 90, rules.domainDecision)
  if (!sameGroup) return null
  if (identity.nameCore && identity.nameCore === candidate.nameCore) return hit('nameCore', 70, 'warn')
  return similarity(looksLike(identity.nameKey), looksLike(candidate.nameKey)) >= rules.minSimilarity
    ? hit('similar', 60, 'warn')
    : null
}
