import { CloseOutlined, HolderOutlined } from '@ant-design/icons'
import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button, Select } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { homeTexts } from '../texts'
import { HomeCard } from './HomeCard'
import type { OfferedCard } from './useCards'

const SPANS = [1, 2, 3, 4] as const

interface MovableCardProps {
  card: OfferedCard
  round: number
  bare: boolean
  onSize(span: number): void
  onRemove(): void
}

/** A card while its person arranges his home: it is dragged by its handle, with the keyboard too, sized and taken away. */
export const MovableCard = ({ card, round, bare, onSize, onRemove }: MovableCardProps) => {
  const texts = homeTexts[useHost().locale]
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: card.id,
  })
  const { title, span } = card
  const tools = (
    <>
      <Button
        type="text"
        size="small"
        ref={setActivatorNodeRef}
        icon={<HolderOutlined />}
        {...attributes}
        {...listeners}
        aria-label={texts.move(title)}
      />
      <Select<number>
        size="small"
        value={span}
        aria-label={texts.size(title)}
        options={SPANS.map((value) => ({ value, label: texts.spans[value] }))}
        onChange={onSize}
      />
      <Button type="text" size="small" icon={<CloseOutlined />} aria-label={texts.remove(title)} onClick={onRemove} />
    </>
  )
  const style = { transform: CSS.Translate.toString(transform), transition, zIndex: isDragging ? 1 : undefined }
  return <HomeCard ref={setNodeRef} card={card} round={round} bare={bare} tools={tools} style={style} />
}
