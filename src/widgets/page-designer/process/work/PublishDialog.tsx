import { Alert, Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { isAborted, toFailure } from '../../../../headless/failure'
import type { HostRequest } from '../../../../headless/host'
import { useHost } from '../../../../runtime/hostContext'
import { momentText } from '../../../../runtime/reading/moment'
import type { JsonObject } from '../../../../schema/overlay'
import type { Problem } from '../../../../schema/problem'
import { behindOf, problemsOfRefusal, type Behind } from '../problems'
import { processTexts } from '../texts'
import { Dialog } from '../../../../runtime/dialog/Dialog'

interface Props<Saved> {
  title: string
  okText: string
  /** What publishing does. */
  lead: string
  /** Call that publishes. */
  path: HostRequest['path']
  /** What it is sent, besides the note and the version that the work began with. */
  body: JsonObject
  /** Version that the work began with; null: it is new. */
  versionNo: number | null
  /** What has to be mended first. */
  errors: readonly Problem[]
  /** Shows where a problem is. */
  onGo?: (problem: Problem) => void
  /** What the gateway found wrong. */
  onRefused(problems: readonly Problem[]): void
  onClose(): void
  onTakeTheirs(): void
  onPublished(saved: Saved): void
}

/** Publishes what was designed as the next version, with a note for the other administrators. */
export const PublishDialog = <Saved,>(props: Props<Saved>) => {
  const { title, okText, lead, path, body, versionNo, errors, onGo, onRefused, onClose, onTakeTheirs, onPublished } = props
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [behind, setBehind] = useState<Behind | null>(null)
  const publish = async (basedOn: number | null): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const saved = await host.request<Saved>({
        method: 'POST',
        path,
        body: { ...body, ...(basedOn === null ? {} : { basedOn }), ...(note.trim() === '' ? {} : { note: note.trim() }) },
        idempotent: true,
      })
      onPublished(saved)
    } catch (error) {
      if (isAborted(error)) return
      setBehind(behindOf(error))
      const found = problemsOfRefusal(error)
      if (found.length > 0) onRefused(found)
      setFailure(texts.notPublished(toFailure(error, locale).message))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={title}
      okText={okText}
      okButtonProps={{ disabled: errors.length > 0 || behind !== null, loading: busy }}
      onOk={() => void publish(versionNo)}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        {lead !== '' && <span>{lead}</span>}
        {errors.length > 0 && (
          <Alert
            type="error"
            showIcon
            message={texts.problems(errors.length)}
            description={
              <ul className="sb-design-differences">
                {errors.slice(0, 8).map((problem, index) => (
                  <li key={index}>
                    {problem.message[locale]}
                    {onGo && (
                      <Button type="link" size="small" onClick={() => onGo(problem)}>
                        {texts.goTo}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            }
          />
        )}
        <label>
          {texts.note}
          <Input.TextArea
            rows={3}
            maxLength={500}
            value={note}
            placeholder={texts.noteHelp}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        {behind ? (
          <Alert
            type="warning"
            showIcon
            message={texts.conflictTitle}
            description={
              <Flex vertical gap={8}>
                <span>{texts.conflictText(behind.by, momentText(host, behind.at))}</span>
                <Flex gap={8} wrap>
                  <Button size="small" type="primary" loading={busy} onClick={() => void publish(behind.version)}>
                    {texts.keepMine}
                  </Button>
                  <Button size="small" onClick={onTakeTheirs}>
                    {texts.takeTheirs}
                  </Button>
                </Flex>
              </Flex>
            }
          />
        ) : (
          failure && <Alert type="error" showIcon message={failure} />
        )}
      </Flex>
    </Dialog>
  )
}
