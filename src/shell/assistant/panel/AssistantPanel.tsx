import '../assistant.css'
import {
  CloseOutlined,
  FormOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { observer } from 'mobx-react-lite'
import { useCallback, useEffect, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { useTokenStyle } from '../../../runtime/tokens'
import { isComposing } from '../../../runtime/typing'
import { HOME_ID } from '../../bookmarks/bookmarks'
import { useTabTitle } from '../../bookmarks/useTabTitle'
import { usePortal } from '../../portal/portal'
import type { TokenKeeper } from '../../token/tokenKeeper'
import type { AssistantStore } from '../assistantStore'
import { createAssistant } from '../createAssistant'
import { chatWidth, panelWidth } from '../placing'
import { assistantTexts } from '../texts'
import { Composer } from './Composer'
import { ConversationView } from './ConversationView'
import { Home } from './Home'
import { Sessions } from './Sessions'

interface PanelProps {
  tokens: TokenKeeper
  /** Where the store is kept while there is no panel. */
  holder: RefObject<AssistantStore | null>
  onClose: () => void
}

/** The panel of the assistant beside the pages (R090, R091): home or a conversation, and the history at its side. */
const AssistantPanel = observer(function AssistantPanel({ tokens, holder, onClose }: PanelProps) {
  const portal = usePortal()
  const { layout, language, navigation } = portal
  const [store] = useState(() => (holder.current ??= createAssistant(portal, tokens)))
  useAbout(store)
  const texts = assistantTexts[language.locale]
  const style = useTokenStyle()
  const { current, fullScreen, sidebarCollapsed } = store
  useEffect(() => store.arrive(), [store])
  const phone = layout.device === 'Mobile'
  const state = { fullScreen, sidebarCollapsed, window: layout.width, phone }
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
    // what stands over the panel takes the key for itself
    if (!event.currentTarget.contains(event.target as HTMLElement)) return
    event.preventDefault()
    onClose()
  }
  /** A place of the portal opens beside the panel, which makes room for it. */
  const go = useCallback(
    (path: string): void => {
      if (layout.device === 'Mobile') onClose()
      else if (store.fullScreen) store.toggleFullScreen()
      navigation.go(path)
    },
    [layout, store, navigation, onClose],
  )
  const tool = (label: string, icon: ReactNode, run: () => void, expanded?: boolean): ReactNode => (
    <Button type="text" icon={icon} aria-label={label} title={label} aria-expanded={expanded} onClick={run} />
  )
  return createPortal(
    <section
      className="sb-assistant"
      role="dialog"
      aria-label={texts.assistant}
      data-full={fullScreen || phone || undefined}
      data-phone={phone || undefined}
      style={{ ...style, width: panelWidth(state) }}
      onKeyDown={keys}
    >
      {!sidebarCollapsed && <Sessions store={store} onChosen={() => phone && store.toggleSidebar()} />}
      <div className="sb-assistant-main" hidden={phone && !sidebarCollapsed}>
        <header className="sb-assistant-head">
          {tool(
            sidebarCollapsed ? texts.showSessions : texts.hideSessions,
            sidebarCollapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />,
            store.toggleSidebar,
            !sidebarCollapsed,
          )}
          <h2>{texts.assistant}</h2>
          {tool(texts.newChat, <FormOutlined />, store.startNew)}
          {!phone &&
            tool(
              fullScreen ? texts.leaveFullScreen : texts.fullScreen,
              fullScreen ? <FullscreenExitOutlined /> : <FullscreenOutlined />,
              store.toggleFullScreen,
            )}
          {tool(texts.close, <CloseOutlined />, onClose)}
        </header>
        <div className="sb-assistant-chat" style={{ maxWidth: chatWidth(state) }}>
          {current.isNew ? (
            <Home store={store} />
          ) : (
            <ConversationView key={current.id} conversation={current} store={store} go={go} />
          )}
          <Composer store={store} />
        </div>
      </div>
    </section>,
    document.body,
  )
})
export default AssistantPanel

/** Keeps what the assistant may be asked about: the page that is open. */
function useAbout(store: AssistantStore): void {
  const { bookmarks } = usePortal()
  const titleOf = useTabTitle()
  const tab = bookmarks.active
  const path = tab === null || tab.id === HOME_ID ? null : tab.address
  const title = tab === null ? '' : titleOf(tab)
  useEffect(() => store.look(path === null ? null : { path, title }), [store, path, title])
}
