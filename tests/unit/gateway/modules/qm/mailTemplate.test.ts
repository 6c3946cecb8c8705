import { expect, it } from 'vitest'
import { unknownVariables } from '../../../../../gateway/modules/qm/mailTemplate'

it('a quotation mail names only what its sheet knows (quotes 1.15)', () => {
  expect(unknownVariables('Dear {{customerName}}, see {{ sheetCode }}')).toEqual([])
  expect(unknownVariables('{{customer}} {{price}} {{customer}} {{}}')).toEqual(['customer', 'price', ''])
})
