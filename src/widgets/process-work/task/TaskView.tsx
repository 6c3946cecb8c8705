import '../../../runtime/cell/cell.css'
import { CopyOutlined, LeftOutlined, PrinterOutlined, RightOutlined } from '@ant-design/icons'
import { Alert, Button, Dropdown, Space, Tooltip } from 'antd'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { tellChanged } from '../../../runtime/changes'
import { addressFor, neighboursOf } from '../../../runtime/detail/neighbours'
import type { FormHandle } from '../../../runtime/form'
import { useBeside } from '../../../runtime/list/besideList'
import type { Outcome } from '../../../runtime/form/session/submit'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { momentText } from '../../../runtime/reading/moment'
import { showNumber } from '../../../schema/formats'
import { formFields, valueText } from '../parts/fields'
import { WORK_LISTS } from '../parts/lists'
import { PortalLink } from '../parts/PortalLink'
import { Path } from '../parts/Path'
import { ProcessForm } from '../parts/ProcessForm'
import { partTexts } from '../parts/texts'
import type { InstanceDetail, PathNode, Values } from '../parts/types'
import { useTitles } from '../parts/useTitles'
import { When } from '../parts/When'
import { agreeAsk, otherAsk, rejectAsk, type Ask } from './asks'
import Facts from './Facts'
import { createGate, Gated } from './Gated'
import { Log } from './Log'
import { taskTexts } from './texts'
import { moneyText } from '../parts/moneyText'
import { useKeys } from './useKeys'

const AskDialog = lazyPart(() => import('./AskDialog'), 'over')

const SUBMIT = '/general/process/sponsor/submit'
const PAGES = {
  todo: { entity: 'wf.task', path: '/general/process/my-agent/profile', back: '/general/process/my-agent', name: 'taskId' },
  initiated: {
    entity: 'wf.instance',
    path: '/general/process/my-initiate/profile',
    back: '/general/process/my-initiate',
    name: 'instanceId',
  },
  handled: { entity: 'wf.task', path: '/general/process/my-handle/profile', back: '/general/process/my-handle', name: 'taskId' },
  copies: {
    entity: 'wf.cc',
    path: '/general/process/my-deliver/profile',
    back: '/general/process/my-deliver',
    name: 'instanceId',
  },
} as const

const COLORS: Readonly<Record<string, string>> = {
  running: 'blue',
  returned: 'orange',
  agreed: 'green',
  done: 'green',
  effecting: 'blue',
  rejected: 'red',
  effectFailed: 'volcano',
}
/** What stands in "more", in this order; destroying ones last. */
const MORE = ['addSign', 'urge', 'takeBack', 'withdraw', 'retryEffect', 'jump', 'reassign', 'terminate']
const NONE: Values = {}

const current = (nodes: readonly PathNode[]): PathNode[] =>
  nodes.flatMap((node) => [
    ...(node.state === 'current' && (node.branches?.length ?? 0) === 0 ? [node] : []),
    ...(node.branches ?? []).flatMap((branch) => current(branch.nodes)),
  ])

interface TaskViewProps {
  detail: InstanceDetail
  list: keyof typeof PAGES
  /** The task that the address names. */
  asked: string | null
  reload(): void
}

/** Everything of an application on one page; on a phone one below the other, with the decision at hand. */
export const TaskView = ({ detail, list, asked, reload }: TaskViewProps) => {
  const host = useHost()
  const { locale } = host
  const phone = usePhone()
  const texts = taskTexts[locale]
  const words = partTexts[locale]
  const { instance, form, path, timeline, myTask, actions, cc } = detail
  const root = useRef<HTMLDivElement>(null)
  const handle = useRef<FormHandle | null>(null)
  const [ask, setAsk] = useState<{ ask: Ask; formData: Values } | null>(null)
  const [late, setLate] = useState<{ message: string; meanwhile: readonly string[] } | null>(null)
  // What was new when the page was opened stays marked while it is looked at.
  const [seenBefore] = useState(detail.seenBefore ?? null)
  const page = PAGES[list]
  const own = list === 'todo' || list === 'handled' ? asked : instance.id
  const beside = useBeside()
  const { previous, next } = beside ?? neighboursOf(host, page.entity, own ?? '')
  const named = instance.title[locale] || instance.processName[locale]
  // what it is an application for stands before whom and what it is about
  const title = named.includes(instance.processName[locale]) ? named : `${instance.processName[locale]} · ${named}`
  useEffect(() => host.setTitle?.(title), [host, title])

  const fields = useMemo(() => formFields(form.bundle, host), [form.bundle, host])
  const diffs = useMemo(() => [...form.changed, ...timeline.flatMap(({ diff }) => diff)], [form.changed, timeline])
  const titles = useTitles(fields, diffs)
  const notes = useMemo(
    () =>
      Object.fromEntries(
        form.changed.map(({ field, before, after, by, nodeName, at }) => {
          const known = fields[field]?.field
          const text = (value: unknown): string => valueText(host, known, value, form.values, titles)
          return [field, texts.changedField(text(before), text(after), by, nodeName[locale], momentText(host, at))]
        }),
      ),
    [form, fields, titles, host, locale, texts],
  )

  const open = useCallback(
    (id: string | null): void => {
      if (beside) return beside.show(id)
      if (id === null || own === null) return
      const address = addressFor(page.path, `${page.name}=${encodeURIComponent(own)}`, own, id)
      host.navigate(address, { replace: true })
    },
    [beside, host, own, page],
  )

  /** Only what this step may change travels with a decision. */
  const changes = useCallback(
    (all: Values): Values =>
      Object.fromEntries(Object.entries(all).filter(([name]) => form.rights[name] === 'E' || form.rights[name] === 'M')),
    [form.rights],
  )
  const editable = Object.values(form.rights).some((right) => right === 'E' || right === 'M')
  // What is decided takes the fields along: they have to be there.
  const [gate] = useState(createGate)
  const begin = useCallback(
    async (wanted: Ask | null): Promise<void> => {
      if (!wanted) return
      setLate(null)
      if (!wanted.form || !editable) return setAsk({ ask: wanted, formData: NONE })
      const collected = await handle.current?.collect()
      if (collected) setAsk({ ask: wanted, formData: changes(collected.changes) })
    },
    [changes, editable],
  )

  const agreeWays = myTask?.agreeActions ?? []
  const rejectWays = myTask?.rejectActions ?? []
  const [firstWay] = agreeWays
  const [firstReject] = rejectWays
  const agree = useCallback(
    (way: string | undefined) => void (myTask && way !== undefined && begin(agreeAsk(way, myTask))),
    [begin, myTask],
  )
  const reject = useCallback(
    (way: string | undefined) => void (myTask && way !== undefined && begin(rejectAsk(way, myTask))),
    [begin, myTask],
  )
  const help = useCallback(() => host.notify('info', texts.keys), [host, texts])
  const keys = useMemo(
    () => ({
      // beside its list, the list goes on
      j: beside || next === null ? undefined : () => open(next),
      k: beside || previous === null ? undefined : () => open(previous),
      a: firstWay === undefined ? undefined : () => agree(firstWay),
      r: firstReject === undefined ? undefined : () => reject(firstReject),
      c: actions.includes('comment') ? () => void begin(otherAsk('comment', detail)) : undefined,
      p: () => window.print(),
      '?': help,
    }),
    [actions, agree, begin, beside, detail, firstReject, firstWay, help, next, open, previous, reject],
  )
  useKeys(keys, root)

  const done = (finished: Ask): void => {
    setAsk(null)
    handle.current?.settle()
    host.notify('success', texts.done[finished.done] ?? '')
    for (const changed of Object.values(WORK_LISTS)) tellChanged(changed)
    const decided = ['agree', 'reject', 'transmit'].includes(finished.call)
    if (list === 'todo' && decided && (next !== null || beside)) open(next ?? previous)
    else reload()
  }
  const onOutcome = (outcome: Outcome): void => {
    setAsk(null)
    if (outcome.type === 'stale') {
      const { by = '', at, meanwhile = [] } = outcome.conflict
      setLate({
        message: texts.stale(by, at ? momentText(host, at) : ''),
        meanwhile: meanwhile.map((each) =>
          texts.meanwhile(
            each.by ?? texts.system,
            texts.log[each.action] ?? each.action,
            each.nodeName?.[locale] ?? '',
            each.at ? momentText(host, each.at) : '',
            each.comment ?? '',
          ),
        ),
      })
      reload()
      return
    }
    handle.current?.tell(outcome)
  }

  const copy = (): void => host.navigate(`${SUBMIT}?code=${instance.processCode}&copyFrom=${encodeURIComponent(instance.id)}`)
  const resubmit = (): void => host.navigate(`${SUBMIT}?instanceId=${encodeURIComponent(instance.id)}`)
  const offered = (action: string): boolean => actions.includes(action)
  const more = MORE.filter((action) => offered(action) && (myTask !== null || !['urge', 'withdraw'].includes(action)))
    .filter((action) => action !== 'takeBack' || asked !== null)
    .map((action) => ({
      key: action,
      label: texts.actions[action] ?? action,
      danger: ['withdraw', 'terminate', 'jump', 'reassign'].includes(action),
      onClick: () => void begin(otherAsk(action, detail)),
    }))
  const edit = offered('resubmit')
  const direct = myTask ? [] : ['urge', 'withdraw'].filter(offered)
  const plain = [
    ...direct,
    ...(offered('transmit') && myTask?.transmit ? ['transmit'] : []),
    ...(offered('comment') ? ['comment'] : []),
  ].map((action) => ({
    key: action,
    label: texts.actions[action] ?? action,
    onClick: () => void begin(otherAsk(action, detail)),
  }))
  const extras = [
    ...(offered('copy') ? [{ key: 'copy', icon: <CopyOutlined />, label: texts.actions.copy, onClick: copy }] : []),
    { key: 'print', icon: <PrinterOutlined />, label: texts.print, onClick: () => window.print() },
    ...(phone ? [] : [{ key: 'keys', label: texts.keysTitle, onClick: help }]),
  ]
  const inMenu = phone ? [...plain, ...more, ...extras] : [...more, ...extras]

  const waiting = current(path)
  const people = waiting.flatMap(({ assignees = [] }) => assignees.filter(({ state }) => !state || state === 'pending'))
  const dueAt = myTask?.dueAt ?? waiting[0]?.dueAt ?? null
  const overdue = dueAt !== null && instance.endedAt === null && new Date(dueAt) < host.now()
  const money = (value: string | number | null, currency: string | null): string =>
    value === null ? '—' : currency ? moneyText(value, currency, locale) : showNumber(value, locale)
  const ended = ['agreed', 'rejected', 'withdrawn', 'terminated', 'done', 'effectFailed'].includes(instance.status)
  const [last] = [...timeline]
    .filter(({ action }) =>
      ['agree', 'reject', 'return', 'transmit', 'done', 'withdraw', 'terminate', 'jump', 'reassign'].includes(action),
    )
    .sort((a, b) => b.at.localeCompare(a.at))
  // The address names a task that is no longer this person's to decide: the truth about it comes first.
  const lost = list === 'todo' && asked !== null && myTask?.taskId !== asked
  const fresh = timeline.filter(({ at, byId }) => seenBefore !== null && at > seenBefore && byId !== host.user.staffId).length

  return (
    <div ref={root} className="sb-process-main" data-instance={instance.id}>
      <header className="sb-process-card">
        <div className="sb-process-head">
          <div className="sb-process-name">
            <h1>
              <bdi>{title}</bdi>
            </h1>
            {instance.code && (
              <button
                type="button"
                className="sb-link sb-code"
                aria-label={texts.copyCode(instance.code)}
                title={texts.copyCode(instance.code)}
                onClick={() => void host.copy(instance.code ?? '')}
              >
                {instance.code}
              </button>
            )}
            <span className={`sb-tag sb-tag-${COLORS[instance.status] ?? 'default'}`}>
              {words.statuses[instance.status] ?? instance.status}
            </span>
            {instance.urgency === 'urgent' && <span className="sb-tag sb-tag-red">{texts.urgent}</span>}
          </div>
          {!beside && (previous !== null || next !== null) && (
            <span className="sb-process-turns">
              <Tooltip title={texts.keys}>
                <Space.Compact>
                  <Button
                    icon={<LeftOutlined />}
                    aria-label={texts.previous}
                    disabled={previous === null}
                    onClick={() => open(previous)}
                  />
                  <Button icon={<RightOutlined />} aria-label={texts.next} disabled={next === null} onClick={() => open(next)} />
                </Space.Compact>
              </Tooltip>
            </span>
          )}
        </div>
        <dl className="sb-process-facts">
          {instance.amount !== null && (
            <div>
              <dt>{texts.amount}</dt>
              <dd className="sb-process-amount">{money(instance.amount, instance.currency)}</dd>
              {instance.amountCny !== null && instance.currency !== 'CNY' && (
                <dd className="sb-process-note">{texts.about(money(instance.amountCny, 'CNY'))}</dd>
              )}
            </div>
          )}
          <div>
            <dt>{texts.applicant}</dt>
            <dd>
              <bdi>{instance.applicantName}</bdi>
              {instance.deptName && <span className="sb-process-note"> · {instance.deptName}</span>}
            </dd>
          </div>
          {instance.startedAt && (
            <div>
              <dt>{texts.started}</dt>
              <dd>
                <When at={instance.startedAt} />
              </dd>
            </div>
          )}
          {instance.endedAt ? (
            <div>
              <dt>{texts.ended}</dt>
              <dd>
                <When at={instance.endedAt} />
              </dd>
            </div>
          ) : (
            people.length > 0 && (
              <div>
                <dt>{texts.waiting}</dt>
                <dd>
                  <bdi>{people.map(({ name }) => name).join(texts.join)}</bdi>
                </dd>
              </div>
            )
          )}
          {dueAt !== null && !ended && (
            <div>
              <dt>{texts.dueAt}</dt>
              <dd className={overdue ? 'sb-path-late' : undefined}>
                {overdue ? words.overdue(momentText(host, dueAt)) : momentText(host, dueAt)}
              </dd>
            </div>
          )}
          {instance.round > 1 && (
            <div>
              <dt>{texts.round}</dt>
              <dd>{instance.round}</dd>
            </div>
          )}
          <div>
            <dt>{texts.version}</dt>
            <dd>
              {/* whoever administers the process goes on to what it takes */}
              {actions.includes('reassign') || actions.includes('terminate') ? (
                <PortalLink address={`/setModule/process/figures?f.processId=in:${encodeURIComponent(instance.processId)}`}>
                  {instance.processName[locale]}
                </PortalLink>
              ) : (
                instance.processName[locale]
              )}{' '}
              · {texts.versionNo(instance.versionNo)}
            </dd>
          </div>
        </dl>
      </header>

      {late !== null ? (
        <Alert
          type="warning"
          showIcon
          role="alert"
          message={late.message}
          description={
            late.meanwhile.length > 0 && (
              <ul className="sb-process-meanwhile">
                {late.meanwhile.map((line, index) => (
                  <li key={index}>
                    <bdi>{line}</bdi>
                  </li>
                ))}
              </ul>
            )
          }
        />
      ) : (
        lost &&
        !instance.draft && (
          <Alert
            type="info"
            showIcon
            message={
              last
                ? texts.handledByOther(
                    last.byName || texts.system,
                    texts.log[last.action] ?? last.action,
                    momentText(host, last.at),
                  )
                : texts.notMine
            }
          />
        )
      )}
      {instance.effectStatus === 'failed' || instance.status === 'effectFailed' ? (
        <Alert type="error" showIcon message={texts.effectFailed(instance.effectState ?? '', instance.effectError ?? '')} />
      ) : null}
      {myTask?.returns && myTask.returns.times >= myTask.returns.most && (
        <Alert type="warning" showIcon message={texts.returnedOften(myTask.returns.times)} />
      )}
      {fresh > 0 && seenBefore !== null && (
        <Alert type="info" showIcon message={texts.newSince(fresh, momentText(host, seenBefore))} />
      )}

      <div className="sb-process-grid">
        <div className="sb-process-main">
          <section className="sb-process-card">
            <h2>{texts.form}</h2>
            <ProcessForm
              key={instance.rowVersion}
              bundle={form.bundle}
              values={form.values}
              refs={form.refs}
              instanceId={instance.id}
              notes={notes}
              handle={handle}
              onSubmit={() => agree(firstWay)}
              onValues={gate.open}
            />
          </section>
          {instance.bizLink && instance.bizId && (
            <Facts address={instance.bizLink} id={instance.bizId} code={instance.bizCode ?? ''} />
          )}
        </div>
        <aside className="sb-process-rail">
          <section className="sb-process-card">
            <h2>{texts.path}</h2>
            <Path nodes={path} />
          </section>
          <section className="sb-process-card">
            <h2>{texts.timeline}</h2>
            <Log host={host} lines={timeline} fields={fields} values={form.values} titles={titles} seenBefore={seenBefore} />
          </section>
          {cc.length > 0 && (
            <section className="sb-process-card">
              <h2>{texts.copies}</h2>
              <ul className="sb-path-people">
                {cc.map(({ id, name, readAt }) => (
                  <li key={id}>
                    <bdi>{name}</bdi>
                    <span className="sb-process-note"> · {readAt ? texts.readAt(momentText(host, readAt)) : texts.unread}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </aside>
      </div>

      <div className="sb-process-bar">
        {myTask && firstWay !== undefined && (
          <>
            {!phone && <span className="sb-process-note">{texts.yourTurn(myTask.nodeName[locale])}</span>}
            <Space.Compact>
              <Gated gate={gate} locked={editable} onClick={() => agree(firstWay)}>
                {texts.actions[firstWay] ?? firstWay}
              </Gated>
              {agreeWays.length > 1 && (
                <Dropdown
                  trigger={['click']}
                  menu={{
                    items: agreeWays
                      .slice(1)
                      .map((way) => ({ key: way, label: texts.actions[way] ?? way, onClick: () => agree(way) })),
                  }}
                >
                  <Button type="primary" aria-label={`${texts.actions[firstWay] ?? ''}: ${texts.more}`}>
                    ⋯
                  </Button>
                </Dropdown>
              )}
            </Space.Compact>
            {rejectWays.length === 1 ? (
              <Button danger onClick={() => reject(rejectWays[0])}>
                {texts.actions[rejectWays[0] ?? ''] ?? rejectWays[0]}
              </Button>
            ) : rejectWays.length > 1 ? (
              <Dropdown
                trigger={['click']}
                menu={{
                  items: rejectWays.map((way) => ({
                    key: way,
                    label: texts.actions[way] ?? way,
                    danger: way === 'rejectEnd',
                    onClick: () => reject(way),
                  })),
                }}
              >
                <Button danger>{texts.actions[rejectWays.includes('rejectEnd') ? 'reject' : 'return']}</Button>
              </Dropdown>
            ) : null}
          </>
        )}
        {edit && (
          <Button type="primary" onClick={resubmit}>
            {texts.actions.resubmit}
          </Button>
        )}
        {!phone &&
          plain.map(({ key, label, onClick }) => (
            <Button key={key} onClick={onClick}>
              {label}
            </Button>
          ))}
        <span className="sb-process-bar-end">
          <Dropdown trigger={['click']} menu={{ items: inMenu }}>
            <Button>{texts.more}</Button>
          </Dropdown>
        </span>
      </div>
      {ask && (
        <Suspense fallback={null}>
          <AskDialog
            ask={ask.ask}
            formData={ask.formData}
            detail={detail}
            asked={asked}
            onClose={() => setAsk(null)}
            onDone={() => done(ask.ask)}
            onOutcome={onOutcome}
          />
        </Suspense>
      )}
    </div>
  )
}
