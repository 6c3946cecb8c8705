import { EllipsisOutlined, ExportOutlined } from '@ant-design/icons'
import { Menu, type MenuProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EXTERNAL_MODULES } from '../configuration/configuration'
import { usePortal } from '../portal/portal'
import { entriesOf, type ModuleMenu } from './menu'
import { EntryLink } from './SideMenu'

/** The top navigation of modules (R004); what does not fit goes into "more". IMFS, MONITOR, NWP and BIBOARD open in a new tab (R071). */
export const ModuleNav = observer(function ModuleNav({ menus }: { menus: readonly ModuleMenu[] }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const locale = portal.language.locale
  const external = portal.configuration.external

  const items = useMemo<MenuProps['items']>(
    () => [
      { key: 'home', label: <EntryLink path="/home" text={t('layout.home')} /> },
      ...menus.map((menu) => ({ key: menu.name, label: <EntryLink path={firstPath(menu)} text={menu.title[locale]} /> })),
      ...EXTERNAL_MODULES.flatMap((name) =>
        external[name] === undefined
          ? []
          : [
              {
                key: name,
                label: (
                  <a
                    href={external[name]}
                    target="_blank"
                    rel="noopener noreferrer"
                    tabIndex={-1}
                    onClick={(event) => event.preventDefault()}
                  >
                    {name} <ExportOutlined aria-label={t('layout.opensNewTab')} />
                  </a>
                ),
              },
            ],
      ),
    ],
    [menus, locale, external, t],
  )

  function open(key: string) {
    const address = EXTERNAL_MODULES.some((name) => name === key) ? external[key as (typeof EXTERNAL_MODULES)[number]] : undefined
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

const firstPath = (menu: ModuleMenu): string => entriesOf([menu])[0]?.path ?? '/home'
