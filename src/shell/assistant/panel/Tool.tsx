import { Button } from 'antd'
import type { ReactNode } from 'react'

interface ToolProps {
  label: string
  icon: ReactNode
  onClick: () => void
  /** For one that is on or off. */
  isOn?: boolean
  disabled?: boolean
}

/** A small button with an icon below a question or an answer. */
export const Tool = ({ label, icon, onClick, isOn, disabled }: ToolProps) => (
  <Button
    type="text"
    size="small"
    className="sb-assistant-tool"
    icon={icon}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    disabled={disabled}
    onClick={onClick}
  />
)
