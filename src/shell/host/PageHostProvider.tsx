import { App, Button } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestError, type Host } from '../../headless/host'
import { HostProvider } from '../../runtime/hostContext'
import { usePortal } from '../portal/portal'
import { ERROR_SECONDS, TOAST_SECONDS } from '../portal/Reactions'
import { filePart, previewKind } from '../http/filePart'
import { createPageHost } from './pageHost'
import { lazyPart } from '../../runtime/part/lazyPart'

/** Long enough to read and to decide. */
const ACTION_SECONDS = 10
let actions = 0

interface PageHostProviderProps {
  pageKey: string
  tabId: string | null
  children: ReactNode
}

/** Gives a page its Host. The Host stays the same object until language, theme, device or user change. */
export const PageHostProvider = observer(function PageHostProvider({ pageKey, tabId, children }: PageHostProviderProps) {
  const portal = usePortal()
  const { t } = useTranslation()
  const { message, modal } = App.useApp()
  const watchDownload = portal.downloads.watch
  const [image, setImage] = useState<{ url: string; name: string } | null>(null)
  const awaited = useRef<string | null>(null)
  const user = portal.session.user
  const locale = portal.language.locale
  const theme = portal.theme.name
  const device = portal.layout.device

  const now = useCallback(() => Date.now() + portal.http.clockOffset, [portal])
  const notify = useCallback<Host['notify']>(
    (type, text, action) => {
      if (!action) {
        void message.open({ type, content: text, duration: type === 'error' ? ERROR_SECONDS : TOAST_SECONDS })
        return
      }
      const key = `action-${++actions}`
      const run = (): void => {
        message.destroy(key)
        action.run()
      }
      const content = (
        <>
          {text}{' '}
          <Button type="link" size="small" onClick={run}>
            {action.label}
            {action.until && <SecondsLeft until={action.until} now={now} />}
          </Button>
        </>
      )
      const seconds = action.until ? (action.until.getTime() - now()) / 1000 : ACTION_SECONDS
      if (seconds > 0) void message.open({ key, type, content, duration: seconds })
    },
    [message, now],
  )

  const confirm = useCallback<Host['confirm']>(
    ({ title, content, danger, phrase, okText }) =>
      new Promise((resolve) => {
        const needed = phrase !== undefined && phrase !== ''
        const dialog = modal.confirm({
          title,
          content: (
            <>
              {content}
              {needed && (
                <Suspense fallback={null}>
                  <PhraseInput
                    label={t('confirm.phrase', { phrase })}
                    onChange={(typed) => dialog.update({ okButtonProps: { danger, disabled: typed !== phrase } })}
                  />
                </Suspense>
              )}
            </>
          ),
          okText: okText ?? t('ok'),
          cancelText: t('cancel'),
          okButtonProps: { danger, disabled: needed },
          // whoever answers by habit does no harm
          ...(danger ? { autoFocusButton: 'cancel' as const } : {}),
          onOk: () => resolve(true),
          onCancel: () => resolve(false),
        })
      }),
    [modal, t],
  )

  const previewFile = useCallback<Host['previewFile']>(
    ({ id, name }) => {
      const failed = (error: unknown) =>
        notify('error', error instanceof RequestError && error.message ? error.message : t('error.download'))
      switch (previewKind(name)) {
        case 'image':
          awaited.current = id
          filePart()
            .then(({ fileBlob }) => fileBlob(portal.http, id, t('error.download')))
            .then((blob) => awaited.current === id && setImage({ url: URL.createObjectURL(blob), name }), failed)
          return
        case 'window': {
          // The window is opened while the click still counts, or the browser blocks it.
          const opened = window.open('about:blank', '_blank')
          if (opened === null) return notify('warning', t('error.popup'))
          opened.opener = null
          filePart()
            .then(({ ticketFor }) => ticketFor(portal.http, id))
            .then(
              (url) => opened.location.replace(url),
              (error: unknown) => {
                opened.close()
                failed(error)
              },
            )
          return
        }
        case 'unsupported':
          notify('warning', t('error.preview'))
      }
    },
    [portal, notify, t],
  )

  const host = useMemo(
    () =>
      user === null
        ? null
        : createPageHost(portal, { notify, confirm, previewFile, watchDownload, user, t, pageKey, tabId, locale, theme, device }),
    [portal, notify, confirm, previewFile, watchDownload, user, t, pageKey, tabId, locale, theme, device],
  )

  const closeImage = useCallback(() => {
    awaited.current = null
    setImage((shown) => {
      if (shown !== null) URL.revokeObjectURL(shown.url)
      return null
    })
  }, [])
  // Escape closes a preview that is still on its way, too
  useEffect(() => {
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && awaited.current !== null) closeImage()
    }
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [closeImage])
  if (host === null) return null
  return (
    <HostProvider value={host}>
      {children}
      {image !== null && (
        <Suspense fallback={null}>
          <ImagePreview url={image.url} name={image.name} onClose={closeImage} />
        </Suspense>
      )}
    </HostProvider>
  )
})

/** How many seconds are left, counted down. */
const SecondsLeft = ({ until, now }: { until: Date; now: () => number }) => {
  const left = useCallback(() => Math.max(0, Math.ceil((until.getTime() - now()) / 1000)), [until, now])
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 250)
    return () => clearInterval(timer)
  }, [left])
  return <span aria-hidden="true"> ({seconds})</span>
}

const ImagePreview = lazyPart(() => import('./ImagePreview'), 'over')
const PhraseInput = lazyPart(() => import('./PhraseInput'), 'over')
