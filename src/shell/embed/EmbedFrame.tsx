import { Button, Spin } from 'antd'
import { observer } from 'mobx-react-lite'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TokenKeeper } from '../token/tokenKeeper'
import { usePortal } from '../portal/portal'
import { splitAddress } from '../portal/useNavigation'
import { Plain } from '../screens/Plain'
import { NotFound } from '../screens/Screens'
import { entryAddress, openBridge, type Bridge } from './bridge'

const READY_WITHIN = 20_000

interface EmbedFrameProps {
  iframeName: string
  address: string
  tokens: TokenKeeper
  onTitle: (title: string) => void
  onUnsaved: (unsaved: boolean) => void
}

/** Hosts the sub-application of a module in a frame (R035, R085). */
export const EmbedFrame = observer(function EmbedFrame({ iframeName, address, tokens, onTitle, onUnsaved }: EmbedFrameProps) {
  const portal = usePortal()
  const { t } = useTranslation()
  const entry = portal.configuration.embeds[iframeName]
  const [attempt, setAttempt] = useState(0)
  if (entry === undefined) {
    // an address that nobody declared would lead nowhere with a sub-application either
    if (portal.routes.table.route(splitAddress(address)[0]) === null) return <NotFound />
    return <Plain title={t('embed.noneTitle')} text={t('embed.none', { name: iframeName })} />
  }
  return (
    <Frame
      key={attempt}
      {...{ iframeName, address, tokens, onTitle, onUnsaved, entry }}
      onRetry={() => setAttempt((count) => count + 1)}
    />
  )
})

const Frame = observer(function Frame({
  iframeName,
  address,
  tokens,
  onTitle,
  onUnsaved,
  entry,
  onRetry,
}: EmbedFrameProps & { entry: string; onRetry: () => void }) {
  const portal = usePortal()
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const bridge = useRef<Bridge | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [height, setHeight] = useState<number | null>(null)
  const locale = portal.language.locale
  const theme = portal.theme.name
  const url = useMemo(() => {
    const [path, search] = splitAddress(address)
    return entryAddress(entry, path, search, window.location.origin)
  }, [entry, address])
  // What changes later travels over the bridge; a new src would load the sub-application again.
  const [source] = useState(url.href)
  const latest = useRef({ onTitle, onUnsaved, locale, theme, address })
  useEffect(() => {
    latest.current = { onTitle, onUnsaved, locale, theme, address }
  })

  useEffect(() => {
    if (frame.current === null) return
    const opened = openBridge(frame.current, new URL(source).origin, (message) => {
      const now = latest.current
      switch (message.type) {
        case 'ready':
          setState('ready')
          void tokens.current().then(
            (token) => {
              if (token !== null) opened.send({ type: 'init', token, locale: now.locale, theme: now.theme, path: now.address })
            },
            () => undefined,
          )
          break
        case 'tokenRequest':
          void (message.refused === undefined ? tokens.current() : tokens.replace(message.refused)).then(
            (token) => {
              if (token !== null) opened.send({ type: 'token', token })
            },
            () => undefined,
          )
          break
        case 'navigate':
          portal.navigation.go(message.address, { replace: message.replace })
          break
        case 'title':
          now.onTitle(message.title)
          break
        case 'height':
          setHeight(message.height)
          break
        case 'unsaved':
          now.onUnsaved(message.unsaved)
          break
      }
    })
    bridge.current = opened
    return () => {
      bridge.current = null
      opened.close()
    }
  }, [portal, source, tokens])

  useEffect(() => {
    if (state !== 'loading') return
    const timer = setTimeout(() => setState('failed'), READY_WITHIN)
    return () => clearTimeout(timer)
  }, [state])

  useEffect(() => {
    if (state === 'ready') bridge.current?.send({ type: 'locale', locale })
  }, [state, locale])
  useEffect(() => {
    if (state === 'ready') bridge.current?.send({ type: 'theme', theme })
  }, [state, theme])
  useEffect(() => {
    if (state === 'ready') bridge.current?.send({ type: 'navigate', path: address })
  }, [state, address])

  return (
    <div className="sb-embed">
      {state === 'loading' && <Spin className="sb-embed-wait" aria-label={t('loading')} />}
      {state === 'failed' && (
        <Plain
          title={t('embed.failed', { name: iframeName })}
          actions={
            <Button type="primary" onClick={onRetry}>
              {t('retry')}
            </Button>
          }
        />
      )}
      <iframe
        ref={frame}
        name={iframeName}
        title={t('embed.title', { name: iframeName })}
        src={source}
        hidden={state === 'failed'}
        style={height === null ? undefined : { height, flex: 'none' }}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads allow-modals"
        referrerPolicy="origin"
      />
    </div>
  )
})
