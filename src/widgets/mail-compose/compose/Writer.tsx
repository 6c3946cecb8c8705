import { ClockCircleOutlined, DeleteOutlined, ExpandOutlined, PaperClipOutlined, SendOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Dropdown, Input, Select, Skeleton, Space } from 'antd'
import { Suspense, useEffect, useId, useMemo, useRef, useState, type DragEvent, type KeyboardEvent } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { momentText } from '../../../runtime/reading/moment'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { isSend } from '../../../runtime/typing'
import { ask, type Letter } from './calls'
import { AskDialog, TimedDialog } from './Dialogs'
import { Files, useUploads } from './Files'
import { Newer } from './Newer'
import { QuoteFrame } from './QuoteFrame'
import { Recipients } from './Recipients'
import { signatureFor, signatureText, type Beginning } from './start'
import { composeTexts } from './texts'
import { useChecks } from './useChecks'
import { useDraft } from './useDraft'
import { useFollow } from './useFollow'
import { useSending } from './useSending'
import { useTemplate } from './useTemplate'

const Body = lazyPart(() => import('./Body'))

const WRITE = '/message/email/write'
const MOST_SHOWN = 5

interface WriterProps {
  begun: Beginning
  /** Names the copy in this browser. */
  draftKey: string
  home: string | null
  /** Beside the pages: it can be made one. */
  isDocked: boolean
  onStartNew(): void
}

interface Named {
  id: string
  name: string
}

/** A letter being written. */
export const Writer = ({ begun, draftKey, home, isDocked, onStartNew }: WriterProps) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const [letter, setLetter] = useState<Letter>(begun.letter)
  const change = (part: Partial<Letter>): void => setLetter((before) => ({ ...before, ...part }))
  const [shown, setShown] = useState({ cc: letter.cc.length > 0, bcc: letter.bcc.length > 0, quote: false })
  const [isDropping, setDropping] = useState(false)
  const [isTiming, setTiming] = useState(false)
  const customerNames = useRef(new Map<string, string>())
  const ids = useId()
  const root = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const isAnswer = letter.kind === 'reply' || letter.kind === 'replyAll'

  const draft = useDraft(draftKey, letter, begun.draft, begun.letter)
  const checks = useChecks(letter)
  const others = useFollow(begun.source, isAnswer)
  const signatures = useCall<readonly Named[]>({ method: 'GET', path: '/v2/emailbox/select/signature' })
  const uploads = useUploads(letter.attachments, (file) =>
    setLetter((before) => ({ ...before, attachments: [...before.attachments, file] })),
  )
  const inText = useMemo(
    () =>
      new Set(
        letter.attachments
          .map(({ id }) => id)
          .filter((id) => [letter.body, letter.quote].some((html) => html.includes(`cid:${id}"`))),
      ),
    [letter.attachments, letter.body, letter.quote],
  )
  const template = useTemplate(letter, change, customerNames.current)
  const sending = useSending({ letter, draft, uploads, inText, home, onOpen: template.askFor })
  const sender = begun.senders.find(({ accountId }) => accountId === letter.accountId)
  const warnings = useMemo(() => new Map([...checks.byEmail, ...sending.problems]), [checks.byEmail, sending.problems])

  useEffect(() => {
    host.setTitle?.(letter.subject || texts.titles[letter.kind])
  }, [host, letter.subject, letter.kind, texts])
  useEffect(() => {
    for (const { name, reason } of begun.refused) host.notify('warning', texts.notTaken(name, reason))
  }, [host, begun.refused, texts])

  const chooseSender = async (accountId: string): Promise<void> => {
    change({ accountId })
    // a signature that was chosen by hand stays
    if (letter.signatureId !== begun.letter.signatureId) return
    change(await signatureFor(host, accountId, letter.kind))
  }
  const chooseSignature = async (id: string): Promise<void> =>
    change(id === '' ? { signature: '', signatureId: null } : { signature: await signatureText(host, id), signatureId: id })
  const tried = (work: Promise<void>): void => void work.catch((error: unknown) => tellFailure(host, error, 'a letter'))

  const drop = (event: DragEvent): void => {
    setDropping(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    void uploads.add(files)
  }
  const keys = (event: KeyboardEvent): void => {
    if (!isSend(event) || event.defaultPrevented || !root.current?.contains(event.target as Element)) return
    event.preventDefault()
    void sending.send(null)
  }
  const discard = async (): Promise<void> => {
    if (!(await host.confirm({ title: texts.discardSure, content: texts.discardText, danger: true, okText: texts.discard })))
      return
    const id = draft.id
    draft.settle()
    if (id !== null) await ask(host, 'draft/del', { ids: [id] })
    host.closePage(home ?? undefined)
  }
  /** What is written goes along as the draft that it is. */
  const toPage = async (): Promise<void> => {
    const id = await draft.save()
    // what could not be saved stays where it is written
    if (draft.isFailed()) return
    draft.settle()
    host.closePage(id === null ? `${WRITE}?${draftKey}` : `${WRITE}?draftId=${encodeURIComponent(id)}`)
  }
  const people = (field: 'to' | 'cc' | 'bcc', autoFocus = false) => (
    <Recipients
      id={`${ids}${field}`}
      label={texts[field]}
      value={letter[field]}
      warnings={warnings}
      autoFocus={autoFocus}
      onChange={(list) => change({ [field]: list })}
      onKnown={({ email, company }) => company && customerNames.current.set(email.toLowerCase(), company)}
      extra={
        field === 'to' && (!shown.cc || !shown.bcc) ? (
          <span className="sb-mail-more">
            {!shown.cc && (
              <Button type="text" size="small" onClick={() => setShown({ ...shown, cc: true })}>
                {texts.addCc}
              </Button>
            )}
            {!shown.bcc && (
              <Button type="text" size="small" onClick={() => setShown({ ...shown, bcc: true })}>
                {texts.addBcc}
              </Button>
            )}
          </span>
        ) : null
      }
    />
  )
  const saved = (): string => {
    if (draft.state === 'saving') return texts.saving
    if (draft.state === 'failed') return texts.notSaved(draft.reason)
    if (draft.state === 'waiting') return texts.waiting
    return draft.savedAt ? texts.savedAt(momentText(host, draft.savedAt.toISOString()).slice(11)) : ''
  }
  const senderWarning =
    sender?.state === 'failing'
      ? texts.senderFailing
      : sender && sender.state !== 'active'
        ? texts.senderStopped
        : sender && sender.sentToday >= sender.dailyLimit
          ? texts.limitReached
          : null

  return (
    <div
      ref={root}
      className={isDropping ? 'sb-mail-writer sb-mail-dropping' : 'sb-mail-writer'}
      onKeyDown={keys}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Element | null)) setDropping(false)
      }}
      onDrop={drop}
    >
      <header className="sb-write-head">
        {!isDocked && <h1>{texts.titles[letter.kind]}</h1>}
        <span role="status" className="sb-mail-saved">
          {saved()}
        </span>
        {isDocked && (
          <Button size="small" type="text" icon={<ExpandOutlined />} onClick={() => tried(toPage())}>
            {texts.asPage}
          </Button>
        )}
      </header>
      {begun.continued !== null && (
        <Alert
          type="info"
          message={texts.continued(momentText(host, begun.continued))}
          action={
            <Button size="small" onClick={onStartNew}>
              {texts.startNew}
            </Button>
          }
        />
      )}
      {others && <Alert type="warning" showIcon message={others} role="alert" />}
      {draft.newer && (
        <Newer
          here={letter}
          there={draft.newer}
          onKeep={draft.over}
          onTake={(other) => {
            setLetter(other)
            draft.taken(other)
          }}
        />
      )}
      <div className="sb-write-card">
        <div className="sb-mail-line">
          <label htmlFor={`${ids}from`}>{texts.from}</label>
          <Select
            id={`${ids}from`}
            variant="borderless"
            aria-label={texts.from}
            style={{ flex: 1, minWidth: 0 }}
            value={letter.accountId}
            options={begun.senders.map((one) => ({
              value: one.accountId,
              label: `${one.displayName} <${one.address}>`,
              disabled: one.state === 'stopped' || one.state === 'unverified',
              one,
            }))}
            optionRender={({ label, data }) => {
              const { one } = data as unknown as { one: (typeof begun.senders)[number] }
              return (
                <div className="sb-mail-suggested">
                  <bdi>{label}</bdi>
                  <span>
                    {texts.senderState[one.state]} · {texts.sentToday(one.sentToday, one.dailyLimit)}
                  </span>
                </div>
              )
            }}
            onChange={(id) => tried(chooseSender(id))}
          />
          {sender && <span className="sb-mail-quiet">{texts.sentToday(sender.sentToday, sender.dailyLimit)}</span>}
        </div>
        {senderWarning && <Alert banner type="warning" message={senderWarning} />}
        {people('to', letter.to.length === 0)}
        {shown.cc && people('cc')}
        {shown.bcc && people('bcc')}
        {checks.sentences.slice(0, MOST_SHOWN).map((sentence) => (
          <Alert key={sentence} banner type="warning" message={sentence} />
        ))}
        {sending.failure && <Alert banner type="error" message={sending.failure} role="alert" />}
        <div className="sb-mail-line">
          <label htmlFor={`${ids}subject`}>{texts.subject}</label>
          <Input
            id={`${ids}subject`}
            variant="borderless"
            maxLength={998}
            value={letter.subject}
            onChange={(event) => change({ subject: event.target.value })}
          />
        </div>
        <div className="sb-mail-text">
          <span id={`${ids}body`} className="sb-mail-hidden">
            {texts.body}
          </span>
          <Suspense fallback={<Skeleton active paragraph={{ rows: 6 }} title={false} />}>
            <Body
              html={letter.body}
              labelledBy={`${ids}body`}
              focused={letter.to.length > 0}
              onChange={(body) => change({ body })}
              onFiles={uploads.add}
              onSend={() => void sending.send(null)}
            />
          </Suspense>
        </div>
        {letter.signature !== '' && <QuoteFrame html={letter.signature} title={texts.signature} />}
        {letter.quote !== '' && (
          <div className="sb-mail-quoted">
            <Button size="small" aria-expanded={shown.quote} onClick={() => setShown({ ...shown, quote: !shown.quote })}>
              {shown.quote ? texts.hideQuote : texts.showQuote}
            </Button>
            <Button size="small" type="text" onClick={() => change({ quote: '' })}>
              {texts.removeQuote}
            </Button>
            {shown.quote && <QuoteFrame html={letter.quote} title={texts.quoted} />}
          </div>
        )}
        <Files
          files={letter.attachments}
          inText={inText}
          uploads={uploads}
          onRemove={(id) => change({ attachments: letter.attachments.filter((file) => file.id !== id) })}
        />
      </div>
      <footer className="sb-mail-bar">
        <Space wrap>
          <Space.Compact>
            <Button
              type="primary"
              icon={<SendOutlined />}
              loading={sending.busy}
              disabled={draft.newer !== null}
              title={texts.sendKeys}
              onClick={() => void sending.send(null)}
            >
              {texts.send}
            </Button>
            <Button
              type="primary"
              icon={<ClockCircleOutlined />}
              aria-label={texts.later}
              title={texts.later}
              disabled={sending.busy || draft.newer !== null}
              onClick={() => setTiming(true)}
            />
          </Space.Compact>
          <Button icon={<PaperClipOutlined />} onClick={() => picker.current?.click()}>
            {texts.attach}
          </Button>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label={texts.attach}
            onChange={(event) => {
              const chosen = [...(event.target.files ?? [])]
              event.target.value = ''
              void uploads.add(chosen)
            }}
          />
          <Dropdown
            trigger={['click']}
            menu={{
              items:
                template.list.length > 0
                  ? template.list.map(({ id, name }) => ({ key: id, label: name }))
                  : [{ key: '', label: texts.templateNone, disabled: true }],
              onClick: ({ key }) => tried(template.choose(key)),
            }}
          >
            <Button>{texts.template}</Button>
          </Dropdown>
          <Select
            aria-label={texts.signature}
            style={{ minWidth: 120 }}
            popupMatchSelectWidth={false}
            value={letter.signatureId ?? ''}
            options={[
              { value: '', label: texts.noSignature },
              ...(signatures.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => tried(chooseSignature(id))}
          />
          <Checkbox checked={letter.wantsReceipt ?? false} onChange={({ target }) => change({ wantsReceipt: target.checked })}>
            {texts.wantsReceipt}
          </Checkbox>
        </Space>
        <Button type="text" danger icon={<DeleteOutlined />} onClick={() => tried(discard())}>
          {texts.discard}
        </Button>
      </footer>
      {isDropping && (
        <div className="sb-mail-drop" aria-hidden="true">
          {texts.dropHere}
        </div>
      )}
      {template.asked !== null && <AskDialog names={template.asked} onDone={template.answer} onClose={template.leave} />}
      {isTiming && (
        <TimedDialog
          to={letter.to}
          customerCode={checks.customerCode}
          onDone={(moment) => {
            setTiming(false)
            void sending.send(moment)
          }}
          onClose={() => setTiming(false)}
        />
      )}
    </div>
  )
}
