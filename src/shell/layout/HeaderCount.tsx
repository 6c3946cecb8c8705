import { Badge, Button, Tooltip } from 'antd'
import { Suspense, type ReactNode } from 'react'

/** A button of the header with a number, and what it opens: its children, drawn while it is open. */
export const HeaderCount = ({
  label,
  count,
  icon,
  open,
  onOpen,
  children,
}: {
  label: string
  count: number
  icon: ReactNode
  open: boolean
  onOpen: () => void
  children: ReactNode
}) => (
  <>
    <Tooltip rootClassName="sb-tool-tip" title={label}>
      <Button
        type="text"
        aria-label={label}
        icon={
          <Badge count={count} size="small">
            {icon}
          </Badge>
        }
        onClick={onOpen}
      />
    </Tooltip>
    {open && <Suspense fallback={null}>{children}</Suspense>}
  </>
)
