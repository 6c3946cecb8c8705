/** Which page of a list is asked for. */
export interface PageRequest {
  pageNum?: number
  pageSize?: number
}

/** A page of a list (money 7.6). */
export interface PageOf<Row> {
  total: number
  list: Row[]
  pageNum: number
  pageSize: number
}

export const PAGE_FIELDS = {
  pageNum: { type: 'integer', minimum: 1, maximum: 10_000 },
  pageSize: { type: 'integer', minimum: 1, maximum: 200 },
} as const

export const ID_FIELD = { type: 'string', minLength: 1, maxLength: 40 } as const

export const ID_PARAMS = { type: 'object', required: ['id'], properties: { id: ID_FIELD } } as const

export const pageOf = ({ pageNum = 1, pageSize = 20 }: PageRequest) => ({ pageNum, pageSize, offset: (pageNum - 1) * pageSize })

/** A text that is looked for, for `ilike`: what stands for other characters there stands for itself. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
