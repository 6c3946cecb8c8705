import type { Locale as AntdLocale } from 'antd/es/locale'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import updateLocale from 'dayjs/plugin/updateLocale'
import { useEffect, useState } from 'react'
import type { Locale } from '../../schema/problem'
import type { Portal } from '../portal/portal'

dayjs.extend(updateLocale)
// R417: the week starts on Monday in both languages; zh-cn has it already.
dayjs.updateLocale('en', { weekStart: 1 })

export const antdLocale = (locale: Locale): AntdLocale => (locale === 'zh' ? zhCN : enUS)

/** The languages of the libraries follow the interface language without a reload. */
export function applyDayjsLocale(locale: Locale): void {
  dayjs.locale(locale === 'zh' ? 'zh-cn' : 'en')
}

export function useLibraryLocales(portal: Portal): Locale {
  const [locale, setLocale] = useState(() => {
    applyDayjsLocale(portal.language.locale)
    return portal.language.locale
  })
  useEffect(
    () =>
      portal.language.onChange((next) => {
        applyDayjsLocale(next)
        setLocale(next)
        // Names of resources that only the gateway knows come in its language.
        void portal.session.loadRights()
      }),
    [portal],
  )
  return locale
}
