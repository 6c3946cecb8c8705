import { ArrowUpOutlined, CloseOutlined, EditOutlined, FileTextOutlined, PauseOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { observer } from 'mobx-react-lite'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { isEnter } from '../../../runtime/typing'
import { usePortal } from '../../portal/portal'
import type { AssistantStore } from '../assistantStore'
import { LONGEST_QUESTION } from '../chat/conversationStore'
import { assistantTexts } from '../texts'

/** R289 */
const ROWS = { minRows: 1, maxRows: 4 }

/** Where a question is written (R286-R291), with the page that it is about. */
export const Composer = observer(function Composer({ store }: { store: AssistantStore }) {
  const { language } = usePortal()
  const texts = assistantTexts[language.locale]
  const { current, about } = store
  const { message, loading, editing, isStopSSE } = current
  const box = useRef<TextAreaRef>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [current, editing])
  const isEmpty = message.trim() === ''
  const send = (): void => {
    if (!loading && !isEmpty) store.ask(message)
  }
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowUp' && message === '' && !current.isNew) {
      event.preventDefault()
      current.edit(true)
    }
    if (event.key === 'Escape' && editing) {
      event.preventDefault()
      current.edit(false)
    }
    if (!isEnter(event) || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="sb-composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {editing && (
        <span className="sb-about">
          <EditOutlined aria-hidden />
          <bdi>{texts.editing}</bdi>
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined />}
            aria-label={texts.cancelEdit}
            title={texts.cancelEdit}
            onClick={() => current.edit(false)}
          />
        </span>
      )}
      {about !== null && !editing && (
        <span className="sb-about">
          <FileTextOutlined aria-hidden />
          <bdi>{texts.about(about.title)}</bdi>
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined />}
            aria-label={texts.withoutAbout}
            title={texts.withoutAbout}
            onClick={store.withoutAbout}
          />
        </span>
      )}
      <div className="sb-composer-box">
        <Input.TextArea
          ref={box}
          variant="borderless"
          autoSize={ROWS}
          maxLength={LONGEST_QUESTION}
          value={message}
          aria-label={texts.ask}
          placeholder={texts.placeholder}
          onChange={({ target }) => store.write(target.value)}
          onKeyDown={keys}
        />
        <div className="sb-composer-foot">
          <span>{texts.count(message.length, LONGEST_QUESTION)}</span>
          {loading ? (
            <Button
              shape="circle"
              icon={<PauseOutlined />}
              aria-label={texts.stop}
              title={isStopSSE ? texts.stop : texts.stopAfter}
              disabled={!isStopSSE}
              onClick={() => void current.stop()}
            />
          ) : (
            <Button
              type="primary"
              shape="circle"
              htmlType="submit"
              icon={<ArrowUpOutlined />}
              aria-label={texts.send}
              title={texts.send}
              disabled={isEmpty}
            />
          )}
        </div>
      </div>
    </form>
  )
})
