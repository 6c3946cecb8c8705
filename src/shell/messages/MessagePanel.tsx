import './messages.css'
import { Alert, App, Badge, Button, Drawer, Empty, Segmented, Skeleton } from 'antd'
import { observer } from 'mobx-react-lite'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { momentText } from '../../runtime/reading/moment'
import { usePortal } from '../portal/portal'
import { ERROR_SECONDS } from '../portal/Reactions'
import type { Message, MessageStore } from './messageStore'
import { messageTexts } from './texts'

/** The messages of the person, the newest first; opening one marks it as read and goes where it leads. */
const MessagePanel = observer(function MessagePanel({ store }: { store: MessageStore }) {
  const { language, layout, navigation } = usePortal()
  const { t } = useTranslation()
  const { message: toast } = App.useApp()
  const texts = messageTexts[language.locale]
  const { messages, failure, loading, next, unreadOnly } = store
  const attempt = (work: Promise<void>): void => {
    work.catch((error: unknown) => void toast.error(error instanceof Error ? error.message : String(error), ERROR_SECONDS))
  }
  const openMessage = (message: Message): void => {
    attempt(store.read(message))
    if (message.link === null) return
    store.setOpen(false)
    navigation.go(message.link)
  }
  return (
    <Drawer
      open
      width={Math.min(440, layout.width)}
      title={texts.title}
      onClose={() => store.setOpen(false)}
      extra={
        <Button disabled={store.unread === 0} onClick={() => attempt(store.readAll())}>
          {texts.readAll}
        </Button>
      }
    >
      <Segmented
        block
        aria-label={texts.which}
        value={unreadOnly}
        options={[
          { value: false, label: texts.all },
          { value: true, label: texts.unreadOnly },
        ]}
        onChange={(value) => store.showUnread(value)}
      />
      {failure !== null && (
        <Alert
          type="error"
          showIcon
          className="sb-messages-failed"
          message={texts.failed}
          description={failure}
          action={<Button onClick={() => void store.load()}>{t('retry')}</Button>}
        />
      )}
      {messages === null && failure === null && <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />}
      {messages?.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={unreadOnly ? texts.noUnread : texts.empty} />
      )}
      {messages !== null && messages.length > 0 && (
        <ul className="sb-messages" aria-busy={loading}>
          {messages.map((message) => (
            <li key={message.id}>
              <Row message={message} onOpen={openMessage} />
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <Button block loading={loading} onClick={() => void store.more()}>
          {texts.more}
        </Button>
      )}
    </Drawer>
  )
})
export default MessagePanel

function Row({ message, onOpen }: { message: Message; onOpen: (message: Message) => void }) {
  const texts = messageTexts[usePortal().language.locale]
  const { read, title, text, matter, from, at, link } = message
  const moment = momentText({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }, at)
  const open = (event: MouseEvent): void => {
    // another tab, another window: the browser's own way, and read all the same
    if (event.ctrlKey || event.metaKey || event.shiftKey) return onOpen({ ...message, link: null })
    event.preventDefault()
    onOpen(message)
  }
  const content = (
    <>
      <span className="sb-message-title">
        {!read && <Badge status="processing" />}
        {!read && <span className="sb-message-state">{texts.isUnread}</span>}
        {title}
      </span>
      {text !== null && <span className="sb-message-text">{text}</span>}
      <span className="sb-message-facts">{[matter, from ?? texts.system, moment].join(' · ')}</span>
    </>
  )
  return link === null ? (
    <button type="button" className={read ? 'sb-message' : 'sb-message sb-message-unread'} onClick={open}>
      {content}
    </button>
  ) : (
    <a href={link} className={read ? 'sb-message' : 'sb-message sb-message-unread'} onClick={open}>
      {content}
    </a>
  )
}
