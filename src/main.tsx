import './early'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { loadPart } from './runtime/part/loadPart'
import { readConfiguration } from './shell/configuration/configuration'
import { isBelow } from './shell/guard/authorization'
import { createTokenCalls } from './shell/http/tokenCalls'
import { createLanguage } from './shell/i18n/i18n'
import { createCookieJar } from './shell/session/cookies'
import { beginAnew } from './shell/session/replaced'
import { followPlatformQuery, readPlatform } from './shell/session/platform'
import { signInAddress } from './shell/signIn/address'
import { OfferNotice } from './shell/signIn/OfferNotice'
import { SignIn } from './shell/signIn/SignIn'
import { UpgradeNotice } from './shell/signIn/UpgradeNotice'
import { markTheme, readThemeChoice } from './shell/theme/mark'
import { createTokenKeeper, exclusivelyInBrowser } from './shell/token/tokenKeeper'
import { createTokenStorage } from './shell/token/tokenStorage'

/** Without Web Locks a refused tab waits this long for the token of another, ms. */
const GRACE = 1_500

/**
 * The entry: reads the page's configuration and decides between the sign-in screen, which loads next to nothing, and the
 * portal, which is a chunk of its own.
 */
function start(): void {
  const configuration = readConfiguration(document)
  for (const problem of configuration.problems) console.warn(`Switchboard configuration: ${problem}`)
  const cookies = createCookieJar(configuration.environment)
  const language = createLanguage(cookies, navigator.languages)
  markTheme(readThemeChoice(cookies))
  followPlatformQuery(cookies, window.location)
  if (configuration.h5 !== '' && readPlatform(cookies) === 'H5' && window.location.pathname !== '/authorize')
    return window.location.replace(configuration.h5 + window.location.pathname + window.location.search)
  const calls = createTokenCalls({ configuration, locale: () => language.locale, t: () => language.t })
  const storage = createTokenStorage(cookies)
  const tokens = createTokenKeeper({
    storage,
    refresh: calls.refresh,
    exclusively: exclusivelyInBrowser(configuration.environment),
    now: () => Date.now(),
    grace: GRACE,
  })
  const root = createRoot(document.getElementById('root') ?? document.body)
  const { pathname, search } = window.location

  const enter = async () => {
    try {
      const { openPortal } = await loadPart(() => import('./portalView'))
      openPortal({ root, configuration, cookies, language, tokens })
    } catch (error) {
      console.error('Switchboard: the portal could not be loaded', error)
      root.render(
        <I18nextProvider i18n={language.i18n}>
          <UpgradeNotice />
        </I18nextProvider>,
      )
    }
  }

  const before = storage.read()
  // whoever comes from the sign-in page chose who he is: the session that is still there does not decide for him
  const chosen = pathname === '/authorize' && /[?&](code|authCode)=/.test(search)
  if (before && !chosen) return void enter()
  if (pathname !== '/login' && pathname !== '/authorize' && !isBelow(pathname, '/offerManage')) {
    // Any other address leads to the sign-in and comes back to it afterwards (R187).
    window.history.replaceState(null, '', signInAddress(pathname, search))
  }
  root.render(
    <I18nextProvider i18n={language.i18n}>
      {isBelow(pathname, '/offerManage') ? (
        <OfferNotice />
      ) : (
        <SignIn
          configuration={configuration}
          language={language}
          exchange={calls.exchange}
          signedIn={before !== null}
          onSignedIn={(token, returnTo) => {
            if (before) {
              beginAnew()
              void calls.end(before.refreshToken)
            }
            tokens.store(token)
            window.history.replaceState(null, '', returnTo)
            void enter()
          }}
        />
      )}
    </I18nextProvider>,
  )
}

start()
