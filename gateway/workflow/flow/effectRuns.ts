import { OUTBOX_LINE, type EntityRecord } from '../../entities'
import { newId, type Executor } from '../../platform/database'
import type { Text } from '../../platform/http'
import type { Standing } from './standing'

/** What is kept of the effects of one step (wf.effectRun). */
export interface EffectRun {
  status: 'done' | 'running' | 'failed'
  tries: number
}

const keyOf = (instanceId: string, step: string): string => `wf:${instanceId}:${step}`
const CAUSE = `cause_entity = 'wf.instance' and cause_id = $1 and cause_step = $2 and deleted_at is null`

export async function effectRun(db: Executor, instanceId: string, step: string): Promise<EffectRun | undefined> {
  const { rows } = await db.query<EffectRun>(
    'select status, tries from wf_effect_run where idem_key = $1 and deleted_at is null',
    [keyOf(instanceId, step)],
  )
  return rows[0] && { ...rows[0], tries: Number(rows[0].tries) }
}

export async function keepRun(
  { tx, row, context }: Standing,
  step: string,
  { status, tries, error, result = {} }: EffectRun & { error?: Text | undefined; result?: EntityRecord },
): Promise<void> {
  await tx.query(
    `insert into wf_effect_run (id, instance_id, step, idem_key, status, tries, error, error_en, result, at, created_at, updated_at, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $10, $10, 1)
     on conflict (idem_key) where deleted_at is null do update set status = excluded.status, tries = excluded.tries, error = excluded.error, error_en = excluded.error_en,
       result = coalesce(nullif(excluded.result, '{}'::jsonb), wf_effect_run.result), at = excluded.at, updated_at = excluded.at, version = wf_effect_run.version + 1`,
    [
      newId(),
      row.id,
      step.slice(0, 80),
      keyOf(row.id, step),
      status,
      tries,
      error?.zh.slice(0, 2_000) ?? null,
      error?.en.slice(0, 2_000) ?? null,
      JSON.stringify(result),
      context.now.toISOString(),
    ],
  )
}

/** How requests to the outside stand that a step has left (sys.outbox); `open` waits or runs, those that were given up do not count. */
export async function deliveriesOf(
  db: Executor,
  instanceId: string,
  step: string,
): Promise<{ open: number; failed: number; error: string | null }> {
  const { rows } = await db.query<{ open: number; failed: number; error: string | null }>(
    `select count(*) filter (where status in ('waiting', 'running')) as open, count(*) filter (where status = 'failed') as failed,
       max(last_error) filter (where status = 'failed') as error from sys_outbox where ${CAUSE}`,
    [instanceId, step],
  )
  return { open: Number(rows[0]?.open ?? 0), failed: Number(rows[0]?.failed ?? 0), error: rows[0]?.error ?? null }
}

/** Asks the outside once more for what failed. False: nothing of the step has failed there. */
export async function askAgain({ tx, row, parts, context }: Standing, step: string): Promise<boolean> {
  const { rows } = await tx.query<{ id: string }>(
    `update sys_outbox set status = 'waiting', attempts = 0, next_at = null, updated_at = $3, version = version + 1
     where ${CAUSE} and status = 'failed' returning id`,
    [row.id, step, context.now.toISOString()],
  )
  await parts.queue.send(
    tx,
    OUTBOX_LINE,
    rows.map(({ id }) => ({ key: id })),
  )
  return rows.length > 0
}
