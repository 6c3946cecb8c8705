import { Exact, exactText } from '../../../../src/schema/formats'
import { dayOf } from '../../../platform/calendar'
import type { Chance, DemoRecord, DemoWorld } from '../../../demo'

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** What the rows of operations are made with. */
export interface OpsChapter {
  world: DemoWorld
  chance: Chance
  /** Who runs the tests. */
  operator: string
  /** A moment so long before now. */
  ago(milliseconds: number): string
  put(entity: string, row: Omit<DemoRecord, 'createdBy'>): DemoRecord
  /** The next number of a series that begins anew each month. */
  code(series: string, digits: number): string
}

export function openChapter(world: DemoWorld): OpsChapter {
  const role = world.roles.find(({ code }) => code === 'operations')
  const operator = world.members.find(({ roleId }) => roleId === role?.id)?.staffId ?? ''
  const counters = new Map<string, number>()
  const month = dayOf(world.now, world.timeZone).slice(2, 7).replace('-', '')
  return {
    world,
    operator,
    chance: world.random.fork('operations'),
    ago: (milliseconds) => new Date(world.now.getTime() - milliseconds).toISOString(),
    put(entity, row) {
      const made = { createdBy: operator, ...row } as DemoRecord
      const rows = (world.rows[entity] ??= [])
      rows.push(made)
      return made
    },
    code(series, digits) {
      const number = (counters.get(series) ?? 0) + 1
      counters.set(series, number)
      return `${series}${month}${String(number).padStart(digits, '0')}`
    },
  }
}

/** A share in per cent as it is stored; nothing of nothing. */
export const share = (part: number, whole: number): string | null =>
  whole > 0 ? exactText(new Exact(part * 100).dividedBy(whole).toDecimalPlaces(2)) : null

export const idOf = (rows: readonly DemoRecord[] | undefined, index: number): string | null =>
  rows && rows.length > 0 ? rows[index % rows.length]!.id : null

/** Customers with business, the same for every chapter. */
export const customersOf = ({ rows }: DemoWorld): readonly DemoRecord[] =>
  (rows['crm.customer'] ?? []).filter(({ stage, voided }) => voided !== true && stage === 'dealt').slice(0, 8)
