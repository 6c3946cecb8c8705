/**
 * The workloads, described once and without reference to any library: our pages and their antd twins translate the same
 * description, so that one run compares them.
 */

export type CellKind = 'text' | 'number' | 'select' | 'date'

const KINDS: readonly CellKind[] = ['text', 'text', 'text', 'text', 'text', 'number', 'number', 'select', 'select', 'date']
const DRIVERS = [1, 51, 101, 151] as const
const pad = (n: number): string => String(n).padStart(3, '0')

export const fieldName = (n: number): string => `f${pad(n)}`
export const OPTIONS = ['alpha', 'beta', 'gamma', 'delta', 'omega'] as const
const option = (n: number): string => OPTIONS[n % OPTIONS.length] as string

export interface FieldFact {
  name: string
  label: string
  kind: CellKind
  /** Name of the field that has to be filled before this one shows; null = always shown. */
  driver: string | null
}

/** W1: 200 required fields; 20 text fields show only while their driver is not empty. */
export const FIELDS: readonly FieldFact[] = Array.from({ length: 200 }, (_, n) => ({
  name: fieldName(n),
  label: `Field ${n}`,
  kind: KINDS[n % 10] as CellKind,
  driver: n % 10 === 4 ? fieldName(DRIVERS[Math.floor(n / 50)] as number) : null,
}))

export interface RowFact {
  id: number
  name: string
  owner: string
  city: string
  status: string
  amount: number
  count: number
  created: string
  updated: string
  code: string
  group: string
  note: string
}

/** W2: 1,000 rows of 12 read-only columns, one of them sorted on by the run. */
export const COLUMNS: readonly { key: keyof RowFact; title: string; type: 'number' | 'text' }[] = [
  { key: 'id', title: 'ID', type: 'number' },
  { key: 'name', title: 'Name', type: 'text' },
  { key: 'owner', title: 'Owner', type: 'text' },
  { key: 'city', title: 'City', type: 'text' },
  { key: 'status', title: 'Status', type: 'text' },
  { key: 'amount', title: 'Amount', type: 'number' },
  { key: 'count', title: 'Count', type: 'number' },
  { key: 'created', title: 'Created', type: 'text' },
  { key: 'updated', title: 'Updated', type: 'text' },
  { key: 'code', title: 'Code', type: 'text' },
  { key: 'group', title: 'Group', type: 'text' },
  { key: 'note', title: 'Note', type: 'text' },
]
export const SORT_COLUMN = 'amount'

const CITIES = ['Beijing', 'Shanghai', 'Shenzhen', 'Chengdu', 'Hangzhou'] as const
const day = (year: number, i: number): string =>
  `${year}-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`

export const makeRows = (length = 1000): RowFact[] =>
  Array.from({ length }, (_, i) => ({
    id: i + 1,
    name: `Item ${i + 1}`,
    owner: `User ${(i * 7) % 97}`,
    city: CITIES[i % CITIES.length] as string,
    status: option(i * 3),
    amount: ((i * 7919 + 5000) % 9973) + 1000,
    count: (i * 31) % 101,
    created: day(2024, i),
    updated: day(2025, i),
    code: `C-${pad(i % 1000)}-${(i * 13) % 89}`,
    group: `G${i % 17}`,
    note: `Note for row ${i + 1}`,
  }))

/** W3: 100 editable rows of 6 columns. */
export const EDIT_COLUMNS: readonly { key: string; title: string; kind: CellKind }[] = [
  { key: 'title', title: 'Title', kind: 'text' },
  { key: 'owner', title: 'Owner', kind: 'text' },
  { key: 'note', title: 'Note', kind: 'text' },
  { key: 'price', title: 'Price', kind: 'number' },
  { key: 'count', title: 'Count', kind: 'number' },
  { key: 'status', title: 'Status', kind: 'select' },
]

export const makeEditRows = (): Record<string, string | number>[] =>
  Array.from({ length: 100 }, (_, i) => ({
    title: `T${i}`,
    owner: `User ${i % 9}`,
    note: `n${i}`,
    price: 10 + i,
    count: i % 7,
    status: option(i),
  }))

/** `?size=50` selects the paged W2; anything else shows all rows. */
export const pageSize = (): number => Number(new URLSearchParams(location.search).get('size')) || 0
