import './mail.css'
import type { WidgetProps } from '../../runtime/widget'
import { useTokenStyle } from '../../runtime/tokens'
import { Mailbox } from './Mailbox'
import { Alone } from './read/Alone'
import { Dealings } from './party/Dealings'
import { readPlace } from './parts/place'
import type { Box, View } from './parts/types'

interface MailClientProps {
  show?: 'folder' | 'message' | 'dealings'
  folder?: Box
  view?: View
}

/** Mail: folders with their messages, one message alone, or what was written with a party. */
const MailClient = ({ props, values }: WidgetProps<MailClientProps>) => {
  const { show = 'folder', folder = 'inbox', view = 'message' } = props
  const query = (values.query ?? {}) as Readonly<Record<string, string | undefined>>
  const style = useTokenStyle()
  return (
    <div className="sb-mail" style={style}>
      {show === 'folder' && <Mailbox view={view} place={readPlace(query, folder)} />}
      {show === 'message' && <Alone view={view} box={folder} id={query['messageId'] ?? query['id'] ?? null} />}
      {show === 'dealings' && <Dealings query={query} />}
    </div>
  )
}
export default MailClient
