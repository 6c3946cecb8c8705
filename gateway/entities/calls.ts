import type { QueryWhere, QuerySort } from '../../src/schema/model'

/** A record with its fields under their own names; the keys depend on the entity. */
export type EntityRecord = Record<string, unknown>

/*
 * What the calls of an entity take and answer.
 */

/** Titles (and asked fields) of everything that records refer to: entity -> id -> title. */
export type References = Record<string, Record<string, { title: string; fields?: EntityRecord }>>

/** The part of a request that says which rows are meant and in which order. */
export interface RowSelection {
  keyword?: string
  view?: string
  where?: readonly QueryWhere[]
  sort?: readonly QuerySort[]
  ids?: readonly string[]
  /** Only what holds on this day (YYYY-MM-DD), of an entity with `x-effective`. */
  asOf?: string
}

export interface SummaryRequest {
  field: string
  function: 'sum' | 'avg' | 'min' | 'max' | 'count'
}
/**
 * Values by field (decimals as text, null without rows), with the currency of money in its own field. Money of several
 * currencies is not added up: null, and each currency's value in `<field>ByCurrency`, under '' that of an amount without a currency, null for several.
 */
export type Summary = Record<string, string | number | null | Record<string, string | null>>

export interface QueryPageRequest extends RowSelection {
  /** From 1. */
  pageNo?: number
  /** 0 (only the total) to 1000; default 20. */
  pageSize?: number
  /** Instead of pageNo: where the last page ended (its `next`); empty = the beginning. Rows that come or go meanwhile shift nothing. */
  cursor?: string
  /** Rows are counted up to this number (1 to 1,000,000), so that those of a page need not wait for a million others; absent = all. */
  countUpTo?: number
  /** Over more than 20,000 rows, or more than `countUpTo`, answered with `pageSize` 0 only. */
  summary?: readonly SummaryRequest[]
  /** Fields one step away, e.g. customerId.code. */
  expand?: readonly string[]
  /** Rows of other selections that are only counted, by a name of the caller's, e.g. those of the tabs of a list. */
  counts?: Readonly<Record<string, Pick<RowSelection, 'keyword' | 'view' | 'where'>>>
}
export interface QueryPageAnswer {
  records: EntityRecord[]
  /** Exact, unless `totalAtLeast`. */
  total: number
  /** There are more rows than `countUpTo`, which is the total here. */
  totalAtLeast?: true
  pageNo: number
  pageSize: number
  refs: References
  summary?: Summary
  /** As asked; what the caller may not read is left out. */
  counts?: Readonly<Record<string, number>>
  /** With a cursor: where this page ended; null = nothing is behind it. */
  next?: string | null
}

/** A record that one that is being written may be the same as: what anybody may learn of it. */
export interface DuplicatesAnswer {
  decision: 'block' | 'warn'
  message: string
  /** `link` where the caller may open it. */
  hits: readonly EntityRecord[]
}
export interface TimelineRequest {
  /** What stands in the same place of the answer. */
  sources: readonly (Pick<RowSelection, 'view' | 'where'> & {
    entity: string
    /** The `next` of the answer before; absent = the newest. */
    cursor?: string
  })[]
  /** Of each source, 1 to 50; default 10. */
  pageSize?: number
}
export interface TimelineAnswer {
  /** Newest first; null for what the caller may not read. */
  sources: ({ records: EntityRecord[]; refs: References; next: string | null } | null)[]
}

export interface RelatedRequest {
  /** What stands in the same place of the answer. */
  sources: readonly (Pick<RowSelection, 'keyword' | 'view' | 'where'> & {
    entity: string
    /** A number or an amount that is added up over all rows. */
    sum?: string
    /** The first rows are wanted, of those that also meet `where`. */
    rows?: Pick<RowSelection, 'where' | 'sort'>
  })[]
  /** Of each source, 0 to 5; default 3. */
  rows?: number
}
/** Records and references only where rows were asked for and there is anything at all. */
export interface RelatedSource extends Pick<QueryPageAnswer, 'total' | 'totalAtLeast' | 'summary'> {
  records?: EntityRecord[]
  refs?: References
  /** Route of the page that shows one of them, by its `id`. */
  open?: string
}
export interface RelatedAnswer {
  /** Null for what the caller may not read. */
  sources: (RelatedSource | null)[]
}

export interface ViewAnswer {
  record: EntityRecord
  /** When it is no field of the record: worked out (`x-title`), or the title of what the record refers to. */
  title?: string
  refs: References
  can: { edit: boolean; delete: boolean; transitions: Record<string, string | null> }
}
export interface SaveAnswer {
  id: string
  version: number
  record: EntityRecord
  refs: References
}

/** A part of the lines of a large sheet; `total` comes with the last one: how many there have to be then. */
export interface LinesPartRequest {
  id: string
  version: number
  rows: readonly EntityRecord[]
  removed?: readonly string[]
  total?: number
}
export interface LinesPartAnswer {
  /** Of the record, for the next part. */
  version: number
  /** Lines that there are now. */
  total: number
  /** Ids of the given rows, in their order. */
  ids: string[]
}

export interface StateUpdateRequest {
  ids: readonly string[]
  transition: string
  /** Tells state machines apart that use the same transition id. */
  field?: string
  /** Of the record, when there is one id. */
  version?: number
  /** Fields and inputs that the transition asks for. */
  values?: EntityRecord
}
export interface BulkAnswer {
  done: string[]
  refused: { id: string; title: string; reason: string }[]
}

/** Records side by side, before they are merged. */
export interface MergePreview {
  records: EntityRecord[]
  refs: References
  /** Which of them the caller may change. */
  writable: boolean[]
  /** Fields whose value is chosen; lists among them whose entries can be kept together. */
  fields: string[]
  joinable: readonly string[]
  /** What would move, counted for each record. */
  children: { entity: string; label: string; counts: number[] }[]
}
export interface MergeRequest {
  /** The record that stays. */
  targetId: string
  /** Those that go. */
  loserIds: readonly string[]
  /** Field -> id of the record whose value holds, or `all` for a list. Fields that are not named keep the target's value. */
  fields: Readonly<Record<string, string>>
  reason: string
}
export interface MergeAnswer {
  id: string
  /** Moved rows by entity. */
  moved: Record<string, number>
}

export interface SelectRequest {
  asOf?: string
  keyword?: string
  ids?: readonly string[]
  where?: readonly QueryWhere[]
  pageSize?: number
}
export interface SelectOption extends EntityRecord {
  id: string
  title: string
}

export interface LogRequest {
  /** Id of the last entry read. */
  before?: string
  limit?: number
  /** Who read sensitive fields, instead of what was done. */
  views?: boolean
}

/** What differs in the lines of a record, in the language of the reader. */
export interface LinesInWords {
  entries: {
    kind: 'added' | 'removed' | 'changed'
    /** Its line, counted from 1; of a removed one where it stood. */
    position: number
    title: string
    cells: { label: string; before?: string; after?: string }[]
  }[]
  /** Lines that stayed stand in another order. */
  moved: boolean
  /** How many more differ than are told. */
  more: number
}

/** One of the things that led to a write. */
export interface ToldCause {
  /** The record whose transition did it, named as far as the reader may see it, and where it can be opened; absent: what rules say of the record itself. */
  record?: { entity: string; title: string; open?: string }
  /** Transition, effect and versions of rule sets. */
  text: string
}

export interface LogAnswer {
  records: {
    id: string
    at: string
    byId: string | null
    byName: string | null
    action: string
    reason?: string
    /** What led to it, the nearest cause first; absent when somebody did it himself and no rules were read. */
    causes?: ToldCause[]
    /** `lines` tells a change of lines in words; `before` and `after` are empty then. */
    changes: { field: string; before: unknown; after: unknown; lines?: LinesInWords }[]
    /** Of a reading (`view`): labels of the fields; `of` names a record below this one, e.g. a contact. */
    viewed?: { of: string | null; fields: string[] }
  }[]
  /** Titles of the records that changed references name. */
  refs: References
  more: boolean
  /** Somebody has read sensitive fields; that is told with `views`. */
  viewed: boolean
}

export interface ExportRequest extends RowSelection {
  columns: readonly { field: string; title: string }[]
  format: 'xlsx' | 'csv'
}
export interface ExportOptions {
  /** Rows written so far and rows in all. */
  onProgress?: (done: number, total: number) => void
  signal?: AbortSignal
}

/** How a kept field stands to what it is made of. */
export interface FieldDrift {
  /** entity.field */
  field: string
  rows: number
  drifted: number
}

/** Records that are searched, and the page that shows one of them. */
export interface SearchTarget {
  entity: string
  /** A view whose rows are meant, e.g. those of a pool. */
  view?: string | undefined
  /** Address of the page that shows a record. */
  open: (id: string) => string
  /** The page is that of the record which this reference names. */
  through?: string | undefined
}
