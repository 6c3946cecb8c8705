import { App, ConfigProvider, theme } from 'antd'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import { memo, useMemo, useState, type ReactNode } from 'react'
import type { PageBundle } from '../../../headless/host'
import { HostProvider, useHost } from '../../../runtime/hostContext'
import { PhoneProvider } from '../../../runtime/media'
import { BundleView } from '../../../runtime/page'
import { themeConfig } from '../../../runtime/themeConfig'
import { useTokenStyle } from '../../../runtime/tokens'
import type { Locale, Problem } from '../../../schema/problem'
import { designerTexts } from '../texts'
import type { Viewer } from '../types'
import { Frame } from './Frame'
import { previewHost } from './previewHost'

export interface PreviewSettings {
  locale: Locale
  dark: boolean
  phone: boolean
  viewer: Viewer | null
  /** Record that a detail or a form shows; null: none. */
  record: string | null
}

const PHONE_WIDTH = 375
const algorithms = { light: theme.defaultAlgorithm, dark: theme.darkAlgorithm }

interface Props {
  bundle: PageBundle
  settings: PreviewSettings
  onFault?(fault: Problem): void
}

/** The page as it is being designed: the real runtime over real data, as somebody, in a language, on a device, in a theme. */
export const Preview = memo(function Preview({ bundle, settings, onFault }: Props) {
  const real = useHost()
  const { locale, dark, phone, viewer, record } = settings
  const path = bundle.page.path ?? `/${bundle.page.name ?? 'preview'}`
  const start = record === null ? path : `${path}?id=${encodeURIComponent(record)}`
  const [visited, setVisited] = useState({ start, address: start })
  const address = visited.start === start ? visited.address : start
  const { entities, dictionaries } = bundle
  const [sample, setSample] = useState(false)
  const host = useMemo(
    () =>
      previewHost(real, {
        locale,
        theme: dark ? 'dark' : 'light',
        device: phone ? 'Mobile' : 'PC',
        viewer,
        entities,
        dictionaries,
        onSample: () => setSample(true),
        path,
        onFault,
        onAddress: (next) => setVisited({ start, address: next }),
      }),
    [real, locale, dark, phone, viewer, entities, dictionaries, path, start, onFault],
  )
  const config = useMemo(() => themeConfig(dark ? 'dark' : 'light', algorithms), [dark])
  // As somebody else: the page is made for his rules too.
  const seen = useMemo(() => (viewer ? { ...bundle, fieldRules: viewer.fields } : bundle), [bundle, viewer])
  const view = (
    <ConfigProvider
      locale={locale === 'zh' ? zhCN : enUS}
      theme={{ ...config, inherit: false }}
      button={{ autoInsertSpace: false }}
    >
      <App component={false}>
        <PhoneProvider value={phone}>
          <HostProvider value={host}>
            <Ground>
              <BundleView key={`${start} ${locale} ${viewer ? viewer.label[locale] : ''}`} bundle={seen} address={address} />
            </Ground>
          </HostProvider>
        </PhoneProvider>
      </App>
    </ConfigProvider>
  )
  const texts = designerTexts[real.locale]
  return (
    <>
      {sample && (
        <small role="status" className="sb-design-help">
          {texts.sample}
        </small>
      )}
      {phone ? (
        <Frame title={texts.preview} width={PHONE_WIDTH}>
          {view}
        </Frame>
      ) : (
        <div className="sb-design-stage">{view}</div>
      )}
    </>
  )
})

const Ground = ({ children }: { children: ReactNode }) => (
  <div className="sb-page sb-design-ground" style={useTokenStyle()}>
    {children}
  </div>
)
