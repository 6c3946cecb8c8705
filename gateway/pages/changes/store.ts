import type { BilingualText } from '../../../src/schema/problem'
import type { FormerNames } from '../../../src/schema/formerNames'
import type { Executor } from '../../platform/database'
import { staffName } from '../../staff'
import type { Overlay } from './compose'

export type Stage = 'gray' | 'all'
export type ReleaseKind = 'release' | 'rollback' | 'reset'

export interface Person {
  staffId: string
  name: BilingualText
}

/** Where changes came from as a file. */
export interface Origin {
  /** Name of the environment. */
  environment: string
  /** Title of the release; null: drafts were exported. */
  title: string | null
  /** Who released or exported them, and when. */
  by: BilingualText
  at: string
}

export interface Draft extends Overlay {
  version: number
  note: string | null
  by: Person
  at: string
  /** Drafts of one set are looked at, checked and released together. */
  set: string | null
  origin: Origin | null
}

export interface Revision extends Overlay {
  number: number
  base: string
  releaseId: string
  stage: Stage
  kind: ReleaseKind
  title: string
  reason: string
  by: Person
  at: string
  effectiveAt: string
  cancelledAt: string | null
  origin: Origin | null
}

const BY = (column: string) =>
  `json_build_object('staffId', ${column}, 'name', coalesce((select ${staffName('s')} from sys_staff s where s.id = ${column}),
    jsonb_build_object('zh', ${column}, 'en', ${column}))) as "by"`
/** The present name of what a row is about, by `schema_former_name`: what is stored keeps the name of its time. */
const present = (column: string): string =>
  `coalesce((select n.now from schema_former_name n where n.was = ${column}),
    (select n.now || substr(${column}, length(n.was) + 1) from schema_former_name n where n.was = split_part(${column}, '/', 1) || '/'), ${column})`
const TARGET = present('v.target')
const DRAFT_TARGET = present('d.target')
const PAGE = `substr(${present(`'page:' || f.page`)}, 6)`
const REVISION = `${TARGET} as target, v.role, v.number, v.changes, v.base, v.origin, v.release_id as "releaseId", r.stage, r.kind, r.title, r.reason, ${BY('r.by')},
  r.at, r.effective_at as "effectiveAt", r.cancelled_at as "cancelledAt"`
const FROM = 'from schema_revision v join schema_release r on r.id = v.release_id'

/** Notes what documents were called before, so that what was stored under these names is found. */
export async function noteFormerNames(db: Executor, names: FormerNames): Promise<void> {
  await db.query(
    `with given as (select * from unnest($1::text[], $2::text[]) as g(was, now)), gone as (delete from schema_former_name where was not in (select was from given))
     insert into schema_former_name select * from given on conflict (was) do update set now = excluded.now`,
    [[...names.keys()], [...names.values()]],
  )
}

export interface InForce {
  all: readonly Overlay[]
  gray: readonly Overlay[]
}

/** Overlays in force at a moment: for all, and for browsers with the gray flag (the newest of both stages). */
export async function overlaysInForce(db: Executor, now: Date): Promise<InForce> {
  const newest = async (stages: readonly Stage[]) => {
    const { rows } = await db.query<Overlay>(
      `select distinct on (${TARGET}, v.role) ${TARGET} as target, v.role, v.changes, v.number ${FROM}
       where r.stage = any($1::text[]) and r.cancelled_at is null and r.effective_at <= $2 order by ${TARGET}, v.role, v.number desc`,
      [stages, now.toISOString()],
    )
    return rows.filter(({ changes }) => changes.length > 0)
  }
  return { all: await newest(['all']), gray: await newest(['all', 'gray']) }
}

/** When the newest release before a moment began that changed one of the targets for everybody or for one of the roles. */
export async function lastReleaseOf(
  db: Executor,
  of: { targets: readonly string[]; roles: readonly string[]; stages: readonly Stage[]; before: Date },
): Promise<Date | null> {
  const { rows } = await db.query<{ at: string | null }>(
    `select max(r.effective_at) as at ${FROM} where ${TARGET} = any($1::text[]) and v.role = any($2::text[])
     and r.stage = any($3::text[]) and r.cancelled_at is null and r.effective_at < $4`,
    [of.targets, ['', ...of.roles], of.stages, of.before.toISOString()],
  )
  return rows[0]?.at ? new Date(rows[0].at) : null
}

/** The next moment at which a scheduled release begins. */
export async function nextRelease(db: Executor, now: Date): Promise<Date | null> {
  const { rows } = await db.query<{ at: string | null }>(
    'select min(effective_at) as at from schema_release where cancelled_at is null and effective_at > $1',
    [now.toISOString()],
  )
  return rows[0]?.at ? new Date(rows[0].at) : null
}

export async function revisionsOf(db: Executor, target?: string): Promise<Revision[]> {
  const { rows } = await db.query<Revision>(
    `select ${REVISION} ${FROM} where ($1::text is null or ${TARGET} = $1) order by 1, v.role, v.number desc`,
    [target ?? null],
  )
  return rows
}

export async function draftsOf(db: Executor, target?: string): Promise<Draft[]> {
  const { rows } = await db.query<Draft>(
    `select ${DRAFT_TARGET} as target, d.role, d.version, d.changes, d.note, ${BY('d.by')}, d.at, d.draft_set as "set", d.origin from schema_draft d
     where ($1::text is null or ${DRAFT_TARGET} = $1) order by 1, d.role`,
    [target ?? null],
  )
  return rows
}

export async function draftOf(db: Executor, target: string, role: string): Promise<Draft | undefined> {
  return (await draftsOf(db, target)).find((draft) => draft.role === role)
}

/**
 * Writes the draft when `version` is the newest one (0: there is none yet).
 * @returns the new version, or undefined when somebody was quicker
 */
export async function writeDraft(
  db: Executor,
  draft: Overlay & { version: number; note: string | null; by: string; at: Date; set?: string; origin?: Origin },
): Promise<number | undefined> {
  const values = [
    draft.target,
    draft.role,
    JSON.stringify(draft.changes),
    draft.note,
    draft.by,
    draft.at.toISOString(),
    draft.set ?? null,
    draft.origin === undefined ? null : JSON.stringify(draft.origin),
  ]
  const { rows } =
    draft.version === 0
      ? await db.query<{ version: number }>(
          `insert into schema_draft (target, role, version, changes, note, by, at, draft_set, origin)
           values ($1, $2, 1, $3::json, $4, $5, $6, $7, $8::json)
           on conflict do nothing returning version`,
          values,
        )
      : await db.query<{ version: number }>(
          `update schema_draft d set target = $1, version = version + 1, changes = $3::json, note = $4, by = $5, at = $6, draft_set = coalesce($7, draft_set),
           origin = coalesce($8::json, origin) where ${DRAFT_TARGET} = $1 and role = $2 and version = $9 returning version`,
          [...values, draft.version],
        )
  return rows[0]?.version
}

/** @returns false when the draft is another version by now */
export async function dropDraft(db: Executor, target: string, role: string, version: number): Promise<boolean> {
  const { rowCount } = await db.query(`delete from schema_draft d where ${DRAFT_TARGET} = $1 and role = $2 and version = $3`, [
    target,
    role,
    version,
  ])
  return rowCount === 1
}

export interface NewRelease {
  id: string
  kind: ReleaseKind
  stage: Stage
  title: string
  reason: string
  by: string
  at: Date
  effectiveAt: Date
}

export async function insertRelease(db: Executor, release: NewRelease): Promise<void> {
  await db.query(
    'insert into schema_release (id, kind, stage, title, reason, by, at, effective_at) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      release.id,
      release.kind,
      release.stage,
      release.title,
      release.reason,
      release.by,
      release.at.toISOString(),
      release.effectiveAt.toISOString(),
    ],
  )
}

/** Appends the next revision of a target. @returns its number */
export async function insertRevision(
  db: Executor,
  revision: Overlay & { releaseId: string; base: string; origin: Origin | null },
): Promise<number> {
  const { rows } = await db.query<{ number: number }>(
    `insert into schema_revision (target, role, number, release_id, changes, base, origin)
     select $1, $2, coalesce(max(number), 0) + 1, $3, $4::json, $5, $6::json from schema_revision v where ${TARGET} = $1 and role = $2 returning number`,
    [
      revision.target,
      revision.role,
      revision.releaseId,
      JSON.stringify(revision.changes),
      revision.base,
      revision.origin === null ? null : JSON.stringify(revision.origin),
    ],
  )
  return rows[0]!.number
}

export async function cancelRelease(db: Executor, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update schema_release set cancelled_at = $2 where id = $1 and cancelled_at is null and effective_at > $2',
    [id, now.toISOString()],
  )
  return rowCount === 1
}

const PRESENT_MILLISECONDS = 120_000

/** Notes that the person has the draft open; answers who else had it in the last two minutes. */
export async function noteEditor(
  db: Executor,
  { target, role, staffId, now }: { target: string; role: string; staffId: string; now: Date },
): Promise<{ by: Person; at: string }[]> {
  await db.query(
    `insert into schema_editor (target, role, staff_id, at) values ($1, $2, $3, $4)
     on conflict (target, role, staff_id) do update set at = excluded.at`,
    [target, role, staffId, now.toISOString()],
  )
  const { rows } = await db.query<{ by: Person; at: string }>(
    `select ${BY('e.staff_id')}, e.at from schema_editor e where e.target = $1 and e.role = $2 and e.staff_id <> $3 and e.at > $4 order by e.at desc`,
    [target, role, staffId, new Date(now.getTime() - PRESENT_MILLISECONDS).toISOString()],
  )
  return rows
}

/** A browser could not show a place of a page. */
export async function noteFault(
  db: Executor,
  fault: { page: string; revision: string; at: string; message: string; now: Date },
): Promise<void> {
  await db.query(
    `insert into schema_fault (page, revision, at, message, count, last_at) values ($1, $2, $3, $4, 1, $5)
     on conflict (page, revision, at) do update set count = schema_fault.count + 1, message = excluded.message, last_at = excluded.last_at`,
    [fault.page, fault.revision, fault.at, fault.message, fault.now.toISOString()],
  )
}

export async function faultsByPage(db: Executor): Promise<Map<string, number>> {
  const { rows } = await db.query<{ page: string; count: number }>(
    `select ${PAGE} as page, sum(count)::int as count from schema_fault f group by 1`,
  )
  return new Map(rows.map(({ page, count }) => [page, count]))
}

export interface Fault {
  revision: string
  at: string
  message: string
  count: number
  lastAt: string
}

/** What could not be shown of a page, the newest first. */
export async function faultsOf(db: Executor, page: string): Promise<Fault[]> {
  const { rows } = await db.query<Fault>(
    `select revision, at, message, count, last_at as "lastAt" from schema_fault f where ${PAGE} = $1 order by last_at desc limit 100`,
    [page],
  )
  return rows
}
