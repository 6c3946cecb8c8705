import { defineWidget } from '../../runtime/widget'

/**
 * Serial numbers (and MAC addresses) as a field: `srm/stock-in-operation` has it in the column of its lines. Its value is one text, a
 * piece a line. What stands beside it in the row and the form (product, quantity, warehouse) says what is expected.
 */
export const scan = defineWidget({
  name: 'form.scan',
  description: {
    zh: '扫描或导入序列号和MAC的字段，逐件核对',
    en: 'A field of serial numbers and MAC addresses that are scanned, pasted or read from a file, each checked at once',
  },
  props: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Base path of the calls of the entity that holds the known pieces.' },
      direction: { type: 'string', enum: ['in', 'out'], description: 'Whether pieces come in or go out.' },
      backFrom: { type: 'string', description: 'States from which a known piece may come in again, with blanks between them; empty: from none.' },
      products: {
        type: 'string',
        description: 'Base path of the calls of the products; their hasMac says that a MAC is needed.',
      },
      product: { type: 'string', description: 'Field beside it that names the product; default productId.' },
      quantity: { type: 'string', description: 'Field beside it with the wanted quantity; default qty.' },
      place: { type: 'string', description: 'Field of the form that names the warehouse; default warehouseId.' },
    },
    required: ['path', 'direction', 'products'],
    additionalProperties: false,
  },
  load: () => import('./ScanField'),
  text: (value) => {
    const count = typeof value === 'string' ? value.split(/\r?\n|;/).filter((line) => line.trim() !== '').length : 0
    return count > 0 ? `× ${count}` : ''
  },
  example: {
    props: { path: '/v2/srm/deviceUnit', direction: 'in', products: '/v2/srm/product' },
    values: { value: 'SN0001 AA:BB:CC:00:11:22\nSN0002 AA:BB:CC:00:11:23' },
  },
})
