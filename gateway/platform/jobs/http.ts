import type { FastifyInstance } from 'fastify'
import type { MovableClock } from '../clock'
import type { Database } from '../database'
import { contextOf, ok, ServiceError, type RequestContext } from '../http'
import { setValues, valuesOf } from './parameters'
import { lastRun } from './runs'
import type { Scheduler } from './scheduler'
import type { JobProgress, JobReport } from './types'
import { MASK } from '../../../src/schema/entity'

/** Whoever sees the runs may start them. */
const KEY = 'crm:param:manage'
/** Ten years, in seconds. */
const MOST_SHIFT = 315_360_000
const DAY = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }

/** Whether somebody sees a field in clear, by `entity.field`. */
type FieldCheck = (context: RequestContext, field: string) => boolean

interface RunAnswer {
  id: string
  job: string
  forDay: string
  status: string
  dry: boolean
  startedAt: string
  finishedAt: string | null
  /** While it runs. */
  progress: JobProgress | null
  report: JobReport | null
  error: string | null
}

/** Calls of the jobs: what there is, a run with its rows, running one dry or for real. */
export function registerJobRoutes(
  app: FastifyInstance,
  { scheduler, database, readable }: { scheduler: Scheduler; database: Database; readable: FieldCheck },
): void {
  const read = async (context: RequestContext, id: string): Promise<RunAnswer> => {
    const { rows } = await database.query<RunAnswer>(
      `select id, job, for_day::text as "forDay", status, coalesce(dry, false) as dry, started_at as "startedAt", finished_at as "finishedAt", progress, report, error
       from sys_job_run where id = $1 and deleted_at is null`,
      [id],
    )
    if (!rows[0]) throw new ServiceError('notFound')
    const { report } = rows[0]
    return { ...rows[0], report: report && maskedReport(report, (field) => readable(context, field)) }
  }
  app.get(
    '/v2/sys/job/list',
    { config: { permission: KEY }, schema: { tags: ['sys'], summary: 'The jobs, when they run next and how they ran last' } },
    async (request) =>
      ok(
        await Promise.all(
          scheduler.all().map(async (job) => {
            const last = await lastRun(database, job.name)
            const { name, title, description, schedule } = job
            const values = await valuesOf(database, job, contextOf(request).now)
            const parameters = Object.entries(job.parameters ?? {}).map(([id, one]) => ({ id, ...one, value: values[id] }))
            return { name, title, description, schedule, nextAt: scheduler.nextAt(job).toISOString(), last, parameters }
          }),
        ),
      ),
  )
  app.get<{ Params: { id: string } }>(
    '/v2/sys/job/run/:id',
    { config: { permission: KEY }, schema: { tags: ['sys'], summary: 'One run with the rows of its report' } },
    async (request) => ok(await read(contextOf(request), request.params.id)),
  )
  app.post<{ Body: { job: string; values: Record<string, unknown>; reason: string } }>(
    '/v2/sys/job/set',
    {
      config: { permission: KEY },
      schema: {
        tags: ['sys'],
        summary: 'Sets all parameters of a job, from its next run on',
        body: {
          type: 'object',
          properties: {
            job: { type: 'string', maxLength: 60 },
            values: { type: 'object', additionalProperties: true },
            reason: { type: 'string', minLength: 2, maxLength: 200 },
          },
          required: ['job', 'values', 'reason'],
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const job = scheduler.find(request.body.job)
      if (!job?.parameters) throw new ServiceError('notFound')
      await database.transaction((tx) => setValues(tx, contextOf(request), job, request.body))
      return ok(null)
    },
  )
  app.post<{ Body: { job: string; dry: boolean; day?: string } }>(
    '/v2/sys/job/run',
    {
      config: { permission: KEY },
      schema: {
        tags: ['sys'],
        summary: 'Runs a job: dry, now or for a day, or for real now',
        body: {
          type: 'object',
          properties: { job: { type: 'string', maxLength: 60 }, dry: { type: 'boolean' }, day: DAY },
          required: ['job', 'dry'],
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const { dry, day } = request.body
      const job = scheduler.find(request.body.job)
      if (!job) throw new ServiceError('notFound')
      if (day !== undefined && !dry)
        throw new ServiceError('badRequest', {
          message: { zh: '只有试运行可以指定日期。', en: 'Only a dry run can be for another day.' },
          data: { errors: [] },
        })
      const id = await scheduler.runNow(job, { dry, ...(day === undefined ? {} : { day }), startedBy: context.user.staffId })
      if (id === null)
        throw new ServiceError('transitionRefused', {
          message: {
            zh: '另一个任务正在运行，请稍后再试。',
            en: 'Another job is running. Try again in a moment.',
          },
          data: { transition: 'run' },
        })
      return ok(await read(context, id))
    },
  )
}

/**
 * Moves the clock where things are only tried out, for the portal too; what becomes due by that runs before the answer:
 * the jobs, and whatever else waits for an hour.
 */
export function registerClockRoute(
  app: FastifyInstance,
  clock: MovableClock,
  scheduler: Scheduler,
  { onMove, before }: { onMove: () => Promise<void>; before: readonly string[] },
): void {
  // the portal takes its today from the answers to its calls
  app.addHook('onSend', (request, reply, payload, done) => {
    if (clock.shift() !== 0 && request.url.startsWith('/v2/')) reply.header('date', clock.now().toUTCString())
    done(null, payload)
  })
  app.post<{ Body: { shiftSeconds: number } }>(
    '/v2/sys/clock',
    {
      config: { permission: KEY },
      schema: {
        tags: ['sys'],
        summary: 'Test environments only: puts the clock so many seconds from the true time and runs what became due',
        body: {
          type: 'object',
          properties: { shiftSeconds: { type: 'integer', minimum: -MOST_SHIFT, maximum: MOST_SHIFT } },
          required: ['shiftSeconds'],
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const move = async (): Promise<void> => {
        clock.set(request.body.shiftSeconds * 1000)
        await onMove()
      }
      const ran = await scheduler.runDue({ move, before })
      return ok({ now: clock.now().toISOString(), ran })
    },
  )
}

/** A report as its reader may see it: field rules hold for its cells as for rows. Counts stay. */
export function maskedReport({ cells, ...report }: JobReport, readable: (field: string) => boolean): JobReport {
  const columns = report.columns.map(({ id, kind, of = kind === 'customer' ? ['crm.customer.name'] : [] }) => ({ id, of }))
  const closedIn = (row: number): [string, string][] =>
    columns.flatMap(({ id, of }) => ((cells?.[row]?.[id] ?? of).every(readable) ? [] : [[id, MASK] as [string, string]]))
  return { ...report, rows: report.rows.map((row, index) => ({ ...row, ...Object.fromEntries(closedIn(index)) })) }
}
