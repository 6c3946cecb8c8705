import { LikeOutlined } from '@ant-design/icons'
import { Button, Flex, Popover } from 'antd'
import { observer } from 'mobx-react-lite'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../runtime/part/lazyPart'
import { HeaderCount } from '../layout/HeaderCount'
import { usePortal } from '../portal/portal'
import { countAndHear } from '../stream/channel'
import { FeedbackStore } from './feedbackStore'
import { feedbackTexts } from './texts'

const RatingDialog = lazyPart(() => import('./RatingDialog'), 'over')
const Hint = lazyPart(() => import('./Hint'), 'over')

interface ShortcutProps {
  path: string
  hidden: boolean
  /** Told how many answers are unread. */
  onUnread(unread: number): void
}

/** The way to feedback in the header (R010), with its unread answers; the hint and the ratings that the portal asks for come from here, also where the button is hidden. */
const FeedbackShortcut = observer(function FeedbackShortcut({ path, hidden, onUnread }: ShortcutProps) {
  const { http, navigation, addresses, language, routes } = usePortal()
  const { t } = useTranslation()
  const [store] = useState(() => new FeedbackStore(http))
  const texts = feedbackTexts[language.locale]
  useEffect(() => {
    let last = addresses.current().location.pathname
    const end = countAndHear(store.count, store.hear)
    const stop = addresses.subscribe(() => {
      const { pathname } = addresses.current().location
      if (pathname !== last) void store.enter(pathname)
      last = pathname
    })
    void store.load(last)
    return () => {
      end()
      stop()
    }
  }, [store, addresses])
  const { unread, hint, asks } = store
  useEffect(() => onUnread(unread), [onUnread, unread])
  const open = (): void => {
    const { pathname } = addresses.current().location
    const page = routes.table.route(pathname)?.title[language.locale] ?? pathname
    navigation.go(pathname === path ? path : `${path}?${new URLSearchParams({ from: pathname, page })}`)
  }
  const write = (): void => {
    store.close('submitted')
    open()
  }
  const said = hint ? (
    <Flex vertical gap={8} align="end" style={{ maxWidth: 320 }}>
      <Suspense fallback={null}>
        <Hint html={hint.text} />
      </Suspense>
      <Button type="primary" size="small" onClick={store.dismissHint}>
        {texts.gotIt}
      </Button>
    </Flex>
  ) : (
    <Flex vertical gap={8} style={{ maxWidth: 320 }}>
      {texts.invitation}
      <Flex gap={8}>
        <Button type="primary" size="small" onClick={write}>
          {texts.write}
        </Button>
        <Button size="small" onClick={() => store.close('dismissed')}>
          {texts.later}
        </Button>
      </Flex>
    </Flex>
  )
  const label = unread === 0 ? t('layout.feedback') : t('layout.feedbackUnread', { unread })
  return (
    <>
      <Popover open={hint !== null || asks?.kind === 'feedback'} placement="bottomRight" content={said}>
        <span>
          {!hidden && (
            <HeaderCount label={label} count={unread} icon={<LikeOutlined />} open={false} onOpen={open}>
              {null}
            </HeaderCount>
          )}
        </span>
      </Popover>
      {asks?.kind === 'score' && (
        <Suspense fallback={null}>
          <RatingDialog
            {...{ title: texts.rate, values: asks }}
            onDone={() => store.close('submitted')}
            onCancel={() => store.close('dismissed')}
          />
        </Suspense>
      )}
    </>
  )
})
export default FeedbackShortcut
