import { Drawer } from 'antd'
import { observer } from 'mobx-react-lite'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import type { ModuleMenu } from './menu'
import { moduleNodes, SideMenu } from './SideMenu'

/** The menu of a phone: all modules in a drawer (R075). */
const MenuDrawer = observer(function MenuDrawer({ menus, selected }: { menus: readonly ModuleMenu[]; selected: string | null }) {
  const { layout } = usePortal()
  const { t } = useTranslation()
  const nodes = useMemo(() => moduleNodes(menus), [menus])
  return (
    <Drawer
      open={layout.drawerOpen}
      onClose={() => layout.setDrawer(false)}
      placement="left"
      width={280}
      title={t('layout.modules')}
      styles={{ body: { padding: 0 } }}
    >
      <SideMenu module="drawer" nodes={nodes} selected={selected} collapsed={false} onOpened={() => layout.setDrawer(false)} />
    </Drawer>
  )
})

export default MenuDrawer
