import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { HOME_ID, type Bookmark } from './bookmarks'

/** The title of a tab in the interface language: its own, else the route's, else the module's. */
export function useTabTitle(): (tab: Bookmark) => string {
  const portal = usePortal()
  const { t, i18n } = useTranslation()
  const locale = i18n.language === 'en' ? 'en' : 'zh'
  return useCallback(
    (tab) => {
      if (tab.id === HOME_ID) return t('layout.home')
      if (tab.title !== null) return tab.title
      const { table } = portal.routes
      const name = tab.path.split('/')[1] ?? ''
      return (
        table.route(tab.path)?.title[locale] ??
        `${table.module(name)?.title[locale] ?? name} · ${tab.path.split('/').pop() ?? ''}`
      )
    },
    [portal, t, locale],
  )
}
