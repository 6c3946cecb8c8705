import { CloseOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useEffect } from 'react'
import { onChanged, tellChanged } from '../../runtime/changes'
import { usePortal } from '../portal/portal'
import { countAndHear } from '../stream/channel'
import { mailAddress, mailNewsOf, newsText, type MailNews } from './mailNews'
import { messageTexts } from './texts'

/** One toast: the newest mail takes the place of the one before. */
const TOAST = 'mail'
/** Calls of mail; lists and counts follow what is told of them. */
const MAIL = '/v2/mail/message'

/** New mail raises a toast that stays until it is closed or followed (R228, R229), open lists of mail and the count in the menu follow. */
export function useMailNews(): void {
  const portal = usePortal()
  const { message } = App.useApp()
  const { locale } = portal.language
  useEffect(() => {
    const { counts, navigation, session } = portal
    if (!session.can('message:email')) return
    const texts = messageTexts[locale]
    const close = (): void => message.destroy(TOAST)
    const view = (news: MailNews): void => {
      close()
      const address = mailAddress(news)
      // whoever stands there sees the page anew (R233), whoever stands elsewhere goes there (R234)
      const { pathname, search } = window.location
      const here = `/refresh?redirectPath=${encodeURIComponent(pathname + search)}`
      navigation.go(pathname === address ? here : address, { replace: true })
    }
    const show = (news: MailNews): void => {
      const content = (
        <>
          {newsText(news, texts.mailWords)}{' '}
          <Button type="link" size="small" onClick={() => view(news)}>
            {texts.view}
          </Button>
          <Button type="text" size="small" icon={<CloseOutlined />} aria-label={texts.close} onClick={close} />
        </>
      )
      void message.open({ key: TOAST, type: 'success', content, duration: 0 })
    }
    const stopHearing = countAndHear(counts.load, (told) => {
      const news = mailNewsOf(told)
      if (news) {
        show(news)
        tellChanged(MAIL)
      } else if (told.event === 'connection') void counts.load()
    })
    const stopFollowing = onChanged(MAIL, () => void counts.load())
    return () => {
      stopHearing()
      stopFollowing()
    }
  }, [portal, message, locale])
}
