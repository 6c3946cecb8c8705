import './dock.css'
import { CloseOutlined, MinusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeDocked, undock, type Docked } from '../../runtime/dock'
import { HostProvider, useHost } from '../../runtime/hostContext'
import { isComposing } from '../../runtime/typing'
import { WidgetOutlet } from '../../runtime/widget'
import { PageHostProvider } from '../host/PageHostProvider'
import { usePortal } from '../portal/portal'

const DOCKED = { isDocked: true }

/** Windows at the foot of the portal that stay while one looks at other pages. */
const Dock = ({ docked }: { docked: readonly Docked[] }) => {
  const { session } = usePortal()
  useEffect(
    () => () => {
      if (session.user === null) undock()
    },
    [session],
  )
  return (
    <div className="sb-dock">
      {docked.map((one) => (
        <PageHostProvider key={one.address} pageKey={`dock ${one.address}`} tabId={null}>
          <Window docked={one} />
        </PageHostProvider>
      ))}
    </div>
  )
}
export default Dock

const Window = ({ docked: { address, widget, isSmall } }: { docked: Docked }) => {
  const { t } = useTranslation()
  const page = useHost()
  const [title, setTitle] = useState('')
  const host = useMemo(
    () => ({
      ...page,
      setTitle,
      closePage: (next?: string) => {
        page.setUnsaved(false)
        undock(address)
        if (next !== undefined) page.navigate(next)
      },
    }),
    [page, address],
  )
  useEffect(() => () => page.setUnsaved(false), [page])
  const values = useMemo(
    () => ({ query: Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?') + 1 || address.length))) }),
    [address],
  )
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement
    if (event.key !== 'Escape' || isComposing(event)) return
    // an editor takes the key for what surrounds the cursor, whoever writes means the window
    if (event.defaultPrevented && !target.isContentEditable) return
    // an open list or dialog of the window takes the key for itself
    if (!event.currentTarget.contains(target) || event.currentTarget.querySelector('.ant-select-open')) return
    event.preventDefault()
    sizeDocked(address, true)
    event.currentTarget.querySelector<HTMLElement>('.sb-dock-title')?.focus()
  }
  return (
    <HostProvider value={host}>
      <section className="sb-dock-window" data-small={isSmall || undefined} aria-label={title} onKeyDown={keys}>
        <header>
          <button type="button" className="sb-dock-title" aria-expanded={!isSmall} onClick={() => sizeDocked(address, !isSmall)}>
            <bdi>{title}</bdi>
          </button>
          <Button
            type="text"
            size="small"
            icon={<MinusOutlined />}
            aria-label={t(isSmall ? 'dock.open' : 'dock.small')}
            title={t(isSmall ? 'dock.open' : 'dock.small')}
            onClick={() => sizeDocked(address, !isSmall)}
          />
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined />}
            aria-label={t('dock.close')}
            title={t('dock.close')}
            onClick={() => undock(address)}
          />
        </header>
        <div className="sb-dock-body" hidden={isSmall}>
          <WidgetOutlet name={widget} props={DOCKED} values={values} source={{ where: widget, at: '' }} />
        </div>
      </section>
    </HostProvider>
  )
}
