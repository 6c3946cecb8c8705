import { describe, expect, it } from 'vitest'
import { macOf, readUnits } from '../../../../../gateway/modules/srm/stock/units'

describe('Pieces of a stock document', () => {
  it('reads a MAC in any notation, and refuses multicast, all zero and other forms', () => {
    for (const typed of ['aa-bb-cc-00-11-22', 'AABB.CC00.1122', 'AABBCC001122']) expect(macOf(typed)).toBe('AA:BB:CC:00:11:22')
    for (const wrong of ['01:00:5e:00:00:01', '00:00:00:00:00:00', 'aa-bb-cc', 'gg:bb:cc:00:11:22', ''])
      expect(macOf(wrong)).toBeNull()
  })

  it('reads one piece a line and names the line of what is wrong', () => {
    const pasted = 'SN1 aa-bb-cc-00-11-22\n\nSN2\tAABB.CC00.1123\r\nSN1 aabbcc001124\nSN4 aabbcc00112\nSN5'
    expect(readUnits(pasted, true)).toEqual({
      units: [
        { serialNo: 'SN1', mac: 'AA:BB:CC:00:11:22' },
        { serialNo: 'SN2', mac: 'AA:BB:CC:00:11:23' },
      ],
      problems: [
        { line: 4, text: 'SN1 aabbcc001124', why: 'twice' },
        { line: 5, text: 'SN4 aabbcc00112', why: 'mac' },
        { line: 6, text: 'SN5', why: 'noMac' },
      ],
    })
    expect(readUnits('SN5; SN6', false)).toMatchObject({ units: [{ serialNo: 'SN5' }, { serialNo: 'SN6' }], problems: [] })
  })
})
