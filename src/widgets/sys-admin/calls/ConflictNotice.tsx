import { Alert, Button, Flex } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import type { Conflict } from './refusal'
import { callTexts } from './texts'

interface ConflictNoticeProps {
  conflict: Conflict
  /** Names of fields in the viewer's language. */
  labels: Readonly<Record<string, string>>
  onTake(): void
  onKeep(): void
}

/** Somebody else saved in between: who, when, what, and the two ways on. */
export const ConflictNotice = ({ conflict, labels, onTake, onKeep }: ConflictNoticeProps) => {
  const host = useHost()
  const texts = callTexts[host.locale]
  const at = momentText(host, conflict.at)
  const fields = conflict.fields.map((field) => labels[field] ?? field).join(host.locale === 'zh' ? '、' : ', ')
  return (
    <Alert
      type="warning"
      showIcon
      message={texts.staleTitle}
      description={
        <Flex vertical gap={8}>
          <span>
            {conflict.by && texts.staleBy(conflict.by, at)} {fields && texts.staleFields(fields)} {texts.staleHelp}
          </span>
          <Flex gap={8} wrap>
            <Button size="small" type="primary" onClick={onKeep}>
              {texts.staleKeep}
            </Button>
            <Button size="small" onClick={onTake}>
              {texts.staleTake}
            </Button>
          </Flex>
        </Flex>
      }
    />
  )
}
