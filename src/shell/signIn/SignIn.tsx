import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Configuration } from '../configuration/configuration'
import { SignInFailure } from '../http/tokenCalls'
import type { Language } from '../i18n/i18n'
import { createCookieJar } from '../session/cookies'
import type { TokenState } from '../token/tokenState'
import { finishSignIn, redirectUri, startSignIn, stateStore } from './oauth'
import './signIn.css'

type View = { step: 'ask' | 'going' | 'exchanging' } | { step: 'failed'; message: string }

export interface SignInProps {
  configuration: Configuration
  language: Language
  exchange: (answer: { code: string; state: string; verifier: string }, redirectUri: string) => Promise<TokenState>
  /** The token arrived; `returnTo` is a path of this portal. */
  onSignedIn: (token: TokenState, returnTo: string) => void
  /** Somebody is signed in already: the new sign-in takes his place, and until then he may go on. */
  signedIn?: boolean
}

/** /login and /authorize (R027): a calm screen that goes to the corporate sign-in and back, and says what went wrong. */
export function SignIn({ configuration, language, exchange, onSignedIn, signedIn = false }: SignInProps) {
  const { t } = useTranslation()
  const [view, setView] = useState<View>(() => ({ step: firstStep() }))
  const started = useRef(false)
  const store = useMemo(() => stateStore(createCookieJar(configuration.environment)), [configuration])

  const go = useCallback(async () => {
    const loginSearch = window.location.pathname === '/login' ? window.location.search : ''
    setView({ step: 'going' })
    const address = await startSignIn(configuration, loginSearch, window.location.origin, store).catch(() => null)
    if (address !== null && (await isReachable(address))) window.location.assign(address)
    else setView({ step: 'failed', message: t('signIn.unreachable') })
  }, [configuration, store, t])

  const finish = useCallback(async () => {
    const result = finishSignIn(window.location.search, store)
    // The code is good once: a reload must not send it again, and the address bar must not keep it.
    window.history.replaceState(null, '', result.ok ? loginFor(result.returnTo) : '/login?reason=ended')
    if (!result.ok) {
      setView({
        step: 'failed',
        message: result.why === 'refused' ? t('signIn.refused', { reason: result.reason }) : t(`signIn.${result.why}`),
      })
      return
    }
    try {
      onSignedIn(await exchange(result, redirectUri(window.location.origin)), result.returnTo)
    } catch (error) {
      const failure = error instanceof SignInFailure ? error : new SignInFailure('badAnswer')
      setView({ step: 'failed', message: t(`signIn.${failure.why}`, { reason: failure.message }) })
    }
  }, [exchange, onSignedIn, store, t])

  useEffect(() => {
    if (started.current) return
    started.current = true
    if (view.step === 'exchanging') void finish()
    else if (view.step === 'going') void go()
  }, [view.step, finish, go])

  const reason = new URLSearchParams(window.location.search).get('reason')
  const busy = view.step === 'going' || view.step === 'exchanging'
  return (
    <main className="sbi-signin">
      <section className="sbi-signin-card" aria-labelledby="sbi-signin-title">
        <img className="sbi-signin-logo" src="/favicon.svg" alt="" width={40} height={40} />
        <h1 id="sbi-signin-title">{t('product')}</h1>
        <p className="sbi-signin-lead">{t('signIn.lead')}</p>
        {view.step === 'failed' && (
          <p className="sbi-signin-message sbi-signin-error" role="alert">
            {view.message}
          </p>
        )}
        {view.step === 'failed' && signedIn && (
          <p className="sbi-signin-message" role="status">
            {t('signIn.stillSignedIn')} <a href="/">{t('signIn.goOn')}</a>
          </p>
        )}
        {view.step === 'ask' && (reason === 'signedOut' || reason === 'ended') && (
          <p className="sbi-signin-message" role="status">
            {t(`signIn.${reason}`)}
          </p>
        )}
        <button type="button" className="sbi-signin-button" disabled={busy} onClick={() => void go()}>
          {busy && <span className="sbi-signin-spinner" aria-hidden="true" />}
          {view.step === 'exchanging' ? t('signIn.exchanging') : view.step === 'going' ? t('signIn.going') : null}
          {view.step === 'failed' ? t('retry') : view.step === 'ask' ? t('signIn.button') : null}
        </button>
        <button
          type="button"
          className="sbi-signin-language"
          lang={language.locale === 'zh' ? 'en' : 'zh-CN'}
          onClick={() => language.change(language.locale === 'zh' ? 'en' : 'zh')}
        >
          {t('signIn.language')}
        </button>
      </section>
    </main>
  )
}

/** After a sign-out the person decides; otherwise the way to the corporate sign-in needs no click (R176). */
function firstStep(): 'ask' | 'going' | 'exchanging' {
  if (window.location.pathname === '/authorize') return 'exchanging'
  return new URLSearchParams(window.location.search).has('reason') ? 'ask' : 'going'
}

const loginFor = (returnTo: string) => `/login?${new URLSearchParams({ redirectPath: returnTo }).toString()}`

/** Asks our own origin first, so that a sign-in page that is down shows as a sentence and not as a browser error. */
async function isReachable(address: string): Promise<boolean> {
  if (new URL(address).origin !== window.location.origin) return true
  try {
    const answer = await fetch(address, {
      method: 'GET',
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(15_000),
    })
    await answer.body?.cancel()
    return answer.type === 'opaqueredirect' || answer.status < 500
  } catch {
    return false
  }
}
