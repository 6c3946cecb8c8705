import { RobotOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../runtime/part/lazyPart'
import { usePortal } from '../portal/portal'
import { sessionStore } from '../session/storage'
import type { TokenKeeper } from '../token/tokenKeeper'
import { AssistantIcon } from './AssistantIcon'
import type { AssistantStore } from './assistantStore'
import { entryTexts } from './entryTexts'

const AssistantPanel = lazyPart(() => import('./panel/AssistantPanel'), 'over')
const OPEN = 'switchboard.assistant.open'

/** The assistant (R011): its button in the header, the icon at the edge of the window, and the panel that both open. */
const AssistantEntry = observer(function AssistantEntry({ tokens, phone }: { tokens: TokenKeeper; phone: boolean }) {
  const { language } = usePortal()
  const [isOpen, setOpen] = useState(() => sessionStore().getItem(OPEN) !== null)
  const opener = useRef<Element | null>(null)
  /** Made by the first panel: what it follows goes on while it is closed. */
  const store = useRef<AssistantStore | null>(null)
  const texts = entryTexts[language.locale]
  useEffect(() => () => store.current?.end(), [])
  const open = useCallback(() => {
    opener.current = document.activeElement
    keepOpen(true)
    setOpen(true)
  }, [])
  const close = useCallback(() => {
    keepOpen(false)
    setOpen(false)
    // the icon is drawn anew, and is where the keyboard goes on when what opened the panel is gone
    requestAnimationFrame(() => {
      const { current } = opener
      const back = current instanceof HTMLElement && current.isConnected && current !== document.body ? current : null
      ;(back ?? document.querySelector<HTMLElement>('.sb-assistant-icon'))?.focus()
    })
  }, [])
  return (
    <>
      {!phone && (
        <Tooltip rootClassName="sb-tool-tip" title={texts.title}>
          <Button
            type="text"
            icon={<RobotOutlined />}
            aria-label={texts.title}
            aria-expanded={isOpen}
            onClick={isOpen ? close : open}
          />
        </Tooltip>
      )}
      {isOpen ? (
        <Suspense fallback={null}>
          <AssistantPanel tokens={tokens} holder={store} onClose={close} />
        </Suspense>
      ) : (
        <AssistantIcon onOpen={open} />
      )}
    </>
  )
})
export default AssistantEntry

function keepOpen(isOpen: boolean): void {
  try {
    if (isOpen) sessionStore().setItem(OPEN, '1')
    else sessionStore().removeItem(OPEN)
  } catch {
    // A full storage costs only the memory of it.
  }
}
