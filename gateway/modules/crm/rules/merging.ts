import { Decimal } from 'decimal.js'
import type { EntityRecord } from '../../../entities'

/** Stages from the first contact to the deal; a merged customer stands at the furthest that one of its records reached. */
const STAGES = ['potential', 'following', 'testing', 'quoted', 'churned', 'silent', 'dealt']
/** Lists whose entries of all records can be kept together. */
export const JOINABLE = ['tags', 'products', 'trafficCountries'] as const
/** Choice for a list: the entries of all records. */
export const ALL = 'all'

/** Facts that nobody chooses: what happened to one of the records happened to the customer. */
export function joinedFacts(target: EntityRecord, losers: readonly EntityRecord[]): EntityRecord {
  const all = [target, ...losers]
  return {
    stage: STAGES[Math.max(...all.map((record) => STAGES.indexOf(String(record.stage))))] ?? target.stage,
    firstDealAt: earliest(all, 'firstDealAt'),
    lastTrafficAt: latest(all, 'lastTrafficAt'),
    lastFollowAt: latest(all, 'lastFollowAt'),
    nextFollowAt: earliest(all, 'nextFollowAt'),
    followCount: all.reduce((sum, record) => sum + Number(record.followCount ?? 0), 0),
    revenue30: total(all, 'revenue30'),
    profit30: total(all, 'profit30'),
    alias: all.map((record) => record.alias).find((alias) => typeof alias === 'string' && alias !== '') ?? null,
  }
}

/** The values that were chosen field by field: the id of the record whose value holds, or `all` for a list. */
export function chosenValues(
  records: readonly EntityRecord[],
  choices: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(choices).map(([field, choice]) => [
      field,
      choice === ALL
        ? [...new Set(records.flatMap((record) => (Array.isArray(record[field]) ? (record[field] as unknown[]) : [])))]
        : (records.find((record) => record.id === choice)?.[field] ?? null),
    ]),
  )
}

const moments = (records: readonly EntityRecord[], field: string): string[] =>
  records.flatMap((record) => (typeof record[field] === 'string' ? [record[field]] : [])).sort()
const earliest = (records: readonly EntityRecord[], field: string): string | null => moments(records, field)[0] ?? null
const latest = (records: readonly EntityRecord[], field: string): string | null => moments(records, field).at(-1) ?? null

function total(records: readonly EntityRecord[], field: string): string | null {
  const amounts = records.flatMap((record) =>
    record[field] === null || record[field] === undefined ? [] : [String(record[field])],
  )
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed()
}
