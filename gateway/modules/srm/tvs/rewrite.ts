import { RE2JS } from 're2js'
import { translatePattern } from '../../../../src/schema/pattern/translate'
import { isGsm, segmentsOf } from '../../../../src/schema/sms/segments'
import { toGsm } from '../../../../src/schema/sms/gsm'
import { broken, PROTECTED, type Protected } from './guard'

/** A rule as it applies to messages (srm.tvsRewriteRule). */
export interface RewriteRule {
  id: string
  name: string
  /** The smallest goes first. */
  priority: number
  enabled: boolean
  countryCode?: string | null
  operator?: string | null
  accountId?: string | null
  level?: string | null
  senderPattern?: string | null
  matchKind: string
  pattern: string
  action: string
  replacement?: string | null
  protect?: readonly Protected[]
  /** ISO 8601 instants. */
  effectiveFrom?: string | null
  effectiveTo?: string | null
}

/** A message on its way to a terminal. */
export interface Message {
  text: string
  countryCode?: string | null
  operator?: string | null
  accountId?: string | null
  level?: string | null
  sender?: string | null
}

/** Why a rule fired or did not (dictionary `rewriteOutcome`). */
export type Outcome = 'fired' | 'guard' | 'off' | 'period' | 'scope' | 'sender' | 'noMatch' | 'noChange'

export interface Rewritten {
  text: string
  segmentsBefore: number
  segmentsAfter: number
  /** Dictionary `rewriteResult`. */
  result: 'changed' | 'unchanged' | 'guardRefused'
  /** What would have been changed that may not. */
  broken: readonly Protected[]
  steps: readonly { ruleId: string; outcome: Outcome }[]
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
const PLACE = /\{([a-z][a-z0-9]{0,19})\}/giu

/** The pattern of a rule in the notation of JavaScript, as it is matched: without backtracking, so that no text can hold it up. */
function sourceOf(matchKind: string, pattern: string): string {
  if (matchKind === 'regex') return pattern
  if (matchKind === 'contains') return escaped(pattern)
  const parts = pattern.split(PLACE)
  return parts.map((part, index) => (index % 2 === 1 ? '(.+?)' : escaped(part))).join('')
}

/** Why a pattern cannot be used, or null: too costly, look-around, back references, not well formed. */
export function patternFault(matchKind: string, pattern: string): string | null {
  const translation = translatePattern(sourceOf(matchKind, pattern), { captures: true })
  if ('fault' in translation) return translation.fault
  try {
    compiled(matchKind, pattern)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A template fills its text: a place at its end takes the rest of the line. */
function compiled(matchKind: string, pattern: string): RE2JS {
  const translation = translatePattern(sourceOf(matchKind, pattern), { captures: true })
  if ('fault' in translation) throw new Error(translation.fault)
  return RE2JS.compile(matchKind === 'template' ? `\\A${translation.source}\\z` : translation.source)
}

/** The replacement of a rule for one match: `$1` of a regular expression, `{name}` of a template; of a plain text as it stands. */
function replacing(rule: RewriteRule): (group: (place: number) => string) => string {
  const replacement = rule.replacement ?? ''
  if (rule.matchKind === 'contains') return () => replacement
  if (rule.matchKind === 'regex') return (group) => replacement.replace(/\$(\d)/gu, (_, place: string) => group(Number(place)))
  const places = [...rule.pattern.matchAll(PLACE)].map((match) => match[1])
  return (group) =>
    replacement.replace(PLACE, (whole, name: string) => (places.includes(name) ? group(places.indexOf(name) + 1) : whole))
}

/** Every match replaced, in one pass. */
function replaced(rule: RewriteRule, pattern: RE2JS, text: string): string {
  const matcher = pattern.matcher(text)
  const write = replacing(rule)
  const parts: string[] = []
  let rest = 0
  while (matcher.find()) {
    parts.push(
      text.slice(rest, matcher.start()),
      write((place) => (place <= matcher.groupCount() ? (matcher.group(place) ?? '') : '')),
    )
    rest = matcher.end()
  }
  return parts.join('') + text.slice(rest)
}

const HOST = /((?:https?:\/\/|www\.))([^\s/?#]+)/giu

/** Saved texts have no space at their ends: what is added stands apart from the words, but for a Chinese signature. */
const apart = (addition: string): string => (/^[\s【]/u.test(addition) ? addition : ` ${addition}`)

/** What a rule makes of a text that it matches. */
function changed(rule: RewriteRule, pattern: RE2JS, text: string): string {
  const addition = rule.replacement ?? ''
  switch (rule.action) {
    case 'transliterate':
      return isGsm(text) ? text : toGsm(text)
    case 'addSignature':
    case 'addOptOut':
      return text.includes(addition.trim()) ? text : text + apart(addition)
    case 'replaceDomain':
      return text.replace(HOST, (link: string, scheme: string, host: string) => (pattern.test(host) ? scheme + addition : link))
    default:
      return replaced(rule, pattern, text)
  }
}

const elsewhere = (wanted: string | null | undefined, given: string | null | undefined): boolean =>
  Boolean(wanted) && wanted !== given

/** Why a rule leaves a message alone before its text is looked at. */
function outOfReach(rule: RewriteRule, message: Message, at: string): Outcome | null {
  if (!rule.enabled) return 'off'
  if ((rule.effectiveFrom && at < rule.effectiveFrom) || (rule.effectiveTo && at >= rule.effectiveTo)) return 'period'
  if (elsewhere(rule.countryCode, message.countryCode) || elsewhere(rule.operator, message.operator)) return 'scope'
  if (elsewhere(rule.accountId, message.accountId) || elsewhere(rule.level, message.level)) return 'scope'
  if (rule.senderPattern && !compiled('regex', rule.senderPattern).test(message.sender ?? '')) return 'sender'
  return null
}

/**
 * Applies rules in the order of their priority, each at most once (customers-suppliers 5). A text that would lose or gain a group of
 * digits, an amount, a telephone number or the path of a link goes out as it was.
 * @param at the moment of the message, ISO 8601 in UTC
 */
export function rewrite(rules: readonly RewriteRule[], message: Message, at: string): Rewritten {
  const steps: { ruleId: string; outcome: Outcome }[] = []
  const protect = new Set<Protected>()
  let text = message.text
  for (const rule of [...rules].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))) {
    const outcome = outOfReach(rule, message, at)
    if (outcome) {
      steps.push({ ruleId: rule.id, outcome })
      continue
    }
    const pattern = compiled(rule.matchKind, rule.pattern)
    const matched = rule.action === 'replaceDomain' || pattern.test(text)
    const after = matched ? changed(rule, pattern, text) : text
    steps.push({ ruleId: rule.id, outcome: !matched ? 'noMatch' : after === text ? 'noChange' : 'fired' })
    if (after === text) continue
    for (const kind of rule.protect ?? PROTECTED) protect.add(kind)
    text = after
  }
  const lost = broken(message.text, text, [...protect])
  const refused = lost.length > 0
  const [before, after] = [message.text, refused ? message.text : text]
  return {
    text: after,
    segmentsBefore: segmentsOf(before).segments,
    segmentsAfter: segmentsOf(after).segments,
    result: refused ? 'guardRefused' : after === before ? 'unchanged' : 'changed',
    broken: lost,
    steps: refused ? steps.map((step) => (step.outcome === 'fired' ? { ...step, outcome: 'guard' } : step)) : steps,
  }
}
