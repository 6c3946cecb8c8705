import './icon.css'
import { RobotOutlined } from '@ant-design/icons'
import { observer } from 'mobx-react-lite'
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import { useTokenStyle } from '../../runtime/tokens'
import { usePortal } from '../portal/portal'
import { localStore } from '../session/storage'
import { entryTexts } from './entryTexts'
import { firstIconTop, iconTop } from './placing'

const KEPT = 'switchboard.assistant.top'
/** A hand that trembles does not drag, px. */
const TREMBLE = 4
const STEP = 24

/** The icon at the edge of the window: it moves up and down only (R089). */
export const AssistantIcon = observer(function AssistantIcon({ onOpen }: { onOpen: () => void }) {
  const { layout, language } = usePortal()
  const texts = entryTexts[language.locale]
  const [wanted, setWanted] = useState(readTop)
  const drag = useRef<{ from: number; top: number; moved: boolean } | null>(null)
  const style = useTokenStyle()
  const top = wanted === null ? firstIconTop(layout.height) : iconTop(wanted, layout.height)
  const move = (to: number): void => {
    const next = iconTop(to, layout.height)
    setWanted(next)
    keepTop(next)
  }
  const begin = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientY, top, moved: false }
  }
  const follow = ({ clientY }: PointerEvent): void => {
    const now = drag.current
    if (now === null || (!now.moved && Math.abs(clientY - now.from) < TREMBLE)) return
    now.moved = true
    move(now.top + clientY - now.from)
  }
  const keys = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -STEP : event.key === 'ArrowDown' ? STEP : 0
    if (step === 0) return
    event.preventDefault()
    move(top + step)
  }
  return createPortal(
    <button
      type="button"
      className="sb-assistant-icon"
      style={{ ...style, insetBlockStart: top }}
      aria-label={texts.open}
      title={`${texts.open}, ${texts.move}`}
      onPointerDown={begin}
      onPointerMove={follow}
      onKeyDown={keys}
      onClick={() => {
        const dragged = drag.current?.moved === true
        drag.current = null
        if (!dragged) onOpen()
      }}
      onPointerCancel={() => (drag.current = null)}
    >
      <RobotOutlined />
    </button>,
    document.body,
  )
})

function readTop(): number | null {
  const kept = localStore().getItem(KEPT)
  return kept === null || !/^\d+$/.test(kept) ? null : Number(kept)
}

function keepTop(top: number): void {
  try {
    localStore().setItem(KEPT, String(Math.round(top)))
  } catch {
    // A full storage costs only the memory of it.
  }
}
