import { App } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { portalAddress } from '../signIn/address'
import { usePortal } from './portal'

/** Makes the portal's navigation; asks before a page with unsaved input is replaced in its tab. */
export function useNavigation(): void {
  const portal = usePortal()
  const { modal } = App.useApp()
  const { t } = useTranslation()

  useEffect(() => {
    portal.navigation.go = (address, options) => {
      const target = portalAddress(address, window.location.origin)
      if (target === null) {
        // A link of a schema to another site: never in the portal's own window.
        if (/^https?:\/\//i.test(address)) window.open(address, '_blank', 'noopener')
        return
      }
      const go = () =>
        portal.addresses.go(target, { replace: options?.replace, state: options?.keepLayout ? { keepLayout: true } : null })
      const [path = '', search = ''] = splitAddress(target)
      const { single = false, record } = portal.routes.table.route(path) ?? {}
      const replaced = portal.bookmarks.replacedBy({ path, search, single, ...(record === undefined ? {} : { record }) })
      const sameTab = options?.replace === true && portal.bookmarks.active?.id === replaced?.id
      if (replaced && !sameTab && portal.bookmarks.isUnsaved(replaced.id)) {
        modal.confirm({
          title: t('layout.unsavedTitle'),
          content: t('tabs.unsavedRefresh'),
          okText: t('tabs.unsavedEvictOk'),
          cancelText: t('cancel'),
          okButtonProps: { danger: true },
          autoFocusButton: 'cancel',
          onOk: go,
        })
      } else go()
    }
  }, [portal, modal, t])
}

export function splitAddress(address: string): [path: string, search: string] {
  const url = new URL(address, window.location.origin)
  return [url.pathname, url.search]
}
