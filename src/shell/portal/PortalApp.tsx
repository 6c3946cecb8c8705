import { App, Button, ConfigProvider, Spin, theme, type ConfigProviderProps } from 'antd'
import { observer } from 'mobx-react-lite'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { RequestError, type HostUser } from '../../headless/host'
import { antdLocale, useLibraryLocales } from '../i18n/libraryLocales'
import { themeConfig } from '../../runtime/themeConfig'
import type { Locale } from '../../schema/problem'
import { Plain } from '../screens/Plain'
import { tookPlace } from '../session/replaced'
import type { TokenKeeper } from '../token/tokenKeeper'
import type { PageView } from './Pages'
import { PortalProvider, type Portal } from './portal'
import { Reactions } from './Reactions'
import { Shell } from './Shell'

type ModalConfig = ConfigProviderProps['modal']

const SIGN_OUT_DELAY = 2_000
const REPLACED_SECONDS = 6
/** Labels of required fields look in the portal's own forms as in those of the pages. */
const FORMS: ConfigProviderProps['form'] = {
  requiredMark: (label, { required }) => (
    <>
      {label}
      {required && <span className="sb-form-required" aria-hidden />}
    </>
  ),
}
const algorithms = { light: theme.defaultAlgorithm, dark: theme.darkAlgorithm }

/** R403-R405 */
const MESSAGES = { maxCount: 3, duration: 3 }

/** antd names the closing button in English whatever the language is, and lets a long title run below it. */
const modalConfig = (locale: Locale): ModalConfig => ({
  closable: { 'aria-label': antdLocale(locale).global?.close },
  styles: { header: { paddingInlineEnd: 32 } },
})

interface PortalAppProps {
  portal: Portal
  tokens: TokenKeeper
  View: PageView
}

/** The signed-in portal: theme, languages, and the shell once user, rights and routes are there. */
export const PortalApp = observer(function PortalApp({ portal, tokens, View }: PortalAppProps) {
  const locale = useLibraryLocales(portal)
  const themeName = portal.theme.name
  const config = useMemo(() => themeConfig(themeName, algorithms), [themeName])
  const modal = useMemo(() => modalConfig(locale), [locale])
  return (
    <I18nextProvider i18n={portal.language.i18n}>
      <ConfigProvider locale={antdLocale(locale)} theme={config} button={{ autoInsertSpace: false }} form={FORMS} modal={modal}>
        <App message={MESSAGES} className="sb-app">
          <PortalProvider value={portal}>
            <Reactions />
            <Gate portal={portal}>
              <Shell View={View} tokens={tokens} />
            </Gate>
          </PortalProvider>
        </App>
      </ConfigProvider>
    </I18nextProvider>
  )
})

/** Fetches the user before any page is entered (R181); a failure shows for 2 s and signs out (R183). */
const Gate = observer(function Gate({ portal, children }: { portal: Portal; children: React.ReactNode }) {
  const { message } = App.useApp()
  const { t } = useTranslation()
  const [failed, setFailed] = useState<string | null>(null)

  const load = useCallback(async () => {
    const routes = portal.routes.load()
    const rights = portal.session.loadRights()
    routes.catch(() => undefined)
    let user: HostUser
    try {
      user = await portal.session.loadUser()
    } catch (error) {
      // An ended session has its own message and way out (R362).
      if (error instanceof RequestError && error.kind === 'signedOut') return
      const text = error instanceof RequestError && error.message !== '' ? error.message : t('error.userInfo')
      void message.error(text, SIGN_OUT_DELAY / 1000)
      setTimeout(() => portal.signOut.leave('ended'), SIGN_OUT_DELAY)
      return
    }
    try {
      await Promise.all([routes, rights, portal.drafts.open(user.staffId || user.userId)])
      portal.layout.setLoading(false)
      if (tookPlace()) void message.info(t('signIn.replaced', { name: user.name }), REPLACED_SECONDS)
    } catch (error) {
      setFailed(error instanceof RequestError ? error.message : t('error.malformed'))
    }
  }, [portal, message, t])

  // Once: a change of language makes a new `load`, and asks nothing again.
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    void load()
  }, [load])

  if (failed !== null) {
    return (
      <main>
        <Plain
          title={t('screen.routesFailed', { reason: failed })}
          actions={
            <Button
              type="primary"
              onClick={() => {
                setFailed(null)
                void load()
              }}
            >
              {t('retry')}
            </Button>
          }
        />
      </main>
    )
  }
  return portal.layout.loading ? <Spin className="sb-boot" size="large" aria-label={t('loading')} /> : children
})
