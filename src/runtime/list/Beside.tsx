import './beside.css'
import { Button, Drawer, Space, Tooltip } from 'antd'
import { CloseOutlined, ExpandOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useEffect, useMemo, type RefObject } from 'react'
import type { Host } from '../../headless/host'
import { HostProvider, useHost } from '../hostContext'
import { usePageWithin } from '../page/pageWithin'
import { BesideProvider, type BesideList } from './besideList'
import type { ListTexts } from '../../headless/list/texts'

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"], .ant-modal, .ant-dropdown'
const WIDTH = 860

interface BesideProps {
  /** Key of the row. */
  shown: string
  /** Address of its page. */
  address: string | null
  around: BesideList
  /** The list: with it the page goes from the screen. */
  frame: RefObject<HTMLElement | null>
  texts: ListTexts
}

/** The page of a row beside its list: the list stays where it is, J and K go on to the next and the previous row, Escape closes. */
const Beside = ({ shown, address, around, frame, texts }: BesideProps) => {
  const host = useHost()
  const Page = usePageWithin()
  const { previous, next, show } = around
  // The tab is the list's: the page beside it neither names nor leaves it without going itself.
  const inside = useMemo<Host>(() => ({ ...host, setTitle: () => undefined, closePage: () => show(null) }), [host, show])
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (!frame.current?.checkVisibility()) return
      if (event.target instanceof Element && event.target.closest(TYPING)) return
      if (document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
      const key = event.key.toLowerCase()
      const to = key === 'j' ? next : key === 'k' ? previous : undefined
      if (key === 'escape') show(null)
      else if (to) show(to)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [frame, next, previous, show])
  if (!Page || address === null) return null
  return (
    <Drawer
      open
      mask={false}
      rootClassName="sb-beside"
      width={Math.min(WIDTH, Math.round(window.innerWidth * 0.72))}
      getContainer={() => frame.current ?? document.body}
      keyboard={false}
      closable={false}
      title={
        <Space.Compact>
          <Tooltip title={texts.besidePrevious}>
            <Button
              icon={<LeftOutlined />}
              aria-label={texts.besidePrevious}
              disabled={previous === null}
              onClick={() => show(previous)}
            />
          </Tooltip>
          <Tooltip title={texts.besideNext}>
            <Button icon={<RightOutlined />} aria-label={texts.besideNext} disabled={next === null} onClick={() => show(next)} />
          </Tooltip>
        </Space.Compact>
      }
      extra={
        <Space>
          <Button icon={<ExpandOutlined />} onClick={() => host.navigate(address)}>
            {texts.besidePage}
          </Button>
          <Button type="text" icon={<CloseOutlined />} aria-label={texts.besideClose} onClick={() => show(null)} />
        </Space>
      }
      onClose={() => show(null)}
    >
      <HostProvider value={inside}>
        <BesideProvider value={around}>
          <Page key={shown} address={address} />
        </BesideProvider>
      </HostProvider>
    </Drawer>
  )
}
export default Beside
