import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { PAGE_SIZE } from './place'
import { mailTexts } from './texts'

interface PageButtonsProps {
  /** From 1. */
  page: number
  total: number
  /** There are more than were counted. */
  isMore?: boolean
  onPage(page: number): void
}

/** Which rows of a list are shown, and the pages beside them. */
export const PageButtons = ({ page, total, isMore = false, onPage }: PageButtonsProps) => {
  const texts = mailTexts[useHost().locale]
  const last = Math.min(page * PAGE_SIZE, total)
  return (
    <span className="sb-mail-pages">
      {texts.page((page - 1) * PAGE_SIZE + 1, last, total, isMore)}
      <Button
        type="text"
        icon={<LeftOutlined />}
        aria-label={texts.newer}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <Button
        type="text"
        icon={<RightOutlined />}
        aria-label={texts.older}
        disabled={last >= total}
        onClick={() => onPage(page + 1)}
      />
    </span>
  )
}
