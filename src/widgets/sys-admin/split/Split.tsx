import './split.css'
import { ArrowLeftOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { usePhone } from '../../../runtime/media'

interface SplitProps {
  list: ReactNode
  /** Names the two parts for assistive technology. */
  listLabel: string
  detailLabel: string
  detail: ReactNode
  /** On a phone: whether the detail stands instead of the list. */
  open: boolean
  backLabel: string
  onBack(): void
}

/** A list at the left and the chosen thing at the right; on a phone one after the other. */
export const Split = ({ list, listLabel, detailLabel, detail, open, backLabel, onBack }: SplitProps) => {
  const phone = usePhone()
  return (
    <div className="sb-split">
      {(!phone || !open) && (
        <section className="sb-split-list" aria-label={listLabel}>
          {list}
        </section>
      )}
      {(!phone || open) && (
        <section className="sb-split-detail" aria-label={detailLabel}>
          {phone && (
            <Button type="link" className="sb-split-back" icon={<ArrowLeftOutlined />} onClick={onBack}>
              {backLabel}
            </Button>
          )}
          {detail}
        </section>
      )}
    </div>
  )
}
