import { createInstance, type i18n, type TFunction } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Locale } from '../../schema/problem'
import type { CookieJar } from '../session/cookies'
import { firstLocale, LOCALE_COOKIE } from './locale'
import { en } from './texts/en'
import { zh, type Texts } from './texts/zh'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: { shell: Texts }
  }
}

const KEPT_DAYS = 365

/** The interface language: one of two (R012), kept in a cookie, because sign-out clears the local storage. */
export interface Language {
  readonly i18n: i18n
  readonly t: TFunction
  readonly locale: Locale
  change(locale: Locale): void
  onChange(listener: (locale: Locale) => void): () => void
}

export function createLanguage(cookies: CookieJar, browserLanguages: readonly string[]): Language {
  const start = firstLocale(cookies, browserLanguages)
  const instance = createInstance()
  void instance.use(initReactI18next).init({
    lng: start,
    fallbackLng: 'zh',
    defaultNS: 'shell',
    resources: { zh: { shell: zh }, en: { shell: en } },
    // React escapes; escaping twice would show &quot; to people.
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  const locale = (): Locale => (instance.language === 'en' ? 'en' : 'zh')
  const mark = () => {
    if (typeof document !== 'undefined') document.documentElement.lang = locale() === 'zh' ? 'zh-CN' : 'en'
  }
  mark()
  return {
    i18n: instance,
    get t() {
      return instance.t
    },
    get locale() {
      return locale()
    },
    change(next) {
      cookies.set(LOCALE_COOKIE, next, KEPT_DAYS)
      void instance.changeLanguage(next).then(mark)
    },
    onChange(listener) {
      const tell = () => listener(locale())
      instance.on('languageChanged', tell)
      return () => instance.off('languageChanged', tell)
    },
  }
}
