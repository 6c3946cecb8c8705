import { describe, expect, it, vi } from 'vitest'
import { fetchVersion } from '../../../../src/shell/versions/versionCalls'

const detail = { id: 'n1', version: '3.2.0', title: '对账', content: '新对账页' }
const asked = (answer: unknown) => fetchVersion({ request: vi.fn().mockResolvedValue(answer) })

describe('the dialog of a new version', () => {
  it('opens when popupState is 1 (R221, R259)', async () => {
    expect(await asked({ popupState: 1, versionDetail: detail })).toEqual(detail)
  })

  it.each([0, 2, '1', null])('does not open for %s (R222)', async (popupState) => {
    expect(await asked({ popupState, versionDetail: detail })).toBeNull()
  })

  it('stays closed when the gateway cannot be asked', async () => {
    expect(await fetchVersion({ request: vi.fn().mockRejectedValue(new Error('offline')) })).toBeNull()
  })
})
