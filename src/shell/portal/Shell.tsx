import { observer } from 'mobx-react-lite'
import { Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useDocked } from '../../runtime/dock'
import { useTokenStyle } from '../../runtime/tokens'
import { Banners } from '../banners/Banners'
import { BookmarkBar } from '../bookmarks/BookmarkBar'
import { useTabTitle } from '../bookmarks/useTabTitle'
import { chrome, type Decision } from '../guard/guard'
import { menuWidth } from '../layout/device'
import { typeAhead } from '../layout/typeAhead'
import { Header } from '../layout/Header'
import { buildMenu, entriesOf, highlightedPath, type ModuleMenu } from '../layout/menu'
import { CollapseButton } from '../layout/CollapseButton'
import { SideMenu } from '../layout/SideMenu'
import { DdNotice, Forbidden, NotFound } from '../screens/Screens'
import type { TokenKeeper } from '../token/tokenKeeper'
import { Pages, type PageView } from './Pages'
import { useStream } from '../stream/useStream'
import { usePortal } from './portal'
import { UnsavedGuard } from './UnsavedGuard'
import { useNavigation } from './useNavigation'
import { useLocation } from './useLocation'
import { useVisit } from './useVisit'
import { lazyPart } from '../../runtime/part/lazyPart'
import { loadPart } from '../../runtime/part/loadPart'
import '../layout/layout.css'
import '../layout/touch.css'

const SearchPalette = lazyPart(() => import('../layout/SearchPalette'), 'over')
const PrintHead = lazyPart(async () => ({ default: (await import('../layout/PrintHead')).PrintHead }), 'over')
const MenuDrawer = lazyPart(() => import('../layout/MenuDrawer'), 'over')
const Dock = lazyPart(() => import('../layout/Dock'), 'over')
const TabSheet = lazyPart(() => import('../bookmarks/TabSheet'), 'over')

/** Header, side menu, tab bar, banners and the page (R070). */
export const Shell = observer(function Shell({ View, tokens }: { View: PageView; tokens: TokenKeeper }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const { layout, routes, session } = portal
  useNavigation()
  useStream(tokens)
  useBeside(tokens)
  const decision = useVisit()
  const { pathname } = useLocation().location
  useDocumentTitle(decision)
  useKeys()
  const style = useTokenStyle()

  const menus = useMemo(() => buildMenu(session.resources, routes.table), [session.resources, routes.table])
  const entries = useMemo(() => entriesOf(menus), [menus])
  const around = chrome(pathname, routes.table.route(pathname), layout.layout)
  const phone = layout.device === 'Mobile'
  const selected = highlightedPath(entries, pathname, routes.table.route(pathname)?.activeMenu)
  const menu = menus.find((item) => item.name === layout.layout)

  return (
    <div className={`sb-shell sb-device-${layout.device}`} style={style}>
      <a className="sb-skip" href="#sb-content">
        {t('skip')}
      </a>
      <Suspense fallback={null}>
        <PrintHead />
      </Suspense>
      <UnsavedGuard />
      <Header
        menus={menus}
        tokens={tokens}
        tabs={
          <Suspense fallback={null}>
            <TabSheet />
          </Suspense>
        }
      />
      <Banners />
      <div className="sb-body">
        {!phone && around.aside && menu !== undefined && <Aside menu={menu} selected={selected} />}
        {phone && (
          <Suspense fallback={null}>
            <MenuDrawer menus={menus} selected={selected} />
          </Suspense>
        )}
        <div className="sb-column">
          {!phone && around.tabs && <BookmarkBar />}
          <main id="sb-content" className="sb-content" tabIndex={-1}>
            <Screen decision={decision} />
            <Pages View={View} tokens={tokens} />
          </main>
        </div>
      </div>
      <Beside />
      {layout.searchOpen && (
        <Suspense fallback={null}>
          <SearchPalette entries={entries} />
        </Suspense>
      )}
    </div>
  )
})

/** What stays while one looks at other pages; loaded when there is some. */
function Beside() {
  const docked = useDocked()
  if (docked.length === 0) return null
  return (
    <Suspense fallback={null}>
      <Dock docked={docked} />
    </Suspense>
  )
}

function Screen({ decision }: { decision: Decision }) {
  switch (decision.type) {
    case 'forbidden':
      return <Forbidden />
    case 'notFound':
      return <NotFound />
    case 'ddNotice':
      return <DdNotice />
    default:
      return null
  }
}

const Aside = observer(function Aside({ menu, selected }: { menu: ModuleMenu; selected: string | null }) {
  const { layout } = usePortal()
  return (
    <aside className="sb-aside" style={{ width: menuWidth(layout.device, layout.collapsed) }}>
      <SideMenu module={menu.name} nodes={menu.nodes} selected={selected} collapsed={layout.collapsed} />
      <CollapseButton />
    </aside>
  )
})

function useDocumentTitle(decision: Decision): void {
  const portal = usePortal()
  const { t } = useTranslation()
  const titleOf = useTabTitle()
  const tab = portal.bookmarks.active
  const own = decision.type === 'forbidden' ? t('screen.forbidden') : decision.type === 'notFound' ? t('screen.notFound') : null
  const title = own ?? (tab === null ? null : titleOf(tab))
  useEffect(() => {
    document.title = title === null ? t('product') : `${title} · ${t('product')}`
  }, [title, t])
}

/** Ctrl/Cmd K opens the search; the width decides the device mode (R201-R203). */
function useKeys(): void {
  const { layout } = usePortal()
  const { searchOpen } = layout
  useEffect(() => (searchOpen ? typeAhead(window, layout) : undefined), [searchOpen, layout])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        layout.setSearch(!layout.searchOpen)
      }
    }
    const onResize = () => layout.resize({ width: window.innerWidth, height: window.innerHeight })
    window.addEventListener('keydown', onKey)
    window.addEventListener('resize', onResize)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('resize', onResize)
    }
  }, [layout])
}

/** What works beside the pages comes after they stand, in a chunk of its own. */
function useBeside(tokens: TokenKeeper): void {
  const { addresses, configuration } = usePortal()
  useEffect(() => {
    const begun = loadPart(() => import('./beside')).then(
      ({ beside }) => beside(addresses, tokens, configuration.gateway),
      () => undefined,
    )
    return () => void begun.then((end) => end?.())
  }, [addresses, configuration, tokens])
}
