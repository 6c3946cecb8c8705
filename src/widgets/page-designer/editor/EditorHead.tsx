import { ArrowLeftOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, Button, Select, Tag } from 'antd'
import { memo, useEffect, useState, useSyncExternalStore } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { isObject, type JsonObject } from '../../../schema/overlay'
import type { Locale } from '../../../schema/problem'
import { tellFailure } from '../../../runtime/reading/tell'
import type { DesignSession, SessionState } from '../document/session'
import { ReviewDialog } from '../review/ReviewDialog'
import { designerTexts } from '../texts'
import { kindOf, type Chosen, type TargetState } from '../types'
import { usePresence } from './usePresence'
import { useSettled } from './useSettled'

interface Props {
  session: DesignSession
  state: TargetState
  chosen: Chosen
  onGo(next: Chosen | null): void
  onReload(): void
}

const EVERYBODY = ''

/** What is being changed, for whom, whether it is saved, and the ways out: release, discard, back. */
export const EditorHead = memo(function EditorHead({ session, state, chosen, onGo, onReload }: Props) {
  const host = useHost()
  const { locale } = host
  const texts = designerTexts[locale]
  const saving = useSession(session, (now) => now.saving)
  const failure = useSession(session, (now) => now.failure)
  const version = useSession(session, (now) => now.version)
  const merged = useSession(session, (now) => now.merged)
  const restored = useSession(session, (now) => now.restored)
  const undoes = useSession(session, ({ history }) => history.past.length > 0)
  const redoes = useSession(session, ({ history }) => history.future.length > 0)
  const [reviewing, setReviewing] = useState(false)
  const others = usePresence(state)
  const name = useSession(session, ({ history }) => nameOf(history.present, locale)) ?? state.target
  // Each document stands on a tab of its own.
  const settled = useSettled(name, true)
  useEffect(() => host.setTitle?.(settled), [host, settled])
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
    if (
      lost &&
      !(await host.confirm({
        title: texts.leaveAsk,
        content: session.keeps ? texts.leaveText : texts.leaveLost,
        okText: texts.leave,
      }))
    )
      return
    onGo(next)
  }
  return (
    <header className="sb-design-head">
      <Button type="text" icon={<ArrowLeftOutlined />} aria-label={texts.back} onClick={() => void leave(null)} />
      <h1>{name}</h1>
      <code>{state.target}</code>
      {kindOf(state.target) === 'page' && (
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
      )}
      <span className="sb-design-grow" />
      {others.length > 0 && <Tag color="gold">{texts.others(others.map(({ by }) => by.name[locale]))}</Tag>}
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
        disabled={!undoes}
        onClick={session.undo}
      />
      <Button
        size="small"
        icon={<RedoOutlined />}
        aria-label={texts.redo}
        title={`${texts.redo} (Ctrl+Shift+Z)`}
        disabled={!redoes}
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
})

/** A part of what the session holds; the head is drawn anew when one of its parts changes, not at every key. */
const useSession = <T,>(session: DesignSession, select: (state: SessionState) => T): T =>
  useSyncExternalStore(session.subscribe, () => select(session.snapshot()))

const nameOf = ({ title, label }: JsonObject, locale: Locale): string | undefined => {
  const text = isObject(title) ? title : label
  return isObject(text) && typeof text[locale] === 'string' ? text[locale] : undefined
}
