import { RobotOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../runtime/part/lazyPart'
import { HOME_ID } from '../bookmarks/bookmarks'
import { useTabTitle } from '../bookmarks/useTabTitle'
import { grayFlag } from '../http/gray'
import { usePortal, type Portal } from '../portal/portal'
import { sessionStore } from '../session/storage'
import type { TokenKeeper } from '../token/tokenKeeper'
import { AssistantIcon } from './AssistantIcon'
import { AssistantStore } from './assistantStore'
import { createAssistantCalls } from './chat/assistantCalls'
import { assistantTexts } from './texts'

const AssistantPanel = lazyPart(() => import('./panel/AssistantPanel'), 'over')

/** Longer than a frame: a tab that nobody sees has none. */
const UNSEEN = 200

/** The assistant (R011): its button in the header, the icon at the edge of the window, and the panel that both open. */
const AssistantEntry = observer(function AssistantEntry({ tokens, phone }: { tokens: TokenKeeper; phone: boolean }) {
  const portal = usePortal()
  const [store] = useState(() => createStore(portal, tokens))
  const opener = useRef<HTMLElement | null>(null)
  const texts = assistantTexts[portal.language.locale]
  useEffect(() => store.end, [store])
  useAbout(store)
  const open = useCallback(() => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    store.setOpen(true)
  }, [store])
  const close = useCallback(() => {
    store.setOpen(false)
    // the icon is drawn anew, and is where the keyboard goes on when nothing else is
    requestAnimationFrame(() => {
      const back = opener.current?.isConnected ? opener.current : document.querySelector<HTMLElement>('.sb-assistant-icon')
      back?.focus()
    })
  }, [store])
  return (
    <>
      {!phone && (
        <Tooltip rootClassName="sb-tool-tip" title={texts.title}>
          <Button
            type="text"
            icon={<RobotOutlined />}
            aria-label={texts.title}
            aria-expanded={store.open}
            onClick={store.open ? close : open}
          />
        </Tooltip>
      )}
      {!store.open && <AssistantIcon onOpen={open} />}
      {store.open && (
        <Suspense fallback={null}>
          <AssistantPanel store={store} onClose={close} />
        </Suspense>
      )}
    </>
  )
})
export default AssistantEntry

function createStore({ http, configuration, language }: Portal, tokens: TokenKeeper): AssistantStore {
  const calls = createAssistantCalls(http)
  return new AssistantStore({
    calls,
    storage: sessionStore(),
    stream: {
      // R353
      connection: { host: configuration.streamingHost || configuration.gateway, tokens },
      headers: () => {
        const gray = grayFlag()
        return {
          'Accept-Language': language.locale === 'zh' ? 'zh-CN' : 'en',
          ...(gray === null ? {} : { [configuration.headers.gray]: gray }),
        }
      },
      log: (error) => console.warn('Switchboard: assistant', error),
    },
    soon: (run) => (document.hidden ? void setTimeout(run, UNSEEN) : void requestAnimationFrame(run)),
    // whatever is asked next finds the session ended, and says so as everywhere
    onOver: () => void calls.sessions('').catch(() => undefined),
  })
}

/** Keeps what the assistant may be asked about: the page that is open. */
function useAbout(store: AssistantStore): void {
  const { bookmarks } = usePortal()
  const titleOf = useTabTitle()
  const tab = bookmarks.active
  const path = tab === null || tab.id === HOME_ID ? null : tab.address
  const title = tab === null ? '' : titleOf(tab)
  useEffect(() => store.look(path === null ? null : { path, title }), [store, path, title])
}
