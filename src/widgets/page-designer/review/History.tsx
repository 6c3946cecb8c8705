import { Button, Input, Tag, Timeline } from 'antd'
import { useState } from 'react'
import type { Host } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { applyChanges } from '../../../schema/overlay'
import { describeChanges } from '../../../schema/overlay/describeChanges'
import { momentText } from '../../../runtime/reading/moment'
import { tellFailure } from '../../../runtime/reading/tell'
import type { DesignSession } from '../document/session'
import { designerTexts, type DesignerTexts } from '../texts'
import type { Revision, TargetState } from '../types'
import { exportChanges, importedText } from './exportImport'
import { ImportedTag } from './ImportedTag'
import { Dialog } from '../../../runtime/dialog/Dialog'

/** Every revision, newest first: who, when, why, what it changed, and the way back to it. */
export const History = ({ state, session, onReload }: { state: TargetState; session: DesignSession; onReload(): void }) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const [asked, setAsked] = useState<number | null>(null)
  const own = state.revisions.filter(({ role }) => role === state.role)
  const mayRelease = host.can('setModule:pages:release')
  const cancel = async (releaseId: string): Promise<void> => {
    try {
      await host.request({ method: 'POST', path: '/v2/sys/schema/cancel', body: { releaseId } })
      onReload()
    } catch (error) {
      tellFailure(host, error, 'page designer')
    }
  }
  return (
    <section className="sb-design-history" aria-label={texts.history}>
      {own.length === 0 && <p>{texts.noRevisions}</p>}
      <Timeline
        items={own.map((revision, index) => ({
          color:
            revision.number === state.released?.number ? 'green' : revision.number === state.gray?.number ? 'purple' : 'gray',
          children: (
            <Entry
              host={host}
              revision={revision}
              before={own[index + 1]}
              state={state}
              onBack={mayRelease ? () => setAsked(revision.number) : undefined}
              onCancel={mayRelease && isWaiting(host, revision) ? () => void cancel(revision.releaseId) : undefined}
            />
          ),
        }))}
      />
      {own.length > 0 && mayRelease && (
        <Button size="small" danger onClick={() => setAsked(0)}>
          {texts.resetAll}
        </Button>
      )}
      {asked !== null && (
        <RollBack
          number={asked}
          state={state}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null)
            void session.flush().then(onReload)
          }}
        />
      )}
    </section>
  )
}

const isWaiting = (host: Host, { effectiveAt, cancelledAt }: Revision): boolean =>
  !cancelledAt && Date.parse(effectiveAt) > host.now().getTime()

interface EntryProps {
  host: Host
  revision: Revision
  before: Revision | undefined
  state: TargetState
  onBack?: () => void
  onCancel?: () => void
}

/** What was undone has no title of its own: its number is kept in its place, 0 for what was delivered. */
const titleOf = ({ kind, title }: Revision, texts: DesignerTexts): string =>
  kind === 'reset' ? texts.resetAll : kind === 'rollback' ? texts.backTo(title) : title

const Entry = ({ host, revision, before, state, onBack, onCancel }: EntryProps) => {
  const { locale } = host
  const texts = designerTexts[locale]
  const [shown, setShown] = useState(false)
  const documentOf = (changes: Revision['changes']): unknown => applyChanges(state.base ?? {}, changes).document
  const differences = shown
    ? describeChanges(documentOf(before?.changes ?? []), documentOf(revision.changes), state.bundle?.entities ?? {})
    : []
  return (
    <>
      <strong>
        {texts.revision(revision.number)} · {titleOf(revision, texts)}
      </strong>{' '}
      <Tag>{texts.revisionKinds[revision.kind]}</Tag>
      <ImportedTag origin={revision.origin} />
      <Tag color={revision.stage === 'gray' ? 'purple' : 'green'}>{revision.stage === 'gray' ? texts.gray : texts.all}</Tag>
      {revision.number === state.released?.number && <Tag color="green">{texts.current}</Tag>}
      {revision.cancelledAt && <Tag>{texts.cancelled}</Tag>}
      {isWaiting(host, revision) && <Tag color="cyan">{texts.scheduledAt(momentText(host, revision.effectiveAt))}</Tag>}
      <div className="sb-design-help">
        {revision.by.name[locale]} · {momentText(host, revision.at)} · {revision.reason}
      </div>
      {revision.origin && <div className="sb-design-help">{importedText(host, revision.origin)}</div>}
      <div className="sb-design-links">
        <Button size="small" type="link" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {texts.showChanges}
        </Button>
        {onBack && (
          <Button size="small" type="link" onClick={onBack}>
            {texts.rollBack}
          </Button>
        )}
        {onCancel && (
          <Button size="small" type="link" danger onClick={onCancel}>
            {texts.cancelRelease}
          </Button>
        )}
        <Button size="small" type="link" onClick={() => void exportChanges(host, revision.releaseId)}>
          {texts.exportSet}
        </Button>
      </div>
      {shown && (
        <ul>
          {differences.length === 0 && <li>{texts.noDifferences}</li>}
          {differences.map(({ id, text }) => (
            <li key={id}>{text[locale]}</li>
          ))}
        </ul>
      )}
    </>
  )
}

interface RollBackProps {
  number: number
  state: TargetState
  onClose(): void
  onDone(): void
}

/** One click and its reason: an earlier revision holds again, at once, for everybody. */
const RollBack = ({ number, state, onClose, onDone }: RollBackProps) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    setBusy(true)
    try {
      const body = { target: state.target, role: state.role, number, reason: reason.trim() }
      await host.request({ method: 'POST', path: '/v2/sys/schema/rollback', body })
      host.notify('success', texts.rolledBack)
      onDone()
    } catch (error) {
      tellFailure(host, error, 'page designer')
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={texts.rollBackAsk(number)}
      okText={number === 0 ? texts.resetAll : texts.rollBack}
      cancelText={texts.cancel}
      confirmLoading={busy}
      okButtonProps={{ danger: true, disabled: reason.trim().length < 2 }}
      onOk={() => void run()}
      onCancel={onClose}
    >
      <p>{texts.rollBackText}</p>
      <Input.TextArea
        aria-label={texts.reason}
        placeholder={texts.reasonHint}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  )
}
