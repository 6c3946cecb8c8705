import { Alert, Button, Flex, Input, Modal } from 'antd'
import { useState } from 'react'
import { isAborted, toFailure } from '../../../runtime/failure'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import type { ProcessDocument } from '../../../schema/generated/process'
import type { Problem } from '../../../schema/problem'
import { behindOf, problemsOfRefusal, type Behind } from './problems'
import { processTexts } from './texts'
import type { ProcessDetail } from './types'

interface Props {
  document: ProcessDocument
  detail: ProcessDetail | null
  adminIds: readonly string[]
  formId: string | null
  /** What has to be mended first. */
  errors: readonly Problem[]
  onGo(problem: Problem): void
  /** What the gateway found wrong. */
  onRefused(problems: readonly Problem[]): void
  onClose(): void
  onTakeTheirs(): void
  onPublished(id: string): void
}

/** Publishes what was drawn as the next version, with a note for the other administrators. */
export const PublishDialog = (props: Props) => {
  const { document, detail, adminIds, formId, errors, onGo, onRefused, onClose, onTakeTheirs, onPublished } = props
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [behind, setBehind] = useState<Behind | null>(null)
  const publish = async (basedOn: number | undefined): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const saved = await host.request<{ id: string; versionNo: number }>({
        method: 'POST',
        path: '/v2/workflow/process/save',
        body: {
          ...(detail ? { id: detail.id, basedOn } : {}),
          document,
          adminIds,
          ...(formId === null ? {} : { formId }),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        },
        idempotent: true,
      })
      host.notify('success', texts.published(saved.versionNo))
      onPublished(saved.id)
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
    <Modal
      open
      title={texts.publishTitle}
      okText={texts.publish}
      okButtonProps={{ disabled: errors.length > 0 || behind !== null, loading: busy }}
      onOk={() => void publish(detail?.versionNo)}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <span>{texts.publishNew}</span>
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
                    <Button type="link" size="small" onClick={() => onGo(problem)}>
                      {texts.goTo}
                    </Button>
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
    </Modal>
  )
}
