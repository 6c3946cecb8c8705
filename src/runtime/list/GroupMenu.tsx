import { Dropdown } from 'antd'
import type { Grouping } from '../../headless/list/groupings'
import type { ListTexts } from '../../headless/list/texts'

interface GroupMenuProps {
  /** The element that was clicked; the menu opens below it. */
  anchor: HTMLElement
  groupings: readonly Grouping[]
  /** Name of the field that the rows are grouped by; '' = they are not. */
  chosen: string
  texts: ListTexts
  onPick(field: string): void
  onClose(): void
}

/** What the rows of a list can be grouped by. */
const GroupMenu = ({ anchor, groupings, chosen, texts, onPick, onClose }: GroupMenuProps) => {
  const { left, top, width, height } = anchor.getBoundingClientRect()
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
        selectable: true,
        selectedKeys: [chosen],
        style: { maxHeight: '60vh', overflowY: 'auto' },
        items: [
          { key: '', label: texts.groups.none },
          ...groupings.map(({ column, field, bucket }) => ({
            key: field,
            label: bucket ? texts.groups.byMonth(column.title) : texts.groups.by(column.title),
          })),
        ],
        onClick: ({ key }) => {
          onClose()
          anchor.focus()
          onPick(key)
        },
      }}
    >
      <span style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
    </Dropdown>
  )
}
export default GroupMenu
