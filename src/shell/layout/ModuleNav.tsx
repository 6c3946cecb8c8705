import { EllipsisOutlined } from '@ant-design/icons'
import { Menu, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EXTERNAL_MODULES } from '../configuration/configuration'
import { usePortal } from '../portal/portal'
import { entriesOf, moduleNames, type ModuleMenu } from './menu'
import { EntryLink } from './SideMenu'

/**
 * The top navigation of modules (R004); what does not fit goes into "more". IMFS, MONITOR, NWP and BIBOARD open in a new tab
 * (R071), for whom the menu answer gives them.
 */
export const ModuleNav = observer(function ModuleNav({ menus }: { menus: readonly ModuleMenu[] }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const locale = portal.language.locale
  const { resources } = portal.session
  const external = useMemo(() => {
    const given = moduleNames(resources)
    return EXTERNAL_MODULES.flatMap((name) => {
      const address = given.has(name) ? portal.configuration.external[name] : undefined
      return address === undefined ? [] : [{ name, address }]
    })
  }, [portal, resources])

  const items = useMemo<MenuProps['items']>(
    () => [
      { key: 'home', label: <EntryLink path="/home" text={t('layout.home')} /> },
      ...menus.map((menu) => ({ key: menu.name, label: <EntryLink path={firstPath(menu)} text={menu.title[locale]} /> })),
      ...external.map(({ name, address }) => ({ key: name, label: <EntryLink path={address} text={name} newWindow /> })),
    ],
    [menus, locale, external, t],
  )

  function open(key: string) {
    const address = external.find(({ name }) => name === key)?.address
    if (address !== undefined) return void window.open(address, '_blank', 'noopener')
    if (key === 'home') return portal.navigation.go('/home')
    const menu = menus.find((item) => item.name === key)
    if (menu === undefined) return
    // Back to where the person was in that module, else to its first entry.
    const last = portal.bookmarks.state.tabs.findLast((tab) => tab.path.startsWith(`/${key}/`))
    portal.layout.setLayout(key)
    portal.navigation.go(last?.address ?? firstPath(menu))
  }

  return (
    <nav aria-label={t('layout.modules')} className="sb-modules">
      <Menu
        mode="horizontal"
        items={items}
        selectedKeys={[portal.layout.layout]}
        onClick={({ key }) => open(key)}
        overflowedIndicator={<EllipsisOutlined aria-label={t('layout.more')} />}
      />
    </nav>
  )
})

/** The first page of the module; one that opens in a new browser tab is no place to go to. */
const firstPath = (menu: ModuleMenu): string => entriesOf([menu]).find(({ newWindow }) => !newWindow)?.path ?? '/home'
