import { looksLike, similarity } from './names'

/** What is compared: the identity of a company or person that is about to be saved. */
export interface Identity {
  id: string | null
  nameKey: string
  nameCore: string
  countryCode: string
  /** Registration numbers, tax numbers ..., each kind at its place. */
  numbers: readonly (string | null)[]
  domains: readonly string[]
  /** Of its people: mail addresses in small letters, telephone numbers in E.164. */
  emails?: readonly string[]
  phones?: readonly string[]
}

/** A stored record that is compared with it. */
export interface Candidate {
  id: string
  code?: string | null
  name: string
  countryCode: string
  nameKey: string
  nameCore: string
  numbers: readonly (string | null)[]
  domains: readonly string[] | null
  /** What else is told of it. */
  facts: Readonly<Record<string, unknown>>
}

export type DuplicateRule = 'regNo' | 'nameKey' | 'email' | 'domain' | 'phone' | 'nameCore' | 'similar'
export interface DuplicateHit extends Pick<Candidate, 'id' | 'code' | 'name' | 'countryCode' | 'facts'> {
  rule: DuplicateRule
  /** 60 to 100: how sure it is. */
  score: number
  decision: 'block' | 'warn'
}

/** Parameters of a check, as a rule set keeps them. */
export interface DuplicateRules {
  /** What follows from a shared domain. */
  domainDecision: 'block' | 'warn'
  /** From which similarity on (0 to 1) two names may be the same. */
  minSimilarity: number
  /** Countries in which the same company may stand under any of them. */
  countryGroups: readonly { countries: readonly string[] }[]
}
export const DUPLICATE_DEFAULTS: DuplicateRules = { domainDecision: 'block', minSimilarity: 0.85, countryGroups: [] }

/** A candidate that was found. */
export const hitOf = (
  { id, code, name, countryCode, facts }: Candidate,
  rule: DuplicateRule,
  score: number,
  decision: 'block' | 'warn',
): DuplicateHit => ({ id, code, name, countryCode, rule, score, decision, facts })

/** What two companies have in common, by the surest rule; null = nothing. */
export function compareIdentities(
  identity: Identity,
  candidate: Candidate,
  domains: readonly string[],
  rules: DuplicateRules,
): DuplicateHit | null {
  const hit = (rule: DuplicateRule, score: number, decision: 'block' | 'warn') => hitOf(candidate, rule, score, decision)
  const sameCountry = identity.countryCode === candidate.countryCode
  const sameGroup =
    sameCountry ||
    rules.countryGroups.some(
      ({ countries }) => countries.includes(identity.countryCode) && countries.includes(candidate.countryCode),
    )
  if (identity.numbers.some((number, index) => number && number === candidate.numbers[index])) return hit('regNo', 100, 'block')
  if (identity.nameKey && identity.nameKey === candidate.nameKey)
    return sameCountry ? hit('nameKey', 100, 'block') : hit('nameKey', 90, 'warn')
  if (domains.some((domain) => candidate.domains?.includes(domain))) return hit('domain', 90, rules.domainDecision)
  if (!sameGroup) return null
  if (identity.nameCore && identity.nameCore === candidate.nameCore) return hit('nameCore', 70, 'warn')
  return similarity(looksLike(identity.nameKey), looksLike(candidate.nameKey)) >= rules.minSimilarity
    ? hit('similar', 60, 'warn')
    : null
}

/** The candidates that may be the same, each by its surest rule, the surest first; `people`: found by their people. */
export function hitsAmong(
  identity: Identity,
  candidates: Iterable<Candidate>,
  domains: readonly string[],
  rules: DuplicateRules,
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
