import { DownOutlined } from '@ant-design/icons'
import { Button, Skeleton } from 'antd'
import { observer } from 'mobx-react-lite'
import { usePortal } from '../../portal/portal'
import type { AssistantStore } from '../assistantStore'
import type { ConversationStore } from '../chat/conversationStore'
import { assistantTexts, type AssistantTexts } from '../texts'
import { MessageView } from './MessageView'
import { useFollowing } from './useFollowing'

interface ConversationProps {
  conversation: ConversationStore
  store: AssistantStore
  go: (path: string) => void
}

/** Questions and answers, the newest at the end. */
export const ConversationView = observer(function ConversationView({ conversation, store, go }: ConversationProps) {
  const texts = assistantTexts[usePortal().language.locale]
  const { frame, content, onScroll, isAway, toLatest } = useFollowing(conversation)
  const { messageData, history } = conversation
  return (
    <div className="sb-conversation">
      <div
        ref={frame}
        className="sb-conversation-frame"
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={texts.conversation}
        onScroll={onScroll}
      >
        <div ref={content} className="sb-conversation-content">
          {history === 'loading' && messageData.length === 0 && <Skeleton active paragraph={{ rows: 4 }} />}
          {history === 'loading' && messageData.length > 0 && <p className="sb-conversation-note">{texts.older}</p>}
          {history === 'failed' && (
            <p className="sb-conversation-note" role="alert">
              {texts.historyFailed}{' '}
              <Button size="small" onClick={() => void conversation.load(messageData.length > 0)}>
                {texts.retry}
              </Button>
            </p>
          )}
          {messageData.map((message, index) => (
            <MessageView
              key={message.key}
              message={message}
              conversation={conversation}
              store={store}
              isLast={index === messageData.length - 1}
              go={go}
            />
          ))}
        </div>
      </div>
      {isAway && (
        <Button className="sb-latest" shape="round" icon={<DownOutlined />} onClick={toLatest}>
          {texts.latest}
        </Button>
      )}
      <p className="sb-assistant-told" role="status">
        {told(conversation, texts)}
      </p>
    </div>
  )
})

/** What people who cannot see the answer hear: that it begins, and how it ended. */
function told({ announced }: ConversationStore, texts: AssistantTexts): string {
  switch (announced) {
    case 'started':
      return texts.started
    case 'done':
      return texts.ended
    case 'stopped':
      return texts.stopped
    case 'failed':
      return texts.endedBadly
    case null:
      return ''
  }
}
