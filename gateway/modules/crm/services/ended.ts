/** A document whose time was over. */
export interface Ended {
  entity: string
  id: string
  code: string
  customerId: string | null
  status: string
}

/** What a report says about a row that was ended. */
export const endedOf = (entity: string, row: Readonly<Record<string, unknown>>): Ended => ({
  entity,
  id: String(row.id),
  code: typeof row.code === 'string' ? row.code : '',
  customerId: typeof row.customerId === 'string' ? row.customerId : null,
  status: String(row.status),
})
