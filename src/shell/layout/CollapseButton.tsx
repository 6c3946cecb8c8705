import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { observer } from 'mobx-react-lite'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'

/** R072 */
export const CollapseButton = observer(function CollapseButton() {
  const { layout } = usePortal()
  const { t } = useTranslation()
  const label = t(layout.collapsed ? 'layout.expand' : 'layout.collapse')
  return (
    <div className="sb-collapse">
      <Button
        type="text"
        icon={layout.collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={label}
        aria-expanded={!layout.collapsed}
        title={label}
        onClick={layout.toggleMenu}
      />
    </div>
  )
})
