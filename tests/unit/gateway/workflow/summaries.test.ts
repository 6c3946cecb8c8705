import { describe, expect, it } from 'vitest'
import { summaryLine, type SummaryItem, type Wording } from '../../../../gateway/workflow/my/summaries'
import type { FormField } from '../../../../src/schema/generated/process'

const label = (zh: string, en: string) => ({ zh, en })
const FIELDS: Record<string, FormField> = {
  customerId: { type: 'string', 'x-ref': 'crm.customer', 'x-label': label('客户', 'Customer') },
  applyLimit: { type: 'string', format: 'money', 'x-money': 'currency', 'x-label': label('申请额度', 'Limit') },
  kind: { type: 'string', 'x-dictionary': 'changeKind', 'x-label': label('变更', 'Change') },
  validTo: { type: 'string', format: 'date', 'x-label': label('有效期至', 'Valid to') },
  callAt: { type: 'string', format: 'date-time', 'x-label': label('时间', 'Time') },
}
const item = (field: string, value: unknown, text?: string): SummaryItem => ({
  field,
  label: FIELDS[field]!['x-label'],
  value,
  ...(text === undefined ? {} : { text }),
})
const wording = (locale: 'zh' | 'en'): Wording => ({
  locale,
  timeZone: 'Asia/Shanghai',
  currency: 'USD',
  labelOf: (_dictionary, code) => (code === 'raise' ? label('提额', 'Raise') : label(code, code)),
})

describe('the telling fields of an application in lists (money 9.1)', () => {
  it('are put into words in the language of the reader, amounts with their currency', () => {
    const items = [item('customerId', 'c1', '信达科技'), item('kind', 'raise'), item('applyLimit', '80000.00')]
    expect(summaryLine(items, FIELDS, wording('zh'))).toBe('客户 信达科技 · 变更 提额 · 申请额度 80,000.00 USD')
    expect(summaryLine(items, FIELDS, wording('en'))).toBe('Customer 信达科技 · Change Raise · Limit 80,000.00 USD')
  })

  it('leave out what is empty, what the title says already, and ids without a name; three are enough', () => {
    const items = [
      item('customerId', 'c1', '信达科技'),
      item('kind', null),
      item('applyLimit', '80000'),
      item('validTo', '2026-12-31'),
      item('callAt', '2026-11-20T02:30:00Z'),
    ]
    expect(summaryLine(items, FIELDS, wording('zh'), '王伟 · 信达科技')).toBe(
      '申请额度 80,000 USD · 有效期至 2026-12-31 · 时间 2026-11-20 10:30',
    )
    expect(summaryLine([item('customerId', 'c1')], FIELDS, wording('zh'))).toBeNull()
  })
})
