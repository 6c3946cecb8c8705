import { expect, it } from 'vitest'
import { joinLabels } from '../../../../src/widgets/form-scan/pieces'

it('of a piece with both labels, a serial number asks for the MAC, and the MAC that follows belongs to it', () => {
  expect(joinLabels('SN0001', null, true)).toEqual({ waitsFor: 'SN0001' })
  expect(joinLabels('aa-bb-cc-00-11-22', 'SN0001', true)).toEqual({ line: 'SN0001 aa-bb-cc-00-11-22' })
  expect(joinLabels('SN0001 AA:BB:CC:00:11:22', null, true)).toEqual({ line: 'SN0001 AA:BB:CC:00:11:22' })
  // another serial number where the MAC should be: it is told as one without
  expect(joinLabels('SN0002', 'SN0001', true)).toEqual({ line: 'SN0002' })
  expect(joinLabels('SN0001', null, false)).toEqual({ line: 'SN0001' })
})
