import type { Text } from '../../../../platform/http'
import { MOST_ROWS, type JobReport } from '../../../../platform/jobs'
import type { Ended } from '../../services/ended'

const TITLES: Readonly<Record<string, Text>> = {
  'crm.transfer': { zh: '转移', en: 'Transfers' },
  'crm.share': { zh: '共享', en: 'Shares' },
  'crm.blacklist': { zh: '黑名单', en: 'Blacklist entries' },
  'crm.classApply': { zh: 'A类', en: 'Class A' },
  'crm.visit': { zh: '拜访', en: 'Visits' },
}

/** Rows that ended, counted by what they are. */
export function endingReport(ended: readonly Ended[]): JobReport {
  const kinds = [...new Set(ended.map(({ entity }) => entity))]
  return {
    figures: kinds.map((entity) => ({
      id: entity,
      title: TITLES[entity] ?? { zh: entity, en: entity },
      value: ended.filter((row) => row.entity === entity).length,
    })),
    columns: [
      { id: 'code', title: { zh: '编号', en: 'Code' } },
      { id: 'status', title: { zh: '结果', en: 'Outcome' } },
    ],
    rows: ended.slice(0, MOST_ROWS).map(({ id, code, status }) => ({ id, code, status })),
    more: Math.max(0, ended.length - MOST_ROWS),
  }
}
