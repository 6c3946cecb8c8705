import type { Form, FormField } from '../generated/process'

/** What every form asks besides its own fields (money 8.0). Documents do not repeat it. */
export const HEAD_FIELDS: Readonly<Record<string, FormField>> = {
  urgency: {
    type: 'string',
    'x-dictionary': 'urgency',
    default: 'normal',
    'x-label': { zh: '紧急程度', en: 'Urgency' },
  },
  urgentReason: {
    type: 'string',
    maxLength: 500,
    visible: "{{ urgency === 'urgent' }}",
    requiredIf: "{{ urgency === 'urgent' }}",
    'x-label': { zh: '加急原因', en: 'Why it is urgent' },
  },
  remark: { type: 'string', format: 'text', maxLength: 4000, 'x-label': { zh: '备注', en: 'Remark' } },
  attachments: {
    type: 'array',
    items: { type: 'object', format: 'file' },
    maxItems: 20,
    'x-label': { zh: '附件', en: 'Attachments' },
  },
  ccIds: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 50,
    'x-ref': 'sys.staff',
    'x-label': { zh: '抄送', en: 'Copy to' },
  },
}

/** The group in which they stand, the last of the form. */
export const HEAD_GROUP = { id: 'application', title: { zh: '申请信息', en: 'About this application' } } as const

/** Every field of a form: its own, then those that all forms have. */
export const formFields = ({ fields }: Pick<Form, 'fields'>): Readonly<Record<string, FormField>> => ({
  ...fields,
  ...HEAD_FIELDS,
})
