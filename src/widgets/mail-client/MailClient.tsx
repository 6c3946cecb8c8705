import './mail.css'
import type { WidgetProps } from '../../runtime/widget'
import { useTokenStyle } from '../../runtime/tokens'
import { Mailbox } from './Mailbox'
import { Alone } from './read/Alone'
import { Dealings } from './party/Dealings'
import { OfRecord } from './party/OfRecord'
import { readPlace } from './parts/place'
import type { Box, View } from './parts/types'

interface MailClientProps {
  show?: 'folder' | 'message' | 'dealings' | 'record'
  folder?: Box
  view?: View
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The party of a record, and the word that its mail names it by. */
function recordOf({ customerId, supplierId, word }: Readonly<Record<string, unknown>>) {
  const [customer, supplier] = [text(customerId), text(supplierId)]
  return { party: customer ? { customerId: customer } : supplier ? { supplierId: supplier } : {}, word: text(word) ?? '' }
}

/** Mail: folders with their messages, one message alone, what was written with a party, or about a record. */
const MailClient = ({ props, values }: WidgetProps<MailClientProps>) => {
  const { show = 'folder', folder = 'inbox', view = 'message' } = props
  const query = (values.query ?? {}) as Readonly<Record<string, string | undefined>>
  const style = useTokenStyle()
  return (
    <div className="sb-mail" style={style}>
      {show === 'folder' && <Mailbox view={view} place={readPlace(query, folder)} />}
      {show === 'message' && <Alone view={view} box={folder} id={query['messageId'] ?? query['id'] ?? null} />}
      {show === 'record' && <OfRecord {...recordOf(values)} />}
      {show === 'dealings' && <Dealings query={query} />}
    </div>
  )
}
export default MailClient
