import type { FormNode } from '../../../../src/schema/generated/page'

const text = (name: string): { zh: string; en: string } => ({ zh: name, en: name })
const field = (name: string, more: FormNode = {}): [string, FormNode] => [
  name,
  { type: 'string', title: text(name), 'x-component': 'text', ...more },
]

const KINDS: readonly FormNode[] = [
  { 'x-component': 'text' },
  { 'x-component': 'number', type: 'number' },
  { 'x-component': 'select', enum: ['alpha', 'beta', 'gamma'] },
  { 'x-component': 'date' },
  { 'x-component': 'textarea' },
]

/** Forms for the browser tests, by name. */
export const SCHEMAS: Readonly<Record<string, FormNode>> = {
  many: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => field(`field${n}`, { ...(KINDS[n % KINDS.length] as FormNode) })),
    ),
  },
  linked: {
    type: 'object',
    properties: {
      group: {
        type: 'void',
        title: text('Company'),
        'x-component': 'Group',
        properties: Object.fromEntries([
          field('country', { required: true, enum: ['CN', 'US'], 'x-component': 'select' }),
          field('nameEn', { 'x-visible': "{{ $values.country === 'US' }}", 'x-required': "{{ $values.country === 'US' }}" }),
          field('price', { type: 'number', 'x-component': 'number' }),
          field('count', { type: 'number', 'x-component': 'number' }),
          field('total', {
            type: 'number',
            'x-component': 'number',
            'x-reactions': {
              dependencies: ['.price', '.count'],
              fulfill: { state: { value: '{{ ($deps[0] ?? 0) * ($deps[1] ?? 0) }}' } },
            },
          }),
        ]),
      },
    },
  },
  plain: {
    type: 'object',
    properties: Object.fromEntries([
      field('name', { required: true, maxLength: 10 }),
      field('code'),
      field('remark', { 'x-component': 'textarea' }),
    ]),
  },
  table: {
    type: 'object',
    properties: {
      rows: {
        type: 'array',
        title: text('Rows'),
        'x-component': 'arrayTable',
        items: {
          type: 'object',
          properties: Object.fromEntries([
            field('title', { required: true }),
            field('price', { type: 'number', 'x-component': 'number' }),
            field('state', {
              'x-component': 'select',
              enum: [
                { label: text('Open'), value: 'o' },
                { label: text('Closed'), value: 'c' },
              ],
            }),
          ]),
        },
      },
    },
  },
  /** Nothing but the fields: what a line looks like says its entity. */
  lines: {
    type: 'object',
    properties: { code: { $field: 'test.order.code' }, lines: { $field: 'test.order.lines' } },
  },
  controls: {
    type: 'object',
    properties: Object.fromEntries([
      field('text'),
      field('textarea', { 'x-component': 'textarea' }),
      field('password', { 'x-component': 'password' }),
      field('number', { type: 'number', 'x-component': 'number' }),
      field('integer', { type: 'number', 'x-component': 'integer' }),
      field('money', { 'x-component': 'money', 'x-component-props': { currency: 'USD' } }),
      field('percent', { 'x-component': 'percent' }),
      field('switch', { type: 'boolean', 'x-component': 'switch' }),
      field('date', { 'x-component': 'date' }),
      field('dateTime', { 'x-component': 'dateTime' }),
      field('dateRange', { type: 'array', 'x-component': 'dateRange' }),
      field('time', { 'x-component': 'time' }),
      field('select', { 'x-component': 'select', enum: ['a', 'b'] }),
      field('many', { type: 'array', 'x-component': 'selectMany', enum: ['a', 'b', 'c'] }),
      field('radio', { 'x-component': 'radio', enum: ['a', 'b'] }),
      field('boxes', { type: 'array', 'x-component': 'checkboxGroup', enum: ['a', 'b'] }),
      field('staff', { 'x-component': 'staff' }),
      field('department', { 'x-component': 'department' }),
      field('country', { 'x-component': 'country' }),
      field('currency', { 'x-component': 'currency' }),
      field('phone', { 'x-component': 'phone' }),
      field('files', { type: 'array', 'x-component': 'files' }),
      field('rich', { 'x-component': 'richText' }),
      field('json', { type: 'object', 'x-component': 'json' }),
      field('tags', { type: 'array', 'x-component': 'strings' }),
    ]),
  },
}

export const INITIAL: Readonly<Record<string, Record<string, unknown>>> = {
  many: { field95: 'needle in the haystack', field97: 'gamma' },
  table: {
    rows: Array.from({ length: 30 }, (_, n) => ({
      title: `T${n}`,
      price: n,
      state: n % 2 ? 'o' : 'c',
      __DO_NOT_USE_THIS_PROPERTY_index__: n,
    })),
  },
}
