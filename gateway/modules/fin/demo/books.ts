import type { Chance, DemoRecord, DemoWorld } from '../../../demo'
import type { EntityRecord } from '../../../entities'
import { addDays, type Day } from '../../../platform/calendar'
import { priced } from '../ledger/rules'
import type { LedgerWork } from '../ledger/settle'
import type { LedgerAccount, Leg } from '../ledger/types'
import { entityId } from './base'

/** What is gathered before it is written at once. */
export interface Books {
  world: DemoWorld
  random: Chance
  today: Day
  rates: ReadonlyMap<string, string>
  postings: Omit<Extract<LedgerWork, { posting: unknown }>['posting'], 'staffId'>[]
  rows: Record<string, EntityRecord[]>
  accounts: EntityRecord[]
  /** Accounts whose usage was imported line by line. */
  imported: Record<'prepaid' | 'postpaid', Set<string>>
  /** Accounts that are charged by records of this platform: what these come to is posted and billed when the world stands. */
  recorded: ReadonlySet<string>
}

/** A customer's account, as its row and as the ledger has it, and the company entity that keeps it. */
export interface Side {
  row: DemoRecord
  account: LedgerAccount
  entity: string
}

export interface Head {
  type: string
  day: Day
  entity: string
  source: [type: string, id: string, code?: string]
  /** Which of the postings of a document it is. */
  part?: string
}

export const instant = (day: Day): string => `${day}T10:00:00.000Z`

export function put(
  { postings, rates }: Books,
  { type, day, entity, source: [sourceType, sourceId, sourceCode], part }: Head,
  legs: readonly Leg[],
): string {
  const id = ['ps', sourceId, part].filter(Boolean).join('-')
  postings.push({
    ...{ id, type, bizDate: day, companyEntityId: entityId(entity), sourceType, sourceId, sourceCode: sourceCode ?? null },
    idemKey: [sourceType, sourceId, type, part].filter(Boolean).join(':'),
    legs: priced(legs, rates),
    at: instant(day),
  })
  return id
}

export const add = ({ rows }: Books, entity: string, row: EntityRecord): void => void (rows[entity] ??= []).push(row)

export const monthsBack = (day: Day, count: number): Day => {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - count
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
}

/** When bills of last month were issued: early in a month they are not out yet, and are dated with the day before today at the latest. */
export const issuedOn = (today: Day): Day => [addDays(monthsBack(today, 0), 3), addDays(today, -1)].sort()[0]!
