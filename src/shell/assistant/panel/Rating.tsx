import { DislikeFilled, DislikeOutlined, LikeFilled, LikeOutlined } from '@ant-design/icons'
import { App, Button, Input, Modal } from 'antd'
import { observer } from 'mobx-react-lite'
import { useEffect, useState, type ReactNode } from 'react'
import { usePortal } from '../../portal/portal'
import { ERROR_SECONDS, TOAST_SECONDS } from '../../portal/Reactions'
import type { ConversationStore, Message } from '../chat/conversationStore'
import { assistantTexts } from '../texts'
import { Tool } from './Tool'

const LONGEST_OPINION = 500

interface RatingProps {
  message: Message
  conversation: ConversationStore
  children: ReactNode
}

/** Whether an answer helped (R247-R250): a like asks for tags below it, a dislike in a dialog; one that stands is taken back. */
export const Rating = observer(function Rating({ message, conversation, children }: RatingProps) {
  const { language } = usePortal()
  const { message: toast } = App.useApp()
  const texts = assistantTexts[language.locale]
  const [asking, setAsking] = useState<'LIKE' | 'DISLIKE' | null>(null)
  const { like } = message.chat
  const save = async (value: 1 | 0 | null, tags: readonly string[] = [], content = ''): Promise<void> => {
    try {
      await conversation.rate(message, value, tags, content)
      setAsking(null)
      if (value !== null) void toast.success(texts.thanks, TOAST_SECONDS)
    } catch (error) {
      void toast.error(error instanceof Error ? error.message : String(error), ERROR_SECONDS)
    }
  }
  /** R249 */
  const press = (type: 'LIKE' | 'DISLIKE', value: 1 | 0): void => {
    if (like === value) void save(null)
    setAsking(asking === type || like === value ? null : type)
  }
  const opinion = asking !== null && (
    <Opinion
      key={asking}
      type={asking}
      calls={conversation.calls}
      onSend={(tags, content) => save(asking === 'LIKE' ? 1 : 0, tags, content)}
    />
  )
  return (
    <>
      <div className="sb-reply-tools">
        {children}
        <Tool
          label={texts.like}
          icon={like === 1 ? <LikeFilled /> : <LikeOutlined />}
          isOn={like === 1}
          onClick={() => press('LIKE', 1)}
        />
        <Tool
          label={texts.dislike}
          icon={like === 0 ? <DislikeFilled /> : <DislikeOutlined />}
          isOn={like === 0}
          onClick={() => press('DISLIKE', 0)}
        />
      </div>
      {asking === 'LIKE' && <div className="sb-opinion">{opinion}</div>}
      <Modal
        open={asking === 'DISLIKE'}
        title={texts.whyDislike}
        width={460}
        footer={null}
        destroyOnHidden
        onCancel={() => setAsking(null)}
      >
        {opinion}
      </Modal>
    </>
  )
})

interface OpinionProps {
  type: 'LIKE' | 'DISLIKE'
  calls: ConversationStore['calls']
  onSend: (tags: readonly string[], content: string) => Promise<void>
}

const Opinion = ({ type, calls, onSend }: OpinionProps) => {
  const { language } = usePortal()
  const { message: toast } = App.useApp()
  const texts = assistantTexts[language.locale]
  const [tags, setTags] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [content, setContent] = useState('')
  const [sending, setSending] = useState(false)
  useEffect(() => {
    let left = false
    calls.tags(type).then(
      (found) => left || setTags(found),
      (error: unknown) => void toast.error(error instanceof Error ? error.message : String(error), ERROR_SECONDS),
    )
    return () => {
      left = true
    }
  }, [calls, type, toast])
  const send = (): void => {
    // R292
    if (type === 'LIKE' && chosen.size === 0) return void toast.warning(texts.chooseTag, TOAST_SECONDS)
    setSending(true)
    void onSend([...chosen], content.trim()).finally(() => setSending(false))
  }
  return (
    <form
      className="sb-opinion-form"
      aria-label={type === 'LIKE' ? texts.whyLike : texts.whyDislike}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {type === 'LIKE' && <strong>{texts.whyLike}</strong>}
      <div className="sb-opinion-tags">
        {tags.map((tag) => {
          const isOn = chosen.has(tag)
          return (
            <Button
              key={tag}
              size="small"
              shape="round"
              type={isOn ? 'primary' : 'default'}
              aria-pressed={isOn}
              onClick={() => setChosen(new Set(isOn ? [...chosen].filter((one) => one !== tag) : [...chosen, tag]))}
            >
              {tag}
            </Button>
          )
        })}
      </div>
      {type === 'DISLIKE' && (
        <Input.TextArea
          autoSize={{ minRows: 2, maxRows: 6 }}
          maxLength={LONGEST_OPINION}
          value={content}
          aria-label={texts.moreWords}
          placeholder={texts.moreWords}
          onChange={({ target }) => setContent(target.value)}
        />
      )}
      <Button type="primary" size={type === 'LIKE' ? 'small' : 'middle'} htmlType="submit" loading={sending}>
        {texts.submit}
      </Button>
    </form>
  )
}
