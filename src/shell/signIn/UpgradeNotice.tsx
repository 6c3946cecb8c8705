import { useTranslation } from 'react-i18next'
import './signIn.css'

/** The whole program could not be loaded: said before any of antd is there (R383). */
export function UpgradeNotice() {
  const { t } = useTranslation()
  return (
    <main className="sbi-signin">
      <section className="sbi-signin-card">
        <img className="sbi-signin-logo" src="/favicon.svg" alt="" width={40} height={40} />
        <h1>{t('product')}</h1>
        <p className="sbi-signin-lead" role="alert">
          {navigator.onLine ? t('banner.upgrade') : t('error.network')}
        </p>
        <button type="button" className="sbi-signin-button" onClick={() => window.location.reload()}>
          {t('banner.upgradeLink')}
        </button>
      </section>
    </main>
  )
}
