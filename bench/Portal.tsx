import { ConfigProvider, theme } from 'antd'
import type { ReactNode } from 'react'
import { HostProvider } from '../src/runtime/hostContext'
import type { Host } from '../src/headless/host'
import { themeConfig } from '../src/runtime/themeConfig'

const THEME = themeConfig('light', { light: theme.defaultAlgorithm, dark: theme.darkAlgorithm })

/** What stands around every page of the portal: its theme and its Host. */
export const Portal = ({ host, children }: { host: Host; children: ReactNode }) => (
  <ConfigProvider theme={THEME} button={{ autoInsertSpace: false }}>
    <HostProvider value={host}>{children}</HostProvider>
  </ConfigProvider>
)
