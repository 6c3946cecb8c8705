/** How a clue finds its person (CSC rule 9.14): pure and exact, so that the settings can be tried on clues of the past. */

/** Dictionary `assignAlgo`. */
export type AssignMode = 'roundRobin' | 'weight' | 'leastLoad' | 'countryOwner'
/** Dictionary `assignOutcome`: what became of a candidate. */
export type AssignOutcome = 'chosen' | 'passed' | 'offDuty' | 'offHours' | 'dailyCap' | 'openCap' | 'returned' | 'notCovering'

export interface AssignMember {
  id: string
  staffId: string
  /** 1 to 10. */
  weight: number
  /** Counter of the smooth weights; it goes on where it stood. */
  current: number
  dailyCap: number
  openCap: number
}
export interface AssignRule {
  id: string
  /** Empty lists meet every clue. */
  countries: readonly string[]
  products: readonly string[]
  sources: readonly string[]
  quality: readonly string[]
  mode: AssignMode
  /** Member that got the last clue in turn. */
  pointer: string | null
  members: readonly AssignMember[]
}
/** What is known of a member of staff at this moment. */
export interface AssignPerson {
  onDuty: boolean
  countries: readonly string[]
  /** Clues that he got today, and those that he has in work. */
  today: number
  open: number
  /** 0 while his working hours run, else the milliseconds until they begin. */
  startsIn: number
}
export interface AssignClue {
  countryCode: string | null
  products: readonly string[]
  source: string | null
  quality: string | null
  /** Who gave it back or missed his time: skipped. */
  skip: string | null
}
export interface AssignCandidate {
  ruleId: string
  staffId: string
  outcome: AssignOutcome
}
export interface AssignDecision {
  staffId: string | null
  ruleId: string | null
  /** Everybody who was looked at, in that order, and what spoke against him. */
  candidates: readonly AssignCandidate[]
  /** The rule that decided, with its counters as they are afterwards. */
  rule: AssignRule | null
}

const meets = (wanted: readonly string[], has: readonly (string | null)[]): boolean =>
  wanted.length === 0 || has.some((one) => one !== null && wanted.includes(one))

/** Whether a rule is about a clue. */
export const matches = (rule: AssignRule, clue: AssignClue): boolean =>
  meets(rule.countries, [clue.countryCode]) &&
  meets(rule.products, clue.products) &&
  meets(rule.sources, [clue.source]) &&
  meets(rule.quality, [clue.quality])

/**
 * The first rule in order that matches and has somebody for it, and whom its mode picks. With `respectHours` those whose hours run;
 * when none of a rule does, those who begin next.
 */
export function decide(
  clue: AssignClue,
  rules: readonly AssignRule[],
  people: ReadonlyMap<string, AssignPerson>,
  { respectHours }: { respectHours: boolean },
): AssignDecision {
  const candidates: AssignCandidate[] = []
  for (const rule of rules) {
    if (!matches(rule, clue)) continue
    const free = rule.members.filter((member) => {
      const against = refusalOf(member, clue, rule, people.get(member.staffId))
      if (against) candidates.push({ ruleId: rule.id, staffId: member.staffId, outcome: against })
      return !against
    })
    const soonest = Math.min(...free.map(({ staffId }) => people.get(staffId)!.startsIn))
    const there = respectHours ? free.filter(({ staffId }) => people.get(staffId)!.startsIn === soonest) : free
    const { chosen, after } = pick(rule, there, people)
    for (const member of free)
      candidates.push({
        ruleId: rule.id,
        staffId: member.staffId,
        outcome: member === chosen ? 'chosen' : there.includes(member) ? 'passed' : 'offHours',
      })
    if (chosen) return { staffId: chosen.staffId, ruleId: rule.id, candidates, rule: after }
  }
  return { staffId: null, ruleId: null, candidates, rule: null }
}

function refusalOf(
  member: AssignMember,
  clue: AssignClue,
  { mode }: AssignRule,
  person: AssignPerson | undefined,
): AssignOutcome | null {
  if (!person?.onDuty) return 'offDuty'
  if (member.staffId === clue.skip) return 'returned'
  if (person.today >= member.dailyCap) return 'dailyCap'
  if (person.open >= member.openCap) return 'openCap'
  return mode === 'countryOwner' && !(clue.countryCode && person.countries.includes(clue.countryCode)) ? 'notCovering' : null
}

interface Picked {
  chosen: AssignMember | null
  after: AssignRule
}

/** Whom the mode of a rule picks among the members that are available, and its counters afterwards. */
export function pick(rule: AssignRule, available: readonly AssignMember[], people: ReadonlyMap<string, AssignPerson>): Picked {
  if (available.length === 0) return { chosen: null, after: rule }
  if (rule.mode === 'weight') return byWeight(rule, available)
  if (rule.mode === 'roundRobin') return inTurn(rule, available)
  const load = ({ staffId, openCap }: AssignMember): number => (people.get(staffId)?.open ?? 0) / Math.max(1, openCap)
  const chosen = available.reduce((least, one) => (load(one) < load(least) ? one : least))
  return { chosen, after: rule }
}

/** The next one behind the last, in the order of the members. */
function inTurn(rule: AssignRule, available: readonly AssignMember[]): Picked {
  const last = rule.members.findIndex(({ id }) => id === rule.pointer)
  const order = [...rule.members.slice(last + 1), ...rule.members.slice(0, last + 1)]
  const chosen = order.find((member) => available.includes(member))!
  return { chosen, after: { ...rule, pointer: chosen.id } }
}

/** Each available member gains its weight, the largest wins (the first of equals) and pays the sum; who is away stands still. */
function byWeight(rule: AssignRule, available: readonly AssignMember[]): Picked {
  const sum = available.reduce((total, { weight }) => total + weight, 0)
  const raised = new Map(available.map((member) => [member.id, member.current + member.weight]))
  const chosen = available.reduce((most, one) => (raised.get(one.id)! > raised.get(most.id)! ? one : most))
  const members = rule.members.map((member) => {
    const current = raised.get(member.id)
    return current === undefined ? member : { ...member, current: member === chosen ? current - sum : current }
  })
  return { chosen, after: { ...rule, members } }
}
