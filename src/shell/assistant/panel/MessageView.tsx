import { CopyOutlined, EditOutlined, LoadingOutlined, ReloadOutlined, RobotOutlined } from '@ant-design/icons'
import { Alert, App, Button } from 'antd'
import { observer } from 'mobx-react-lite'
import { useMemo, useState } from 'react'
import { loadPart } from '../../../runtime/part/loadPart'
import { saveText, toCsv } from '../../../runtime/action/outcome'
import { usePortal } from '../../portal/portal'
import { ERROR_SECONDS, TOAST_SECONDS } from '../../portal/Reactions'
import type { AssistantStore } from '../assistantStore'
import type { ConversationStore, Message } from '../chat/conversationStore'
import { isRunning, type BlockOf } from '../chat/wire'
import { Answer, AnswerHostProvider, type AnswerHost } from '../markdown/Answer'
import { assistantTexts } from '../texts'
import { AnswerParts, Understood } from './Blocks'
import { Rating } from './Rating'
import { Sources } from './Sources'
import { Tool } from './Tool'

interface MessageProps {
  message: Message
  conversation: ConversationStore
  store: AssistantStore
  isLast: boolean
  go: (path: string) => void
}

/** A question, and below it its answer with what it stands on. */
export const MessageView = observer(function MessageView({ message, conversation, store, isLast, go }: MessageProps) {
  const { language } = usePortal()
  const { message: toast } = App.useApp()
  const texts = assistantTexts[language.locale]
  const { chat, isLost } = message
  const { userQuery, aiResponse, state, kbDocuments, guessQuestions, blocks, doing, failure } = chat
  const [opened, setOpened] = useState<number | null>(null)
  const sources = kbDocuments.length
  const running = isRunning(chat)
  const host = useMemo((): AnswerHost => {
    const copy = (text: string, done: string): void =>
      void loadPart(() => import('../../session/copyText'))
        .then(({ copyText }) => copyText(text))
        .then(
          () => void toast.success(done, TOAST_SECONDS),
          () => void toast.error(texts.copyFailed, ERROR_SECONDS),
        )
    return {
      texts,
      sources,
      openSource: setOpened,
      go,
      copy: (text) => copy(text, texts.copied),
      copyCode: (code) => copy(code, texts.codeCopied),
      saveTable: (lines) => saveText(toCsv(lines), `${texts.table}.csv`),
    }
  }, [texts, sources, go, toast])
  const understood = blocks.find((block): block is BlockOf<'understood'> => block.kind === 'understood')
  const isQuiet = running && !isLost && aiResponse === ''
  return (
    <AnswerHostProvider value={host}>
      <article className="sb-exchange">
        <div className="sb-question">
          <span className="sb-assistant-told">{texts.you}: </span>
          <p>{userQuery}</p>
          <div className="sb-question-tools">
            <Tool label={texts.copy} icon={<CopyOutlined />} onClick={() => host.copy(userQuery)} />
            {isLast && !conversation.loading && (
              <Tool label={texts.edit} icon={<EditOutlined />} onClick={() => conversation.edit(true)} />
            )}
          </div>
        </div>
        <div className="sb-reply" aria-busy={running}>
          <RobotOutlined className="sb-reply-mark" aria-label={texts.assistant} />
          <div className="sb-reply-body">
            {understood && <Understood parts={understood.parts} disabled={conversation.loading} onAsk={store.ask} />}
            {isQuiet && (
              <p className="sb-thinking">
                <LoadingOutlined /> {doing ?? texts.thinking}
              </p>
            )}
            {aiResponse !== '' && <Answer text={aiResponse} />}
            <AnswerParts blocks={blocks} />
            {state === 'stopped' && <p className="sb-conversation-note">{texts.stopped}</p>}
            {isLost && (
              <Alert
                type="warning"
                message={texts.lost}
                action={
                  <Button size="small" onClick={() => void conversation.goOn()}>
                    {texts.goOn}
                  </Button>
                }
              />
            )}
            {(state === 'failed' || failure !== null) && (
              <Alert
                type={state === 'failed' ? 'error' : 'warning'}
                role="alert"
                message={state === 'failed' ? texts.failed : failure}
                description={state === 'failed' ? failure : undefined}
                action={
                  isLast &&
                  state === 'failed' && (
                    <Button size="small" disabled={conversation.loading} onClick={() => void conversation.askAgain(userQuery)}>
                      {texts.retry}
                    </Button>
                  )
                }
              />
            )}
            {sources > 0 && <Sources documents={kbDocuments} opened={opened} onOpen={setOpened} />}
            {!running && state !== 'failed' && (
              <Rating message={message} conversation={conversation}>
                {aiResponse !== '' && <Tool label={texts.copy} icon={<CopyOutlined />} onClick={() => host.copy(aiResponse)} />}
                {isLast && !conversation.loading && (
                  <Tool
                    label={texts.regenerate}
                    icon={<ReloadOutlined />}
                    onClick={() => void conversation.askAgain(userQuery)}
                  />
                )}
              </Rating>
            )}
            {isLast && !running && guessQuestions.length > 0 && (
              <ul className="sb-suggestions" aria-label={texts.guesses}>
                {guessQuestions.map((question) => (
                  <li key={question}>
                    <button type="button" disabled={conversation.loading} onClick={() => store.ask(question)}>
                      {question}
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </article>
    </AnswerHostProvider>
  )
})
