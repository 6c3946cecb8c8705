import './bookmarks.css'
import { CloseOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { observer } from 'mobx-react-lite'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from '../portal/portal'
import { possible } from './bookmarks'
import { useTabActions } from './useTabActions'
import { useTabTitle } from './useTabTitle'

/** The tabs of a phone: a button with their number, and a sheet from below. */
const TabSheet = observer(function TabSheet() {
  const { bookmarks } = usePortal()
  const { t } = useTranslation()
  const titleOf = useTabTitle()
  const actions = useTabActions()
  const [open, setOpen] = useState(false)
  const { tabs } = bookmarks.state
  const activeId = bookmarks.active?.id ?? null
  const can = possible(bookmarks.state, activeId ?? '')
  const then = (work: () => void) => () => {
    setOpen(false)
    work()
  }
  return (
    <>
      <Button
        type="text"
        className="sb-sheet-button"
        aria-label={t('tabs.sheet', { count: tabs.length })}
        onClick={() => setOpen(true)}
      >
        <span aria-hidden>{tabs.length}</span>
      </Button>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        placement="bottom"
        title={t('tabs.label')}
        height="auto"
        styles={{ body: { padding: 8 } }}
      >
        <ul className="sb-sheet">
          {tabs.map((tab) => (
            <li key={tab.id}>
              <button
                type="button"
                className="sb-sheet-tab"
                aria-current={tab.id === activeId ? 'page' : undefined}
                onClick={then(() => actions.open(tab))}
              >
                {titleOf(tab)}
                {bookmarks.isUnsaved(tab.id) && <span className="sb-tab-dot"> ● {t('tabs.unsaved')}</span>}
              </button>
              {tab.close && (
                <Button
                  type="text"
                  icon={<CloseOutlined />}
                  aria-label={t('tabs.closeOne', { title: titleOf(tab) })}
                  onClick={() => actions.close(tab)}
                />
              )}
            </li>
          ))}
        </ul>
        <div className="sb-sheet-actions">
          <Button
            disabled={!can.others || activeId === null}
            onClick={then(() => {
              const active = tabs.find((tab) => tab.id === activeId)
              if (active) actions.closeOthers(active)
            })}
          >
            {t('tabs.closeOthers')}
          </Button>
          <Button disabled={!can.all} onClick={then(actions.closeAll)}>
            {t('tabs.closeAll')}
          </Button>
        </div>
      </Drawer>
    </>
  )
})

export default TabSheet
