import { BellOutlined } from '@ant-design/icons'
import { observer } from 'mobx-react-lite'
import { useEffect, useState } from 'react'
import { lazyPart } from '../../runtime/part/lazyPart'
import { HeaderCount } from '../layout/HeaderCount'
import { usePortal } from '../portal/portal'
import { countAndHear } from '../stream/channel'
import { MessageStore } from './messageStore'
import { messageTexts } from './texts'
import { useMailNews } from './useMailNews'

const MessagePanel = lazyPart(() => import('./MessagePanel'), 'over')

/** The bell of the header: how many messages are unread, told by the stream (R226), and the panel that shows them (R007). */
const MessageBell = observer(function MessageBell() {
  const { http, language } = usePortal()
  const [store] = useState(() => new MessageStore(http))
  const texts = messageTexts[language.locale]
  useEffect(() => {
    const end = countAndHear(store.count, store.hear)
    return () => {
      end()
      store.stop()
    }
  }, [store])
  useMailNews()
  const label = store.unread === 0 ? texts.title : texts.unread(store.unread)
  return (
    <HeaderCount label={label} count={store.unread} icon={<BellOutlined />} open={store.open} onOpen={() => store.setOpen(true)}>
      <MessagePanel store={store} />
    </HeaderCount>
  )
})
export default MessageBell
