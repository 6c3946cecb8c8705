import type { Scope } from '../schema/model'

/** A record as the gateway sends it: flat, with `$write` when the viewer may change it. */
export type Row = Readonly<Record<string, unknown>>

/** Titles (and fields that were asked for) of referenced records, by entity and id. */
export type Refs = Readonly<
  Record<string, Readonly<Record<string, { title: string; fields?: Readonly<Record<string, unknown>> }>>>
>

/** What an expression of a row may read: the row and, by its bare name, what the page gives. */
export const rowScope = (scope: Scope, row: Row, value?: unknown): Scope => ({
  ...scope,
  row,
  record: scope.record ?? row,
  value,
})
