import type { ProcessDocument } from '../../../../src/schema/generated/process'

/** A process of a company trip, with a branch by amount, an approval role and rows. */
export const trip = (name = 'trip', more: Partial<ProcessDocument> = {}): ProcessDocument => ({
  formatVersion: 3,
  name,
  label: { zh: '出差申请', en: 'Business trip' },
  group: 'ops',
  prefix: 'BT',
  amount: '{{ cost }}',
  currency: '{{ currency }}',
  summary: ['destination', 'cost'],
  form: {
    fields: {
      destination: { type: 'string', maxLength: 80, 'x-label': { zh: '目的地', en: 'Destination' } },
      leaveOn: { type: 'string', format: 'date', 'x-label': { zh: '出发', en: 'Leaves' } },
      currency: { type: 'string', format: 'currency', default: 'CNY', 'x-label': { zh: '币种', en: 'Currency' } },
      cost: { type: 'string', format: 'money', 'x-money': 'currency', 'x-label': { zh: '费用', en: 'Cost' } },
      secret: { type: 'string', maxLength: 80, 'x-sensitive': 'wf:role', 'x-label': { zh: '内部备注', en: 'Internal note' } },
    },
    required: ['destination', 'cost'],
  },
  nodes: [
    { id: 'start', kind: 'start' },
    {
      id: 'size',
      kind: 'condition',
      branches: [
        {
          id: 'large',
          label: { zh: '大额', en: 'Large' },
          when: '{{ amountCny > 10000 }}',
          nodes: [
            {
              id: 'manager',
              kind: 'approve',
              label: { zh: '财务经理', en: 'Finance manager' },
              assignees: [{ rule: 'role', role: 'fin.manager' }],
              fieldRights: { cost: 'E' },
              limitHours: 8,
            },
          ],
        },
        { id: 'rest', nodes: [] },
      ],
    },
    {
      id: 'clerk',
      kind: 'approve',
      label: { zh: '行政', en: 'Office' },
      assignees: [{ rule: 'pickByStarter', staff: ['boss'] }],
    },
    { id: 'end', kind: 'end' },
  ],
  ...more,
})
