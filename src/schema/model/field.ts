/** Named roots that an expression may read: row, rows, value, record, values, query, user, today, now, answer, ... */
export type Scope = Readonly<Record<string, unknown>>
/** A compiled expression. It throws ExpressionError when it fails at run time. */
export type Evaluate<T> = (scope: Scope) => T

export type FieldKind =
  | 'string'
  | 'text'
  | 'richText'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'percent'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'dictionary'
  | 'dictionaries'
  | 'ref'
  | 'refs'
  | 'country'
  | 'countries'
  | 'phone'
  | 'email'
  | 'url'
  | 'file'
  | 'files'
  | 'currency'
  | 'mccmnc'
  | 'json'
  | 'strings'
  | 'lines'

export type FilterOperator =
  'eq' | 'ne' | 'contains' | 'startsWith' | 'in' | 'notIn' | 'gte' | 'lte' | 'between' | 'empty' | 'notEmpty' | 'overlaps'

/** A condition as it travels to the gateway: between takes [from, to], in/notIn/overlaps take lists. */
export interface QueryCondition {
  field: string
  operator: FilterOperator
  value?: unknown
}
/** Conditions of which any (`or`) or all (`and`) hold; at most four groups stand inside one another. */
export type QueryGroup = { or: readonly QueryWhere[] } | { and: readonly QueryWhere[] }
/** What a query asks of its rows; of a list of them all hold. */
export type QueryWhere = QueryCondition | QueryGroup
export interface QuerySort {
  field: string
  order: 'asc' | 'desc'
  nulls?: 'first' | 'last'
}

/** One value of a dictionary in the viewer's language. */
export interface DictionaryOption {
  code: string
  label: string
  color?: string
  retired?: boolean
  attributes?: Readonly<Record<string, unknown>>
}
/** A field (`FieldModel`) in the words of a viewer, with everything a cell, control, filter, import or export needs. */
export interface PageField {
  entity: string
  name: string
  kind: FieldKind
  label: string
  help?: string
  placeholder?: string
  dictionary?: { name: string; options: readonly DictionaryOption[] }
  /**
   * Referenced entity: its label, its base path for the select call, and which of its rows may be chosen. `where` reads the
   * entity's own fields, record, values, user, today, now, locale and query; a condition whose value is empty is left out, as in
   * the gateway.
   */
  ref?: { entity: string; label: string; path: string; where: Evaluate<readonly QueryWhere[]> }
  /** Name of the field that holds the currency, or a fixed ISO code in capitals. */
  money?: string
  scale?: number
  /** What a number counts, in the viewer's language: shown with it, never part of the value. */
  unit?: string
  /** A date that stands for its whole month. */
  precision?: 'month'
  /** Said of its column in tables of lines: it is added up, or is not. */
  sum?: boolean
  /** A day or moment that lies ahead: its filter offers what is overdue and the next days. */
  ahead?: true
  /** Of a field of lines: the entity of its rows, their base path and what is shown of them, in its order. */
  lines?: { entity: string; label: string; path: string; columns: readonly PageField[] }
  required: boolean
  readOnly: boolean
  immutable: boolean
  sensitive?: string
  /** The viewer sees only a mask of it, so the gateway neither filters nor sorts nor sums by it for him. */
  masked?: boolean
  computed: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  pattern?: string
  default?: unknown
  control: string
  align: 'left' | 'right' | 'center'
  width: number
  operators: readonly FilterOperator[]
  sortable: boolean
}
