import { App } from 'antd'
import { observer } from 'mobx-react-lite'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useTabTitle } from '../bookmarks/useTabTitle'
import { usePortal } from './portal'

/** Warns before unsaved input is lost: when the browser leaves, and when a kept page has to go for memory. */
export const UnsavedGuard = observer(function UnsavedGuard() {
  const { bookmarks } = usePortal()
  const { modal } = App.useApp()
  const { t } = useTranslation()
  const titleOf = useTabTitle()
  const some = bookmarks.unsaved.size > 0
  const asking = bookmarks.asking

  useEffect(() => {
    if (!some) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [some])

  useEffect(() => {
    if (asking === null) return
    const tab = bookmarks.state.tabs.find((item) => item.id === asking.tabId)
    modal.confirm({
      title: t('layout.unsavedTitle'),
      content: t('tabs.unsavedEvict', { title: tab === undefined ? asking.address : titleOf(tab) }),
      okText: t('tabs.unsavedEvictOk'),
      cancelText: t('tabs.unsavedKeep'),
      okButtonProps: { danger: true },
      autoFocusButton: 'cancel',
      onOk: () => bookmarks.settle(true),
      onCancel: () => bookmarks.settle(false),
    })
  }, [asking, bookmarks, modal, t, titleOf])

  return null
})
