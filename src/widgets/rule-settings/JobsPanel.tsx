import { Alert, Button, Card, Drawer, Flex, Progress, Tag, Typography } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { showNumber } from '../../schema/formats'
import { toFailure } from '../../headless/failure'
import { useHost } from '../../runtime/hostContext'
import { DAYS, isUnread, unreadReason } from '../../runtime/picker/notation'
import { Picker } from '../../runtime/picker/Picker'
import { Loaded } from '../../runtime/reading/Loaded'
import { useCall } from '../../runtime/reading/useCall'
import { momentText } from '../../runtime/reading/moment'
import { JobParameters } from './JobParameters'
import { ReportView } from './ReportView'
import { RowTable } from './RowTable'
import { ruleTexts } from './texts'
import type { Job, JobRun } from './types'

interface RunsPage {
  records: readonly JobRun[]
}

/** Says how many requests to other systems stay failed, where somebody can do something about them. */
const FailedRequests = () => {
  const host = useHost()
  const texts = ruleTexts[host.locale]
  const where = [{ field: 'status', operator: 'eq', value: 'failed' }]
  const failed = useCall<{ total: number }>({
    method: 'POST',
    path: '/v2/sys/outbox/queryPage',
    body: { pageNo: 1, pageSize: 1, where },
  })
  return (
    <Loaded call={failed}>
      {({ total }) => (
        <Alert
          type={total > 0 ? 'error' : 'info'}
          showIcon
          message={texts.outbox(total)}
          action={
            <Button size="small" onClick={() => host.navigate('/setModule/outbox')}>
              {texts.outboxOpen}
            </Button>
          }
        />
      )}
    </Loaded>
  )
}

/** The scheduled jobs: when they run, dry runs for today or another day, runs for real, and what each run did. */
export const JobsPanel = ({ only }: { only?: string }) => {
  const jobs = useCall<readonly Job[]>({ method: 'GET', path: '/v2/sys/job/list' })
  const runs = useCall<RunsPage>({
    method: 'POST',
    path: '/v2/sys/jobRun/queryPage',
    body: { pageNo: 1, pageSize: 50, ...(only ? { where: [{ field: 'job', operator: 'eq', value: only }] } : {}) },
  })
  const { reload: readJobs } = jobs
  const { reload: readRuns } = runs
  const reload = useCallback((): void => {
    readJobs()
    readRuns()
  }, [readJobs, readRuns])
  return (
    <Loaded call={jobs}>
      {(all) => (
        <Loaded call={runs}>
          {({ records }) => (
            <Jobs jobs={all.filter(({ name }) => only === undefined || name === only)} runs={records} onRun={reload} />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

/** Milliseconds between two looks at runs that are under way. */
const LOOK_EVERY = 2_000

/** How far a run is, in its stage and rows. */
const HowFar = ({ progress: { stage, done, total } }: { progress: NonNullable<JobRun['progress']> }) => {
  const { locale } = useHost()
  return (
    <div style={{ minWidth: 180 }}>
      {stage[locale]}
      {total > 0 && (
        <>
          {' '}
          {showNumber(done, locale)} / {showNumber(total, locale)}
          <Progress percent={Math.floor((100 * done) / total)} size="small" aria-label={stage[locale]} />
        </>
      )}
    </div>
  )
}

interface JobsProps {
  jobs: readonly Job[]
  runs: readonly JobRun[]
  /** Reads the jobs and their runs anew. */
  onRun(): void
}

const Jobs = ({ jobs, runs, onRun }: JobsProps) => {
  const host = useHost()
  const { locale } = host
  const texts = ruleTexts[locale]
  const [shown, setShown] = useState<JobRun | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const unread = isUnread(day, DAYS)
  const underWay = busy !== null || runs.some(({ status }) => status === 'running')
  useEffect(() => {
    if (!underWay) return
    const timer = setInterval(onRun, LOOK_EVERY)
    return () => clearInterval(timer)
  }, [underWay, onRun])

  const run = async (job: Job, dry: boolean): Promise<void> => {
    if (
      !dry &&
      !(await host.confirm({ title: `${texts.runNow}${texts.colon}${job.title[locale]}`, content: texts.runAsk, danger: true }))
    )
      return
    setBusy(`${job.name}/${dry}`)
    try {
      const body = { job: job.name, dry, ...(dry && day ? { day } : {}) }
      setShown(await host.request<JobRun>({ method: 'POST', path: '/v2/sys/job/run', body, timeout: 300_000 }))
      onRun()
    } catch (error) {
      host.notify('error', texts.failed(toFailure(error, locale).message))
    } finally {
      setBusy(null)
    }
  }
  const show = async (id: string): Promise<void> => {
    try {
      setShown(await host.request<JobRun>({ method: 'GET', path: `/v2/sys/job/run/${id}` }))
    } catch (error) {
      host.notify('error', texts.failed(toFailure(error, locale).message))
    }
  }
  const titleOf = (name: string): string => jobs.find((job) => job.name === name)?.title[locale] ?? name
  const state = (status: string) => (
    <Tag color={status === 'done' ? 'green' : status === 'failed' ? 'red' : 'blue'}>{texts.status[status] ?? status}</Tag>
  )
  return (
    <Flex vertical gap={16}>
      <FailedRequests />
      <Picker
        notation={DAYS}
        value={day}
        onChange={setDay}
        placeholder={texts.day}
        aria-label={texts.day}
        style={{ maxWidth: 220 }}
      />
      {unread && <Alert type="error" showIcon message={unreadReason(day, 'date', locale)} />}
      <div style={{ display: 'grid', gap: 12, gridTemplateColumns: 'repeat(auto-fill, minmax(260px, 1fr))' }}>
        {jobs.map((job) => (
          <Card key={job.name} size="small" title={job.title[locale]}>
            <Flex vertical gap={8}>
              <span>{job.description[locale]}</span>
              <Typography.Text type="secondary">
                {texts.next}
                {texts.colon}
                {momentText(host, job.nextAt)}
              </Typography.Text>
              <Typography.Text type="secondary">
                {texts.last}
                {texts.colon}
                {job.last ? momentText(host, job.last.startedAt) : texts.never} {job.last && state(job.last.status)}
              </Typography.Text>
              {job.parameters.length > 0 && <JobParameters job={job} onSet={onRun} />}
              <Flex gap={8} wrap>
                <Button
                  loading={busy === `${job.name}/true`}
                  disabled={busy !== null || unread}
                  onClick={() => void run(job, true)}
                >
                  {texts.dryRun}
                </Button>
                <Button loading={busy === `${job.name}/false`} disabled={busy !== null} onClick={() => void run(job, false)}>
                  {texts.runNow}
                </Button>
              </Flex>
            </Flex>
          </Card>
        ))}
      </div>
      <Typography.Title level={5}>{texts.runs}</Typography.Title>
      <RowTable
        rows={runs}
        keyOf={({ id }) => id}
        columns={[
          { key: 'job', title: texts.job, render: ({ job }) => titleOf(job) },
          { key: 'at', title: texts.started, render: ({ startedAt }) => momentText(host, startedAt) },
          { key: 'dry', title: texts.kind, render: ({ dry }) => <Tag>{dry ? texts.dry : texts.real}</Tag> },
          {
            key: 'status',
            title: texts.result,
            render: ({ status, error, progress }) => (
              <>
                {state(status)}
                {error}
                {progress && status !== 'done' && <HowFar progress={progress} />}
              </>
            ),
          },
          {
            key: 'show',
            render: ({ id }) => (
              <Button size="small" onClick={() => void show(id)}>
                {texts.show}
              </Button>
            ),
          },
        ]}
      />
      {shown && (
        <Drawer
          open
          width={Math.min(820, window.innerWidth)}
          title={`${titleOf(shown.job)} · ${shown.forDay} · ${shown.dry ? texts.dry : texts.real}`}
          onClose={() => setShown(null)}
        >
          {shown.report ? (
            <ReportView report={shown.report} />
          ) : shown.status === 'running' ? (
            <Alert type="info" showIcon message={shown.progress ? <HowFar progress={shown.progress} /> : texts.status.running} />
          ) : (
            <Alert type="error" showIcon message={shown.error ?? ''} />
          )}
        </Drawer>
      )}
    </Flex>
  )
}
