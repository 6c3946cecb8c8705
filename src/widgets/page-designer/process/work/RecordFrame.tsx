import { ArrowLeftOutlined } from '@ant-design/icons'
import { Alert, Button, Switch } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { isAborted, toFailure } from '../../../../headless/failure'
import { useHost } from '../../../../runtime/hostContext'
import { behindOf } from '../problems'
import { processTexts } from '../texts'

interface Props {
  title: string
  /** Code of what is edited; empty: it has none yet. */
  code?: string
  /** Address of the list that it belongs to. */
  list: string
  /** Undefined: not saved yet, so nothing is switched. */
  enabled?: boolean | undefined
  onSwitch(enabled: boolean): void
  /** Something differs from what is saved. */
  changed: boolean
  /** All that must be filled in is. */
  complete: boolean
  savedText: string
  /** Before what drops and saves. */
  actions?: ReactNode
  /** Below the head. */
  notes?: ReactNode
  onDrop(): void
  /** Sends what is typed; answers where the saved record is shown from now on, null: here. */
  onSave(): Promise<string | null>
  onReload(): void
  children: ReactNode
}

/** The work on one record that is saved as a whole: its head with state, save and drop, and why a save was refused. */
export const RecordFrame = (props: Props) => {
  const { title, code = '', list, enabled, onSwitch, changed, complete, savedText, actions, notes, children } = props
  const { onDrop, onSave, onReload } = props
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ message: string; behind: boolean } | null>(null)
  useEffect(() => {
    host.setUnsaved(changed)
    return () => host.setUnsaved(false)
  }, [host, changed])
  useEffect(() => host.setTitle?.(title), [host, title])
  const save = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const address = await onSave()
      host.notify('success', savedText)
      host.setUnsaved(false)
      if (address === null) onReload()
      else host.navigate(address, { replace: true })
    } catch (error) {
      if (isAborted(error)) return
      setFailure({ message: texts.notSaved(toFailure(error, locale).message), behind: behindOf(error) !== null })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="sb-design-work">
      <header className="sb-design-head">
        <Button type="text" icon={<ArrowLeftOutlined />} aria-label={texts.back} onClick={() => host.navigate(list)} />
        <h1>{title}</h1>
        {code !== '' && <code>{code}</code>}
        {enabled !== undefined && (
          <label className="sb-design-switch">
            <Switch size="small" checked={enabled} onChange={onSwitch} />
            {enabled ? texts.enabled : texts.disabled}
          </label>
        )}
        <span className="sb-design-grow" />
        <span role="status" className="sb-design-status">
          {changed ? texts.notYetSaved : ''}
        </span>
        {actions}
        {changed && (
          <Button size="small" onClick={onDrop}>
            {texts.drop}
          </Button>
        )}
        <Button
          size="small"
          type="primary"
          loading={busy}
          disabled={!complete || (!changed && enabled !== undefined)}
          onClick={() => void save()}
        >
          {texts.saveRecord}
        </Button>
        {failure && (
          <Alert
            type={failure.behind ? 'warning' : 'error'}
            showIcon
            message={failure.message}
            action={
              failure.behind && (
                <Button size="small" onClick={onReload}>
                  {texts.reload}
                </Button>
              )
            }
          />
        )}
        {notes}
      </header>
      {children}
    </div>
  )
}
