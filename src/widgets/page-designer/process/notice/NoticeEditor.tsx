import '../../designer.css'
import '../process.css'
import { SendOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Input, InputNumber, Select, TimePicker } from 'antd'
import { dequal } from 'dequal/lite'
import { useMemo, useState, type ReactNode } from 'react'
import { wallClock } from '../../../../schema/formats'
import { isObject } from '../../../../schema/overlay'
import { RemoteSelect } from '../../../../runtime/choice/SearchSelect'
import { useHost } from '../../../../runtime/hostContext'
import { Denied } from '../../../../runtime/reading/Denied'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { tellFailure } from '../../../../runtime/reading/tell'
import { useCall } from '../../../../runtime/reading/useCall'
import { useTokenStyle } from '../../../../runtime/tokens'
import type { WidgetProps } from '../../../../runtime/widget'
import { STAFF } from '../panel/staff'
import { textIn } from '../words'
import { RecordFrame } from '../work/RecordFrame'
import { Deliveries } from './Deliveries'
import { EventTexts } from './EventTexts'
import { unknownIn } from './placeholders'
import { noticeTexts } from './texts'
import type { NoticeDetail, NoticeDraft, TestAnswer } from './types'

const KEY = 'wf:admin'
const CALLS = '/v2/sys/staff/dingNotice'
const LIST = '/setModule/process/notify'
const PAGE = `${LIST}/notice`
const PROCESSES = '/v2/wf/process'

const draftOf = (detail: NoticeDetail): NoticeDraft => {
  const known = detail as NoticeDetail & Partial<NoticeDraft>
  return {
    name: known.name ?? '',
    kind: known.kind ?? 'dingTalk',
    address: known.address ?? '',
    events: known.events ?? ['wfTodo', 'wfUrge', 'wfOverdue'],
    processIds: known.processIds ?? [],
    receiverIds: known.receiverIds ?? [],
    templates: known.templates ?? {},
    language: known.language ?? 'zh',
    atAll: known.atAll ?? false,
    quiet: known.quiet ?? true,
    quietFrom: known.quietFrom ?? '22:00',
    quietTo: known.quietTo ?? '08:00',
    urgentAnyway: known.urgentAnyway ?? true,
    throttleMin: known.throttleMin ?? 5,
  }
}

/** A chat notice: where it goes, what it says of which events, a test, and what became of its last messages. `?id=` names it. */
const NoticeEditor = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const style = useTokenStyle()
  const id = isObject(values.query) && typeof values.query.id === 'string' && values.query.id !== '' ? values.query.id : null
  const may = host.can(KEY)
  const detail = useCall<NoticeDetail>(
    may ? { method: 'GET', path: `${CALLS}/getDingNoticeDetailById`, query: id === null ? {} : { id } } : null,
  )
  if (!may) return <Denied title={noticeTexts[host.locale].denied} permission={KEY} />
  return (
    <div className="sb-designer sb-process sb-chat-notice" style={style}>
      <Loaded call={detail}>
        {(found) => <NoticeWork key={`${found.id ?? 'new'} ${found.version ?? 0}`} detail={found} onReload={detail.reload} />}
      </Loaded>
    </div>
  )
}
export default NoticeEditor

const Labelled = ({ label, help, children }: { label: string; help?: string; children: ReactNode }) => (
  <label className="sb-design-control">
    <span className="sb-design-label">{label}</span>
    {children}
    {help !== undefined && <small className="sb-design-help">{help}</small>}
  </label>
)

const NoticeWork = ({ detail, onReload }: { detail: NoticeDetail; onReload(): void }) => {
  const host = useHost()
  const { locale } = host
  const texts = noticeTexts[locale]
  const id = detail.id ?? null
  const stored = useMemo(() => draftOf(detail), [detail])
  const [draft, setDraft] = useState(stored)
  /** What is typed as the secret; null removes it, undefined keeps it. */
  const [secret, setSecret] = useState<string | null | undefined>(undefined)
  const [testing, setTesting] = useState(false)
  const [tested, setTested] = useState<TestAnswer | null>(null)
  const [learnt, setLearnt] = useState<ReadonlyMap<string, string>>(new Map())
  const byMail = draft.kind === 'mail'
  const touched = secret !== undefined || !dequal(draft, stored)
  const title = stored.name || texts.newNotice
  const put = (part: Partial<NoticeDraft>): void => setDraft((known) => ({ ...known, ...part }))
  const complete =
    draft.name.trim() !== '' &&
    draft.address.trim() !== '' &&
    draft.events.length > 0 &&
    Object.values(draft.templates).every((said) =>
      Object.values(said).every((text) => unknownIn(text, detail.placeholders).length === 0),
    )

  const send = async <Answer,>(path: string, body: object = {}): Promise<Answer> =>
    host.request<Answer>({ method: 'POST', path: `${CALLS}/${path}`, body, idempotent: true })
  const save = async (): Promise<string | null> => {
    const saved = await send<{ id: string }>('saveOrUpdateDingNotice', {
      ...draft,
      name: draft.name.trim(),
      address: draft.address.trim(),
      ...(id === null ? {} : { id, version: detail.version }),
      ...(secret === undefined || secret === '' ? {} : { secret }),
    })
    return id === null ? `${PAGE}?id=${encodeURIComponent(saved.id)}` : null
  }
  const switchState = async (enabled: boolean): Promise<void> => {
    try {
      await send(`enableDingNotice?id=${encodeURIComponent(id ?? '')}&enable=${String(enabled)}`)
      onReload()
    } catch (error) {
      tellFailure(host, error, 'chat notices')
    }
  }
  const test = async (): Promise<void> => {
    setTesting(true)
    setTested(null)
    try {
      setTested(await send<TestAnswer>(`testDingNotice?id=${encodeURIComponent(id ?? '')}`))
      onReload()
    } catch (error) {
      tellFailure(host, error, 'chat notices')
    } finally {
      setTesting(false)
    }
  }
  const remove = async (): Promise<void> => {
    if (!(await host.confirm({ title: texts.removeAsk(title), content: texts.removeText, danger: true, okText: texts.remove })))
      return
    try {
      await host.request({ method: 'GET', path: `/v2/wf/noticeService/delete/${encodeURIComponent(id ?? '')}` })
      host.notify('success', texts.removed)
      host.setUnsaved(false)
      host.navigate(LIST, { replace: true })
    } catch (error) {
      tellFailure(host, error, 'chat notices')
    }
  }
  const nameOf = (entity: string) => (record: string) => learnt.get(record) ?? detail.refs?.[entity]?.[record]?.title
  const learn = (titles: ReadonlyMap<string, string>): void => setLearnt((known) => new Map([...known, ...titles]))
  const clock = (text: string) => wallClock(Date.parse(`2000-01-01T${text}:00Z`), 'UTC')

  return (
    <RecordFrame
      title={title}
      list={LIST}
      enabled={id === null ? undefined : detail.enabled === true}
      onSwitch={(next) => void switchState(next)}
      changed={touched}
      complete={complete}
      savedText={texts.saved}
      onDrop={() => {
        setDraft(stored)
        setSecret(undefined)
      }}
      onSave={save}
      onReload={onReload}
      actions={
        id !== null && (
          <>
            <Button size="small" danger type="text" onClick={() => void remove()}>
              {texts.remove}
            </Button>
            <Button
              size="small"
              icon={<SendOutlined />}
              loading={testing}
              disabled={touched}
              title={touched ? texts.testHelp : undefined}
              onClick={() => void test()}
            >
              {texts.test}
            </Button>
          </>
        )
      }
      notes={
        tested && (
          <Alert
            type={tested.ok ? 'success' : 'error'}
            showIcon
            closable
            onClose={() => setTested(null)}
            message={tested.ok ? (byMail ? texts.testMailed : texts.testOk(tested.status ?? 200)) : texts.testFailed}
            description={
              byMail && tested.ok ? undefined : (
                <bdi className="sb-chat-notice-answer">{(tested.ok ? tested.answer : tested.error) || texts.noAnswer}</bdi>
              )
            }
          />
        )
      }
    >
      <div className="sb-process-facts">
        <section aria-label={texts.facts}>
          <h3>{texts.facts}</h3>
          <Labelled label={texts.name}>
            <Input maxLength={60} value={draft.name} onChange={(event) => put({ name: event.target.value })} />
          </Labelled>
          <Labelled label={texts.kind}>
            <Select
              value={draft.kind}
              options={detail.kinds.map(({ code, label }) => ({ value: code, label: label[locale] }))}
              onChange={(kind) => put({ kind })}
            />
          </Labelled>
          <Labelled label={byMail ? texts.mailAddress : texts.address} help={byMail ? texts.mailAddressHelp : texts.addressHelp}>
            <Input
              maxLength={500}
              inputMode={byMail ? 'email' : 'url'}
              placeholder={byMail ? 'team@example.com' : 'https://'}
              value={draft.address}
              onChange={(event) => put({ address: event.target.value })}
            />
          </Labelled>
          {!byMail && (
            <>
              <Labelled label={texts.secret} help={secret === null ? texts.secretGone : texts.secretHelp}>
                <Input.Password
                  maxLength={200}
                  autoComplete="new-password"
                  placeholder={detail.hasSecret && secret !== null ? texts.secretKept : ''}
                  value={secret ?? ''}
                  onChange={(event) => setSecret(event.target.value === '' ? undefined : event.target.value)}
                />
              </Labelled>
              {detail.hasSecret && secret !== null && (
                <Button size="small" type="link" className="sb-design-open" onClick={() => setSecret(null)}>
                  {texts.secretRemove}
                </Button>
              )}
            </>
          )}
          <Labelled label={texts.language}>
            <Select
              value={draft.language}
              options={detail.languages.map(({ code, label }) => ({ value: code, label: label[locale] }))}
              onChange={(language) => put({ language })}
            />
          </Labelled>
          {!byMail && (
            <Checkbox checked={draft.atAll} onChange={(event) => put({ atAll: event.target.checked })}>
              {texts.atAll}
            </Checkbox>
          )}
        </section>
        <section aria-label={texts.whom}>
          <h3>{texts.whom}</h3>
          {(
            [
              [texts.processes, 'processIds', PROCESSES, 'wf.process'],
              [texts.people, 'receiverIds', STAFF, 'sys.staff'],
            ] as const
          ).map(([label, field, path, entity]) => (
            <Labelled key={field} label={label}>
              <RemoteSelect
                className="sb-design-wide"
                host={host}
                path={path}
                multiple
                allowClear
                aria-label={label}
                placeholder={texts.all}
                value={draft[field]}
                titleOf={nameOf(entity)}
                onChange={(ids, titles) => {
                  learn(titles)
                  put({ [field]: ids })
                }}
              />
            </Labelled>
          ))}
          <h3>{texts.when}</h3>
          <Checkbox checked={draft.quiet} onChange={(event) => put({ quiet: event.target.checked })}>
            {texts.quiet}
          </Checkbox>
          {draft.quiet && (
            <>
              <div className="sb-chat-notice-hours">
                {(
                  [
                    [texts.quietFrom, 'quietFrom'],
                    [texts.quietTo, 'quietTo'],
                  ] as const
                ).map(([label, field]) => (
                  <label key={field}>
                    {label}{' '}
                    <TimePicker
                      format="HH:mm"
                      minuteStep={5}
                      allowClear={false}
                      needConfirm={false}
                      aria-label={`${texts.quiet}: ${label}`}
                      value={clock(draft[field])}
                      onChange={(_, text) => put({ [field]: String(text) })}
                    />
                  </label>
                ))}
              </div>
              <Checkbox checked={draft.urgentAnyway} onChange={(event) => put({ urgentAnyway: event.target.checked })}>
                {texts.urgentAnyway}
              </Checkbox>
            </>
          )}
          <Labelled label={texts.throttle}>
            <InputNumber
              min={0}
              max={1440}
              precision={0}
              addonAfter={texts.minutes}
              value={draft.throttleMin}
              onChange={(throttleMin) => put({ throttleMin: throttleMin ?? 0 })}
            />
          </Labelled>
        </section>
      </div>
      <EventTexts words={detail} draft={draft} onChange={put} />
      {id !== null && (
        <Deliveries
          serviceId={id}
          rows={detail.log}
          nameOfEvent={(event) => textIn(detail.names[event], locale) || event}
          states={detail.states}
          onReload={onReload}
        />
      )}
    </RecordFrame>
  )
}
