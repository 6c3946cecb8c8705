import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../../src/schema/expression'
import { wholeSchema } from '../../support/schemas'

const PAGES = ['my-client-details', 'my-client-details-partner', 'business-partner-details']
interface Page {
  header: { warnings: { id: string; when: string }[] }
}

describe('the notice that a customer is about to be recycled', () => {
  it.each(PAGES)('stands on %s for whose day is near, and not for one who came today', (name) => {
    const page = wholeSchema<Page>(`crm/pages/${name}.json`)
    const when = page.header.warnings.find(({ id }) => id === 'recycling')?.when ?? ''
    const condition = compileExpression(when)
    const stands = (ownedAt: string, recycleOn: string | null): boolean =>
      condition({ today: '2026-03-10', record: { ownedAt, recycleOn } }, { locale: 'en', timeZone: 'Asia/Shanghai' }) === true
    expect(stands('2025-11-02T02:00:00.000Z', '2026-03-13')).toBe(true)
    expect(stands('2025-11-02T02:00:00.000Z', '2026-03-14')).toBe(false)
    // new today: the first contact is due in three days, which is no lateness of anybody
    expect(stands('2026-03-10T02:00:00.000Z', '2026-03-14')).toBe(false)
    expect(stands('2026-03-10T02:00:00.000Z', '2026-03-12')).toBe(false)
    expect(stands('2025-11-02T02:00:00.000Z', null)).toBe(false)
  })
})
