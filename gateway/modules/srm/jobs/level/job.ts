import type { Database } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import { MOST_ROWS, type JobReport } from '../../../../platform/jobs'
import { paramsOf, ruleBook, type RuleTypes } from '../../../../rules'
import type { ModuleJob } from '../../../module'
import { levelOf, termsPart, type LevelParts, type SupplierLevel } from '../../level'

interface Row extends Omit<LevelParts, 'terms'> {
  id: string
  code: string
  name: string
  level: SupplierLevel
  score: string | null
  payMode: string | null
  days: number | null
  traffic: number | null
}
interface Rated {
  row: Row
  parts: LevelParts
  level: SupplierLevel
  score: string | null
}

/** Suppliers that are rated and written together. */
const BATCH = 1_000

/** Levels of suppliers, every Monday (SRM rule 9.9). */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'srm.level',
  title: { zh: '供应商等级', en: 'Supplier levels' },
  description: {
    zh: '按质量、价格、账期、服务和稳定性重新评级；没有足够流量或数据的供应商为未评级。',
    en: 'Rates suppliers by quality, price, terms, service and stability; without enough traffic or figures they are not rated.',
  },
  schedule: { every: 'week', weekday: 1, at: '03:00' },
  run: async ({ now, dry }) => {
    const book = await ruleBook(database, 'srm.level', now)
    const rated = await rateAll(database, paramsOf('srm.level', book))
    const changed = rated.filter(({ row, level, score }) => level !== row.level || score !== row.score || level === 'd')
    for (let start = 0; !dry && start < changed.length; start += BATCH) {
      const some = new Map(changed.slice(start, start + BATCH).map((one) => [one.row.id, one]))
      await engine.transaction(systemContext({ now }), (entities) =>
        entities.transitions('srm.supplier', [...some.keys()], 'rate', ({ id }) => {
          const { level, score, parts } = some.get(id)!
          return { newLevel: level, newScore: score, parts, ruleVersion: book.versionNo }
        }),
      )
    }
    return ratingReport(rated)
  },
})

/** What the rule says of every supplier that is not terminated. */
export async function rateAll(database: Database, rule: RuleTypes['srm.level']): Promise<readonly Rated[]> {
  const { rows } = await database.query<Row>(
    `select s.id, s.code, s.name, s.level, s.score::text as score, s.pay_mode as "payMode", m.days, s.traffic30 as traffic,
       s.quality_part::text as quality, s.price_part::text as price, s.service_part::text as service, s.stability_part::text as stability
     from srm_supplier s left join srm_payment_method m on m.id = s.payment_method_id
     where s.deleted_at is null and s.status not in ('terminated', 'blacklisted') order by s.id`,
  )
  return rows.map((row) => {
    const { quality, price, service, stability } = row
    const parts = { quality, price, terms: termsPart(row.payMode, row.days), service, stability }
    return { row, parts, ...levelOf(parts, row.traffic, rule) }
  })
}

/** How many suppliers there are at each level, and those that change. */
export function ratingReport(rated: readonly Rated[]): JobReport {
  const changed = rated.filter(({ row, level }) => row.level !== level)
  const count = (level: SupplierLevel): number => rated.filter((one) => one.level === level).length
  return {
    figures: [
      { id: 'rated', title: { zh: '已评级', en: 'Rated' }, value: rated.length - count('n') },
      { id: 'unrated', title: { zh: '未评级', en: 'Not rated' }, value: count('n') },
      { id: 'changed', title: { zh: '等级变化', en: 'Change level' }, value: changed.length },
    ],
    columns: [
      { id: 'supplier', title: { zh: '供应商', en: 'Supplier' }, of: ['srm.supplier.name'] },
      { id: 'from', title: { zh: '原等级', en: 'From' } },
      { id: 'to', title: { zh: '新等级', en: 'To' } },
      { id: 'score', title: { zh: '得分', en: 'Score' }, kind: 'number' },
    ],
    rows: changed.slice(0, MOST_ROWS).map(({ row, level, score }) => ({
      id: row.id,
      supplier: `${row.name} (${row.code})`,
      from: row.level.toUpperCase(),
      to: level.toUpperCase(),
      score,
    })),
    more: Math.max(0, changed.length - MOST_ROWS),
  }
}
