import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { momentText } from '../../runtime/reading/moment'
import { usePortal } from '../portal/portal'
import './print.css'

/** Stands on paper alone: who printed the page, and when. */
export const PrintHead = () => {
  const { session, language } = usePortal()
  const { t } = useTranslation()
  const [at, setAt] = useState(() => new Date())
  useEffect(() => {
    const now = (): void => flushSync(() => setAt(new Date()))
    window.addEventListener('beforeprint', now)
    return () => window.removeEventListener('beforeprint', now)
  }, [])
  const { user } = session
  if (user === null) return null
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const who = `${user.name} ${user.jobNumber}`.trim()
  return (
    <div className="sb-print-head" lang={language.locale}>
      <span>{t('product')}</span>
      <span>{t('layout.printed', { who, at: momentText({ timeZone }, at.toISOString()) })}</span>
    </div>
  )
}
