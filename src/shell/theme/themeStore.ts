import { makeAutoObservable } from 'mobx'
import type { CookieJar } from '../session/cookies'
import type { ThemeName } from './tokens'

export type ThemeChoice = ThemeName | 'auto'

const COOKIE = 'theme'
const KEPT_DAYS = 365

/** Light, dark, or as the system; kept in a cookie, because sign-out clears the local storage. */
export class ThemeStore {
  choice: ThemeChoice
  private system: ThemeName
  private readonly cookies: CookieJar

  constructor(cookies: CookieJar) {
    this.cookies = cookies
    this.choice = readThemeChoice(cookies)
    const query = window.matchMedia('(prefers-color-scheme: dark)')
    this.system = query.matches ? 'dark' : 'light'
    makeAutoObservable<this, 'cookies'>(this, { cookies: false }, { autoBind: true })
    query.addEventListener('change', (event) => this.setSystem(event.matches ? 'dark' : 'light'))
  }

  get name(): ThemeName {
    return this.choice === 'auto' ? this.system : this.choice
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice
    this.cookies.set(COOKIE, choice, KEPT_DAYS)
    markTheme(this.name)
  }

  private setSystem(name: ThemeName) {
    this.system = name
    markTheme(this.name)
  }
}

export function readThemeChoice(cookies: CookieJar): ThemeChoice {
  const kept = cookies.get(COOKIE)
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** For the page's own style sheets, before and beside antd. */
export function markTheme(name: ThemeName): void {
  document.documentElement.dataset.theme = name
  document.documentElement.style.colorScheme = name
}
