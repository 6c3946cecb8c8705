import { FORMILY_ROOTS } from '../expression'

/**
 * Names that expressions may read, by place. The runtime gives exactly these; the validator refuses others.
 */
export const PAGE_ROOTS = ['query', 'user', 'today', 'now', 'locale'] as const

const withPage = (...names: readonly string[]): readonly string[] => [...PAGE_ROOTS, ...names]

export const ROOTS = {
  /** Anywhere on a page. */
  page: PAGE_ROOTS as readonly string[],
  /** A cell of a list: the row and the cell's own value. */
  cell: withPage('row', 'value'),
  /** An action of a row. */
  row: withPage('row'),
  /** An action of the selected rows. */
  rows: withPage('rows'),
  /** Anywhere on a detail page. */
  record: withPage('record'),
  /** A field of a detail page. */
  item: withPage('record', 'value'),
  /** Words of form nodes: Formily's own names, and the record that is edited. */
  form: withPage(...FORMILY_ROOTS),
  /** Initial values, record and parameters of a form. */
  formValues: withPage('values', 'record'),
  /** After a form was saved: also the answer of the call. */
  answer: withPage('values', 'record', 'answer'),
  /** A drill-down of a report block. */
  reportRow: withPage('row', 'value', 'values'),
} as const
