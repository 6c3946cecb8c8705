import { Dropdown } from 'antd'
import { Icon } from '../icon/Icon'
import { usePhone } from '../media'
import type { OfferedAction } from './rowActions'

interface ActionMenuProps {
  /** The element that was clicked; the menu opens below it. */
  anchor: HTMLElement
  offers: readonly OfferedAction[]
  onPick(id: string): void
  onClose(): void
}

/** The actions behind "more", opened at any element of the page. */
const ActionMenu = ({ anchor, offers, onPick, onClose }: ActionMenuProps) => {
  const { left, top, width, height } = anchor.getBoundingClientRect()
  const phone = usePhone()
  return (
    <Dropdown
      open
      autoFocus
      trigger={['click']}
      placement="bottomRight"
      onOpenChange={(open) => {
        if (open) return
        onClose()
        anchor.focus()
      }}
      menu={{
        items: offers.map(({ action, disabledBecause }) => ({
          key: action.id,
          // Nothing can be pointed at on a phone: the reason stands below the word.
          label:
            phone && disabledBecause !== null ? (
              <>
                {action.label}
                <small className="sb-menu-why">{disabledBecause}</small>
              </>
            ) : (
              action.label
            ),
          // The menu gives its class, and with it the room before the word, to the element itself.
          icon:
            action.icon === undefined ? undefined : (
              <span>
                <Icon name={action.icon} />
              </span>
            ),
          danger: action.danger,
          disabled: disabledBecause !== null,
          title: disabledBecause ?? '',
        })),
        onClick: ({ key }) => {
          onClose()
          onPick(key)
        },
      }}
    >
      <span style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
    </Dropdown>
  )
}
export default ActionMenu
