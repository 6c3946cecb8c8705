import { Modal } from 'antd'
import type { ModalProps } from 'antd'
import { useRef, type KeyboardEvent } from 'react'
import { isSend } from '../typing'

const FIELDS = 'input:not([type=hidden], [type=file]):enabled, textarea:enabled, [contenteditable=true]'
/** Of several that are one choice the chosen one is the way in. */
const CHOSEN = 'input[type=radio]:checked'

const fieldIn = (body: Element): HTMLElement | undefined => {
  const fields = [...body.querySelectorAll<HTMLElement>(FIELDS)].filter((field) => field.checkVisibility())
  const [first] = fields
  return first?.matches('[type=radio]') ? (body.querySelector<HTMLElement>(CHOSEN) ?? first) : first
}

/**
 * A dialog that asks for something: its first field has the focus once it stands (what is typed before that has no place to go), and
 * Ctrl or Cmd with Enter is its button, as in every form.
 */
export const Dialog = ({ children, afterOpenChange, onOk, ...rest }: Omit<ModalProps, 'onOk'> & { onOk: () => void }) => {
  const body = useRef<HTMLDivElement>(null)
  const opened = (open: boolean): void => {
    const inside = body.current
    if (open && inside && !inside.contains(document.activeElement)) fieldIn(inside)?.focus()
    afterOpenChange?.(open)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (
      !isSend(event) ||
      event.defaultPrevented ||
      rest.okButtonProps?.disabled ||
      rest.okButtonProps?.loading ||
      rest.confirmLoading
    )
      return
    event.preventDefault()
    event.stopPropagation()
    onOk()
  }
  return (
    <Modal {...rest} onOk={onOk} afterOpenChange={opened}>
      <div ref={body} onKeyDown={onKeyDown}>
        {children}
      </div>
    </Modal>
  )
}
