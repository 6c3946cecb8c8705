/** The body of a tool that reads what was pasted. */
export const pastedBody = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 60_000 },
    country: { type: ['string', 'null'], pattern: '^[A-Z]{2}$' },
  },
} as const
