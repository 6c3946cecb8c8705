import { Tag, Tooltip } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { designerTexts } from '../texts'
import type { Origin } from '../types'
import { carriedText } from './carriedText'

/** From which environment changes were carried over; pointed at, what they were called there, who made them and when. */
export const CarriedTag = ({ origin }: { origin: Origin | null }) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  if (!origin) return null
  return (
    <Tooltip title={carriedText(host, origin)}>
      <Tag color="geekblue" tabIndex={0}>
        {texts.carriedFrom(texts.environments[origin.environment] ?? origin.environment)}
      </Tag>
    </Tooltip>
  )
}
