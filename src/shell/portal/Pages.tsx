import { Spin } from 'antd'
import { observer } from 'mobx-react-lite'
import { Activity, memo, Suspense, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageInstance } from '../bookmarks/bookmarkStore'
import { lazyPart } from '../../runtime/part/lazyPart'
import { PageHostProvider } from '../host/PageHostProvider'
import { NotYet } from '../screens/Screens'
import { PageBoundary } from '../screens/PageBoundary'
import type { TokenKeeper } from '../token/tokenKeeper'
import { usePortal } from './portal'
import { splitAddress } from './useNavigation'

const EmbedFrame = lazyPart(async () => ({ default: (await import('../embed/EmbedFrame')).EmbedFrame }))

/** Draws a page of the portal by its address; the runtime's PageHost. */
export type PageView = ComponentType<{ address: string }>

/**
 * All pages in memory; only the active one shows (R214). Hidden ones sleep in Activity and keep their own address, so a
 * navigation renders the page it is about and no other.
 */
export const Pages = observer(function Pages({ View, tokens }: { View: PageView; tokens: TokenKeeper }) {
  const { bookmarks } = usePortal()
  return bookmarks.pages.map((page) => (
    <Activity key={page.key} mode={page.key === bookmarks.activeKey ? 'visible' : 'hidden'}>
      <PageFrame page={page} View={View} tokens={tokens} />
    </Activity>
  ))
})

const PageFrame = memo(function PageFrame({ page, View, tokens }: { page: PageInstance; View: PageView; tokens: TokenKeeper }) {
  const { t } = useTranslation()
  const { bookmarks, routes } = usePortal()
  const { content, address, key, tabId } = page
  const waiting = <Spin className="sb-page-wait" aria-label={t('loading')} />
  return (
    <div className={content.type === 'embed' ? 'sb-page sb-page-embed' : 'sb-page'} data-page={address}>
      <PageBoundary address={address}>
        {content.type === 'embed' ? (
          <Suspense fallback={waiting}>
            <EmbedFrame
              iframeName={content.iframeName}
              address={address}
              tokens={tokens}
              onTitle={(title) => tabId !== null && bookmarks.retitle(tabId, title)}
              onUnsaved={(unsaved) => bookmarks.setUnsaved(key, unsaved)}
            />
          </Suspense>
        ) : content.type === 'notYet' ? (
          <NotYet title={routes.table.route(splitAddress(address)[0])?.title ?? null} />
        ) : (
          <PageHostProvider pageKey={key} tabId={tabId}>
            <Suspense fallback={waiting}>
              <View address={address} />
            </Suspense>
          </PageHostProvider>
        )}
      </PageBoundary>
    </div>
  )
})
