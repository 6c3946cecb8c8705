import { App } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { HOME_ID, type Bookmark } from './bookmarks'
import { useTabTitle } from './useTabTitle'

export interface TabActions {
  open(tab: Bookmark): void
  refresh(tab: Bookmark): void
  close(tab: Bookmark): void
  closeOthers(tab: Bookmark): void
  closeAll(): void
}

/** What can be done with tabs; whatever would lose unsaved input asks first. */
export function useTabActions(): TabActions {
  const portal = usePortal()
  const { modal } = App.useApp()
  const { t } = useTranslation()
  const titleOf = useTabTitle()

  return useMemo(() => {
    const { bookmarks } = portal
    const go = (address: string | null) => {
      if (address !== null) portal.navigation.go(address, { keepLayout: true })
    }
    const ask = (losing: readonly Bookmark[], content: string, okText: string, then: () => void) => {
      if (losing.length === 0) return then()
      modal.confirm({
        title: t('layout.unsavedTitle'),
        content,
        okText,
        cancelText: t('cancel'),
        okButtonProps: { danger: true },
        autoFocusButton: 'cancel',
        onOk: then,
      })
    }
    const closing = (tabs: readonly Bookmark[], then: () => void) => {
      const losing = tabs.filter((tab) => bookmarks.isUnsaved(tab.id))
      const titles = losing.map(titleOf).join(portal.language.locale === 'en' ? ', ' : '、')
      ask(losing, t('tabs.unsavedClose', { titles }), t('tabs.unsavedCloseOk'), then)
    }
    return {
      open: (tab) => go(tab.address),
      refresh(tab) {
        const losing = bookmarks.isUnsaved(tab.id) ? [tab] : []
        ask(losing, t('tabs.unsavedRefresh'), t('tabs.refresh'), () => {
          bookmarks.refresh(tab.id)
          go(tab.address)
        })
      },
      close: (tab) => closing([tab], () => go(bookmarks.close(tab.id))),
      closeOthers(tab) {
        const others = bookmarks.state.tabs.filter((item) => item.id !== HOME_ID && item.id !== tab.id)
        closing(others, () => go(bookmarks.closeOthers(tab.id)))
      },
      closeAll: () => closing(bookmarks.state.tabs, () => go(bookmarks.closeAll())),
    }
  }, [portal, modal, t, titleOf])
}
