import { Menu, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useMemo, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../runtime/icon/Icon'
import type { Locale } from '../../schema/problem'
import { usePortal } from '../portal/portal'
import { groupsAbove, opensNewWindow, type MenuNode, type ModuleMenu } from './menu'
import { ICONS } from '../../runtime/icon/iconSet'

type Item = NonNullable<MenuProps['items']>[number]

interface SideMenuProps {
  module: string
  nodes: readonly MenuNode[]
  /** Path of the highlighted entry. */
  selected: string | null
  collapsed: boolean
  onOpened?: () => void
}

/** The menu of a module: two levels, groups that stay as they were left, fly-outs when it is collapsed. */
export const SideMenu = observer(function SideMenu({ module, nodes, selected, collapsed, onOpened }: SideMenuProps) {
  const portal = usePortal()
  const { t } = useTranslation()
  const locale = portal.language.locale
  const { layout } = portal
  const { byPath } = portal.counts
  const items = useMemo(() => nodes.map((node) => toItem(node, locale, byPath)), [nodes, locale, byPath])
  const remembered = layout.openKeys(module)
  const above = useMemo(() => (selected === null ? [] : groupsAbove(nodes, selected)), [nodes, selected])
  const openKeys = useMemo(() => [...new Set([...remembered, ...above])], [remembered, above])
  // While collapsed the fly-outs are antd's own; openness is remembered only for the expanded menu.
  const openness = collapsed ? {} : { openKeys, onOpenChange: (keys: string[]) => layout.setOpenKeys(module, keys) }

  return (
    <nav aria-label={t('layout.menu')} className="sb-side-menu">
      <Menu
        mode="inline"
        inlineCollapsed={collapsed}
        items={items}
        selectedKeys={selected === null ? [] : [selected]}
        {...openness}
        onClick={({ key }) => {
          if (opensNewWindow(nodes, key)) window.open(key, '_blank', 'noopener')
          else portal.navigation.go(key)
          onOpened?.()
        }}
      />
    </nav>
  )
})

/** All modules as the outermost level, for the drawer of a phone. */
export const moduleNodes = (menus: readonly ModuleMenu[]): readonly MenuNode[] =>
  menus.map((menu) => ({
    key: `module:${menu.name}`,
    title: menu.title,
    icon: menu.icon,
    path: null,
    newWindow: false,
    children: menu.nodes,
  }))

function toItem(node: MenuNode, locale: Locale, counts: Readonly<Record<string, number>>): Item {
  const title = node.title[locale]
  const icon = node.icon === null ? undefined : <MenuIconBox name={node.icon} />
  if (node.path === null)
    return { key: node.key, icon, label: title, title, children: node.children.map((child) => toItem(child, locale, counts)) }
  const count = counts[node.path] ?? 0
  return {
    key: node.path,
    icon,
    title,
    label: (
      <span className="sb-menu-entry">
        <EntryLink path={node.path} text={title} newWindow={node.newWindow} />
        {count > 0 && <span className="sb-menu-count">{count > 999 ? '999+' : count}</span>}
      </span>
    ),
  }
}

function MenuIconBox({ name }: { name: string | null }) {
  return (
    <span className="sb-menu-icon anticon" aria-hidden>
      <Suspense fallback={null}>
        <MenuIcon name={name} />
      </Suspense>
    </span>
  )
}

/** A real link inside a menu item: a middle or Ctrl click opens a browser tab; a plain click is the menu's. */
export function EntryLink({ path, text, newWindow = false }: { path: string; text: string; newWindow?: boolean }) {
  const { t } = useTranslation()
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) event.stopPropagation()
    else event.preventDefault()
  }
  return (
    <a href={path} tabIndex={-1} onClick={onClick} {...(newWindow ? { target: '_blank', rel: 'noopener noreferrer' } : {})}>
      {text}
      {newWindow && (
        <>
          {' '}
          <span role="img" aria-label={t('layout.opensNewTab')}>
            <Icon name="export" />
          </span>
        </>
      )}
    </a>
  )
}

/** An icon by its name in the module documents; an unknown name gives the general one. Draw it inside a Suspense. */
function MenuIcon({ name }: { name: string | null }) {
  const Icon = ICONS[name ?? ''] ?? ICONS.appstore
  return Icon ? <Icon aria-hidden /> : null
}
