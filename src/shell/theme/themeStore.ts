import { makeAutoObservable } from 'mobx'
import type { CookieJar } from '../session/cookies'
import { markTheme, readThemeChoice, systemTheme, THEME_COOKIE, type ThemeChoice } from './mark'
import type { ThemeName } from '../../runtime/themeConfig'

const KEPT_DAYS = 365

/** Light, dark, or as the system; kept in a cookie, because sign-out clears the local storage. */
export class ThemeStore {
  choice: ThemeChoice
  private system: ThemeName
  private readonly cookies: CookieJar

  constructor(cookies: CookieJar) {
    this.cookies = cookies
    this.choice = readThemeChoice(cookies)
    this.system = systemTheme()
    makeAutoObservable<this, 'cookies'>(this, { cookies: false }, { autoBind: true })
    window
      .matchMedia('(prefers-color-scheme: dark)')
      .addEventListener('change', (event) => this.setSystem(event.matches ? 'dark' : 'light'))
  }

  get name(): ThemeName {
    return this.choice === 'auto' ? this.system : this.choice
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice
    this.cookies.set(THEME_COOKIE, choice, KEPT_DAYS)
    markTheme(this.name)
  }

  private setSystem(name: ThemeName) {
    this.system = name
    markTheme(this.name)
  }
}
