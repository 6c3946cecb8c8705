import { newId, type Database, type Executor } from '../database'
import type { JobDefinition, JobContext, JobProgress, JobReport } from './types'

/** A run that said nothing for so long belongs to a gateway that is gone, also where its connections still seem to stand. */
const SILENT_SECONDS = 120
export const HEARTBEAT = 20_000

export interface RunRow {
  id: string
  job: string
  status: string
  slot: string | null
  startedAt: string
}

/** Runs that took or take place at a slot, the newest first. */
export async function lastRun(db: Executor, job: string): Promise<RunRow | null> {
  const { rows } = await db.query<RunRow>(
    `select id, job, status, slot, started_at as "startedAt" from sys_job_run
     where job = $1 and not coalesce(dry, false) and deleted_at is null order by started_at desc limit 1`,
    [job],
  )
  return rows[0] ?? null
}

/** When a job last began to do something; null before the first. The clock that it tells may have been moved. */
export async function lastRunAt(db: Executor): Promise<Date | null> {
  const { rows } = await db.query<{ at: string | null }>(
    `select max(started_at) as at from sys_job_run where not coalesce(dry, false) and deleted_at is null`,
  )
  return rows[0]?.at ? new Date(rows[0].at) : null
}

export interface RunClaim {
  job: JobDefinition
  run: JobContext
  slot: string | null
  /** Names of the jobs of which none may run at the same time. */
  beside: readonly string[]
}

/**
 * Writes the start of a run down, unless one of the jobs that exclude it runs (on any gateway), or its slot is done. A dry run takes no
 * turn: it may stand beside others. A run whose gateway has no connection any more has failed: its job may be started again at once.
 */
export function claimRun(database: Database, { job, run, slot, beside }: RunClaim): Promise<{ id: string } | 'busy' | 'done'> {
  return database.transaction(async (tx) => {
    if (!run.dry) {
      await tx.query(`select pg_advisory_xact_lock(hashtext('switchboard jobs'))`)
      await tx.query(
        `update sys_job_run set status = 'failed', error = 'The gateway that ran it is gone.', finished_at = now(), slot = null
         where status = 'running' and (updated_at < now() - make_interval(secs => $1)
           or (runner <> $2 and not exists (select 1 from pg_stat_activity a where a.application_name = runner)))`,
        [SILENT_SECONDS, database.instance],
      )
      const { rows } = await tx.query<{ done: boolean }>(
        `select coalesce(slot = $1 and status = 'done', false) as done from sys_job_run
         where (status = 'running' and not coalesce(dry, false) and job = any($2::text[])) or slot = $1 order by 1 desc limit 1`,
        [slot, beside],
      )
      if (rows[0]) return rows[0].done ? 'done' : 'busy'
    }
    const id = newId()
    await tx.query(
      `insert into sys_job_run (id, job, for_day, status, dry, started_at, started_by, slot, runner, created_at, updated_at, created_by, version)
       values ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $5, now(), $6, 1)`,
      [id, job.name, run.day, run.dry, run.now.toISOString(), run.startedBy, slot, database.instance],
    )
    return { id }
  })
}

export async function beat(db: Executor, id: string): Promise<void> {
  await db.query(`update sys_job_run set updated_at = now() where id = $1`, [id])
}

/** Milliseconds between two words about how far a run is. */
const TELL_EVERY = 1_000

/**
 * How a run says how far it is: the latest word is written down, at most once a second and beside the transactions of the run, so that
 * it is seen while they last. `end` waits for a word under way, so that none comes after the end of the run.
 */
export function progressOf(db: Executor, id: string, onError: (error: unknown) => void) {
  let latest: JobProgress | null = null
  let toldAt = -Infinity
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<unknown> = Promise.resolve()
  const write = (): void => {
    timer = null
    toldAt = performance.now()
    const text = JSON.stringify(latest)
    writing = writing
      .then(() => db.query(`update sys_job_run set progress = $2::jsonb, updated_at = now() where id = $1`, [id, text]))
      .catch(onError)
  }
  return {
    tell: (progress: JobProgress): void => {
      latest = progress
      timer ??= setTimeout(write, Math.max(0, TELL_EVERY - (performance.now() - toldAt)))
      timer.unref()
    },
    end: (): Promise<unknown> => {
      if (timer) clearTimeout(timer)
      return writing
    },
  }
}

/** Writes the end down. A failed run gives its slot back, so that it is tried again. */
export async function endRun(db: Executor, id: string, end: { report: JobReport } | { error: string }, at: Date): Promise<void> {
  if ('report' in end)
    await db.query(
      `update sys_job_run set status = 'done', progress = null, report = $2::jsonb, finished_at = $3, updated_at = now() where id = $1`,
      [id, JSON.stringify(end.report), at.toISOString()],
    )
  else
    await db.query(
      `update sys_job_run set status = 'failed', error = $2, slot = null, finished_at = $3, updated_at = now() where id = $1`,
      [id, end.error.slice(0, 1000), at.toISOString()],
    )
}
