import { Tag, Tooltip } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { designerTexts } from '../texts'
import type { Origin } from '../types'
import { importedText } from './exportImport'

/** From which environment changes were imported; pointed at, what they were called there, who made them and when. */
export const ImportedTag = ({ origin }: { origin: Origin | null }) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  if (!origin) return null
  return (
    <Tooltip title={importedText(host, origin)}>
      <Tag color="geekblue" tabIndex={0}>
        {texts.importedFrom(texts.environments[origin.environment] ?? origin.environment)}
      </Tag>
    </Tooltip>
  )
}
