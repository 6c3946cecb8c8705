import { ArrowLeftOutlined } from '@ant-design/icons'
import { Alert, Button, Tag } from 'antd'
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { DesignContext, SurroundingsContext, type Design } from '../../editor/design'
import { useUndoKeys } from '../../editor/useUndoKeys'
import { processTexts } from '../texts'
import type { PublishSession } from './session'

interface Props {
  session: PublishSession
  design: Design
  title: string
  /** Code of what is designed; empty: it has none yet. */
  code: string
  /** Version that is published; null: none is. */
  versionNo: number | null
  unsaved: boolean
  publishText: string
  dropText?: string
  /** Behind the version. */
  links?: ReactNode
  /** Before what drops and publishes. */
  actions?: ReactNode
  /** Below the head. */
  notes?: ReactNode
  onLeave(): void
  /** What was not published has been dropped. */
  onDropped?: () => void
  onPublish(): void
  children: ReactNode
}

/** The work on something that is published as a whole: its head, undo by keyboard, and nothing lost that was not published. */
export const WorkFrame = (props: Props) => {
  const { session, design, title, code, versionNo, unsaved, publishText, dropText, links, actions, notes } = props
  const { onLeave, onDropped, onPublish, children } = props
  const host = useHost()
  const texts = processTexts[host.locale]
  const { restored } = useSyncExternalStore(session.subscribe, session.snapshot)
  const root = useRef<HTMLDivElement>(null)
  useUndoKeys(root, session, true)
  useEffect(() => {
    host.setUnsaved(unsaved)
    return () => host.setUnsaved(false)
  }, [host, unsaved])
  useEffect(() => () => session.keep(), [session])
  useEffect(() => host.setTitle?.(title), [host, title])
  const drop = async (): Promise<void> => {
    const asked = { title: texts.dropAsk, ...(dropText === undefined ? {} : { content: dropText }) }
    if (!(await host.confirm({ ...asked, danger: true, okText: texts.drop }))) return
    session.drop()
    onDropped?.()
  }
  return (
    <SurroundingsContext value={design}>
      <DesignContext value={design}>
        <div ref={root} className="sb-design-work">
          <header className="sb-design-head">
            <Button type="text" icon={<ArrowLeftOutlined />} aria-label={texts.back} onClick={onLeave} />
            <h1>{title}</h1>
            {code !== '' && <code>{code}</code>}
            <Tag>{versionNo === null ? texts.neverPublished : texts.version(versionNo)}</Tag>
            {links}
            <span className="sb-design-grow" />
            <span role="status" className="sb-design-status">
              {unsaved ? texts.unsaved : versionNo === null ? '' : texts.saved}
            </span>
            {actions}
            <Button size="small" danger disabled={!unsaved} onClick={() => void drop()}>
              {texts.drop}
            </Button>
            <Button size="small" type="primary" disabled={!unsaved} onClick={onPublish}>
              {publishText}
            </Button>
            {restored && (
              <Alert
                type={session.behind ? 'warning' : 'info'}
                showIcon
                message={session.behind ? `${texts.restored}. ${texts.behind}` : texts.restored}
              />
            )}
            {notes}
          </header>
          {children}
        </div>
      </DesignContext>
    </SurroundingsContext>
  )
}
