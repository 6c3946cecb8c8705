import { DeleteOutlined, MenuFoldOutlined, MoreOutlined, PushpinFilled, PushpinOutlined, SearchOutlined } from '@ant-design/icons'
import { Alert, App, Button, Dropdown, Empty, Input, Skeleton } from 'antd'
import { observer } from 'mobx-react-lite'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../../portal/portal'
import { ERROR_SECONDS, TOAST_SECONDS } from '../../portal/Reactions'
import type { AssistantStore } from '../assistantStore'
import type { Session } from '../chat/wire'
import { assistantTexts } from '../texts'

/** Earlier conversations, pinned ones first: they are searched, pinned and deleted (R251, R252, R402). */
export const Sessions = observer(function Sessions({ store, onChosen }: { store: AssistantStore; onChosen: () => void }) {
  const { language } = usePortal()
  const { t } = useTranslation()
  const texts = assistantTexts[language.locale]
  const { sessions, sessionsFailure, keyword } = store
  return (
    <nav className="sb-sessions" aria-label={texts.sessions}>
      <header className="sb-assistant-head">
        <h2>{texts.sessions}</h2>
        <Button
          type="text"
          icon={<MenuFoldOutlined />}
          aria-label={texts.hideSessions}
          title={texts.hideSessions}
          className="sb-sessions-hide"
          onClick={store.toggleSidebar}
        />
      </header>
      <Input
        allowClear
        value={keyword}
        prefix={<SearchOutlined />}
        placeholder={texts.search}
        aria-label={texts.search}
        onChange={({ target }) => store.search(target.value)}
      />
      {sessionsFailure !== null && (
        <Alert
          type="error"
          message={sessionsFailure}
          action={
            <Button size="small" onClick={() => void store.loadSessions()}>
              {t('retry')}
            </Button>
          }
        />
      )}
      {sessions === null && sessionsFailure === null && <Skeleton active title={false} paragraph={{ rows: 5, width: '100%' }} />}
      {sessions?.length === 0 && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={
            keyword.trim() !== '' ? (
              texts.noFound
            ) : (
              <>
                {texts.noSessions}
                <br />
                {texts.noSessionsLead}
              </>
            )
          }
        />
      )}
      <ul>
        {sessions?.map((one) => (
          <SessionLine key={one.uuid} session={one} store={store} onChosen={onChosen} />
        ))}
      </ul>
    </nav>
  )
})

interface LineProps {
  session: Session
  store: AssistantStore
  onChosen: () => void
}

const SessionLine = observer(function SessionLine({ session, store, onChosen }: LineProps) {
  const { language } = usePortal()
  const { t } = useTranslation()
  const { modal, message } = App.useApp()
  const texts = assistantTexts[language.locale]
  const { uuid, title, isTop } = session
  const attempt = (work: Promise<void>, done: string): Promise<void> =>
    work.then(
      () => void message.success(done, TOAST_SECONDS),
      (error: unknown) => void message.error(error instanceof Error ? error.message : String(error), ERROR_SECONDS),
    )
  // R399, R400
  const pin = (): void =>
    void modal.confirm({
      title: texts.hint,
      content: isTop ? texts.confirmUnpin : texts.confirmPin,
      okText: t('ok'),
      cancelText: t('cancel'),
      onOk: () => attempt(store.pin(session), texts.done),
    })
  // R401
  const remove = (): void =>
    void modal.confirm({
      title: texts.confirmRemove,
      content: texts.confirmRemoveLead,
      okText: t('ok'),
      cancelText: t('cancel'),
      okButtonProps: { danger: true },
      autoFocusButton: 'cancel',
      onOk: () => attempt(store.remove(session), texts.removed),
    })
  return (
    <li data-current={uuid === store.current.uuid || undefined}>
      <button
        type="button"
        className="sb-session"
        aria-current={uuid === store.current.uuid || undefined}
        title={title}
        onClick={() => {
          store.choose(uuid)
          onChosen()
        }}
      >
        {isTop && <PushpinFilled aria-label={texts.pinned} />}
        <bdi>{title || texts.untitled}</bdi>
      </button>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'pin', icon: <PushpinOutlined />, label: isTop ? texts.unpin : texts.pin, onClick: pin },
            { key: 'remove', icon: <DeleteOutlined />, label: texts.remove, danger: true, onClick: remove },
          ],
        }}
      >
        <Button type="text" size="small" icon={<MoreOutlined />} aria-label={texts.more(title)} />
      </Dropdown>
    </li>
  )
})
