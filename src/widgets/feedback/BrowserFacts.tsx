import { useEffect, useRef } from 'react'
import type { WidgetProps } from '../../runtime/widget'

const facts = (): string =>
  `${navigator.userAgent} · ${window.innerWidth}×${window.innerHeight} · ${navigator.language}`.slice(0, 300)

/** Shows what is sent along. It is set with the first word of the form, so that a form that nobody filled in has no changes. */
const BrowserFacts = ({ values }: WidgetProps<object>) => {
  const { value, onChange } = values as { value?: string | null; onChange?: (value: string) => void }
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const form = place.current?.closest('form')
    const set = (): void => onChange?.(facts())
    form?.addEventListener('input', set, { once: true })
    return () => form?.removeEventListener('input', set)
  }, [onChange])
  return (
    <span ref={place} className="sb-form-help">
      {value ?? facts()}
    </span>
  )
}
export default BrowserFacts
