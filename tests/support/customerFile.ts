/** Columns of the import files that tests make, by the names of the fields. */
export const CUSTOMER_COLUMNS = ['name', 'customerType', 'countryCode', 'source', 'website'] as const

/** A row of an import file of customers: names and websites as different as those of real companies, the same for the same number. */
export function customerRow(number: number): [name: string, type: string, country: string, source: string, website: string] {
  return [companyName(number), 'enterprise', 'CN', 'website', `https://www.c${number}-test.com`]
}

/** The whole file as CSV text; `change` may mend or break single rows (numbered from 0). */
export function customerFile(count: number, options: { from?: number; change?: Record<number, Partial<Cells>> } = {}): string {
  const { from = 0, change = {} } = options
  const lines = Array.from({ length: count }, (_, index) => {
    const row: string[] = customerRow(from + index)
    for (const [column, value] of Object.entries(change[index] ?? {}))
      row[CUSTOMER_COLUMNS.indexOf(column as keyof Cells)] = value
    return row.join()
  })
  return [CUSTOMER_COLUMNS.join(), ...lines].join('\n')
}
type Cells = Record<(typeof CUSTOMER_COLUMNS)[number], string>

/** Five Chinese characters out of 4,000. */
function companyName(number: number): string {
  return [0, 1, 2, 3, 4].map((index) => String.fromCodePoint(0x4e00 + (scrambled(number * 5 + index) % 4_000))).join('')
}

function scrambled(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
