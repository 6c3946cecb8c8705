import { useTranslation } from 'react-i18next'
import { signInAddress } from './address'
import './signIn.css'

/** /offerManage without a session and without a valid quotation link: a plain notice and the way in for staff (R186). */
export function OfferNotice() {
  const { t } = useTranslation()
  return (
    <main className="sbi-signin">
      <section className="sbi-signin-card" aria-labelledby="sbi-offer-title">
        <img className="sbi-signin-logo" src="/favicon.svg" alt="" width={40} height={40} />
        <h1 id="sbi-offer-title">{t('screen.offerTitle')}</h1>
        <p className="sbi-signin-lead">{t('screen.offer')}</p>
        <a className="sbi-signin-button" href={signInAddress(window.location.pathname, window.location.search)}>
          {t('screen.offerSignIn')}
        </a>
      </section>
    </main>
  )
}
