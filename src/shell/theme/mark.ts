import type { CookieJar } from '../session/cookies'
import type { ThemeName } from '../../runtime/themeConfig'

export type ThemeChoice = ThemeName | 'auto'

export const THEME_COOKIE = 'theme'

export function readThemeChoice(cookies: CookieJar): ThemeChoice {
  const kept = cookies.get(THEME_COOKIE)
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** What the system prefers. */
export const systemTheme = (): ThemeName => (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

/** For the page's own style sheets, before and beside antd. */
export function markTheme(choice: ThemeChoice): void {
  const name = choice === 'auto' ? systemTheme() : choice
  document.documentElement.dataset.theme = name
  document.documentElement.style.colorScheme = name
}
