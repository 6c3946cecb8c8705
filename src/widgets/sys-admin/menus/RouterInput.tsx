import { Input } from 'antd'
import { useDeferredValue, useEffect, useState } from 'react'
import { useCall } from '../../../runtime/reading/useCall'

interface RouterInputProps {
  id?: string
  value?: string | null
  onChange?(router: string): void
  disabled?: boolean
}

const PAUSE = 400

/** A route that is checked against the portal's route table while it is typed; a warning does not hinder saving. */
export const RouterInput = ({ id, value, onChange, disabled }: RouterInputProps) => {
  const typed = useDeferredValue((value ?? '').trim())
  const [asked, setAsked] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  const wanted = asked.startsWith('/') && !disabled ? asked : null
  const check = useCall<{ warnings: readonly { message: string }[] }>(
    wanted === null ? null : { method: 'GET', path: '/v2/sys/menuResource/routerCheck', query: { router: wanted } },
  )
  const warning = check.data?.warnings[0]?.message
  return (
    <>
      <Input
        id={id}
        maxLength={200}
        disabled={disabled}
        status={warning ? 'warning' : undefined}
        aria-describedby={warning && id ? `${id}-warning` : undefined}
        value={value ?? ''}
        spellCheck={false}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <span id={id && `${id}-warning`} role="status" className="sb-node-warning">
        {warning}
      </span>
    </>
  )
}
