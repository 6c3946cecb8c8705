import { ArrowLeftOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, Button, Select, Tag } from 'antd'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { isObject } from '../../../schema/overlay'
import { tellFailure } from '../../../runtime/reading/tell'
import type { DesignSession } from '../document/session'
import { ReviewDialog } from '../review/ReviewDialog'
import { designerTexts } from '../texts'
import type { Chosen, TargetState } from '../types'
import { usePresence } from './usePresence'

interface Props {
  session: DesignSession
  state: TargetState
  chosen: Chosen
  onGo(next: Chosen | null): void
  onReload(): void
}

const EVERYBODY = ''

/** What is being changed, for whom, whether it is saved, and the ways out: release, discard, back. */
export const EditorHead = ({ session, state, chosen, onGo, onReload }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = designerTexts[locale]
  const { history, saving, failure, version, merged, restored } = useSyncExternalStore(session.subscribe, session.snapshot)
  const [reviewing, setReviewing] = useState(false)
  const others = usePresence(state)
  const title = isObject(history.present.title) ? history.present.title : history.present.label
  const name = isObject(title) && typeof title[locale] === 'string' ? title[locale] : state.target
  // Each document stands on a tab of its own.
  useEffect(() => host.setTitle?.(name), [host, name])
  const status = saving === 'saved' && version === 0 ? texts.noDraft : texts.saving[saving]
  const discard = async (): Promise<void> => {
    if (!(await host.confirm({ title: texts.discardAsk, content: texts.discardText, danger: true, okText: texts.discard })))
      return
    try {
      await session.discard()
      host.notify('success', texts.discarded)
      onReload()
    } catch (error) {
      tellFailure(host, error, 'page designer')
    }
  }
  const leave = async (next: Chosen | null): Promise<void> => {
    await session.flush()
    const lost = session.snapshot().saving !== 'saved'
    if (lost && !(await host.confirm({ title: texts.leaveAsk, content: texts.leaveText, okText: texts.leave }))) return
    onGo(next)
  }
  return (
    <header className="sb-design-head">
      <Button type="text" icon={<ArrowLeftOutlined />} aria-label={texts.back} onClick={() => void leave(null)} />
      <h1>{name}</h1>
      <code>{state.target}</code>
      <Select
        size="small"
        className="sb-design-who"
        aria-label={texts.variant}
        value={state.role ?? EVERYBODY}
        onChange={(role) => void leave({ ...chosen, role: role === EVERYBODY ? null : role })}
        options={[
          { value: EVERYBODY, label: texts.everybody },
          ...state.roles.map(({ code, name: role }) => ({ value: code, label: role[locale] })),
        ]}
      />
      <span className="sb-design-grow" />
      {others.length > 0 && <Tag color="gold">{texts.others(others.map(({ by }) => by.name[locale]).join(', '))}</Tag>}
      {restored && <Tag color="blue">{texts.restored}</Tag>}
      {merged && <Tag color="blue">{texts.mergedWith(merged.name[locale])}</Tag>}
      <span role="status" className="sb-design-status">
        {status}
      </span>
      <Button
        size="small"
        icon={<UndoOutlined />}
        aria-label={texts.undo}
        title={`${texts.undo} (Ctrl+Z)`}
        disabled={history.past.length === 0}
        onClick={session.undo}
      />
      <Button
        size="small"
        icon={<RedoOutlined />}
        aria-label={texts.redo}
        title={`${texts.redo} (Ctrl+Shift+Z)`}
        disabled={history.future.length === 0}
        onClick={session.redo}
      />
      <Button size="small" danger disabled={version === 0 && saving === 'saved'} onClick={() => void discard()}>
        {texts.discard}
      </Button>
      <Button size="small" type="primary" onClick={() => setReviewing(true)}>
        {texts.review}
      </Button>
      {failure && (
        <Alert
          type="error"
          showIcon
          message={texts.failedBecause(failure)}
          action={
            <Button size="small" onClick={() => void session.flush()}>
              {texts.retry}
            </Button>
          }
        />
      )}
      {reviewing && (
        <ReviewDialog
          session={session}
          state={state}
          onClose={() => setReviewing(false)}
          onReleased={() => {
            setReviewing(false)
            onReload()
          }}
        />
      )}
    </header>
  )
}
