import { theme } from 'antd'
import { useMemo, type CSSProperties } from 'react'

type Token = ReturnType<typeof theme.useToken>['token']

/** The colours that a dictionary value may have (schemas/meta/dictionary.json). */
export const TAG_COLORS = [
  'blue',
  'cyan',
  'green',
  'gold',
  'orange',
  'red',
  'purple',
  'magenta',
  'volcano',
  'lime',
  'geekblue',
] as const

const NAMES = {
  text: 'colorText',
  'text-secondary': 'colorTextSecondary',
  'text-tertiary': 'colorTextTertiary',
  primary: 'colorPrimary',
  link: 'colorLink',
  'link-hover': 'colorLinkHover',
  'primary-bg': 'colorPrimaryBg',
  'primary-hover': 'colorPrimaryHover',
  bg: 'colorBgContainer',
  'bg-layout': 'colorBgLayout',
  'bg-elevated': 'colorBgElevated',
  fill: 'colorFillQuaternary',
  'fill-strong': 'colorFillTertiary',
  border: 'colorBorderSecondary',
  'border-strong': 'colorBorder',
  'error-bg': 'colorErrorBg',
  'error-border': 'colorErrorBorder',
  'warning-bg': 'colorWarningBg',
  'warning-border': 'colorWarningBorder',
  'info-bg': 'colorInfoBg',
  'info-border': 'colorInfoBorder',
} as const satisfies Record<string, keyof Token>

/** A step (1 to 10) of one of antd's palettes, in the theme of the token. */
const stepOf = (token: Token, color: string, depth: number): string => {
  const palette = token as unknown as Readonly<Record<string, string>>
  return palette[`${color}${depth}`] ?? palette[`${color}-${depth}`] ?? token.colorText
}

/** The steps of a palette from the one beside the ground to the one beside the text. */
export type Palettes = Readonly<Record<(typeof TAG_COLORS)[number], readonly string[]>>

/** The palettes of the theme for what is drawn without style sheets. */
export const usePalettes = (): Palettes => {
  const { token } = theme.useToken()
  return useMemo(() => {
    const steps = (color: string): readonly string[] => Array.from({ length: 10 }, (_, index) => stepOf(token, color, index + 1))
    return Object.fromEntries(TAG_COLORS.map((color) => [color, steps(color)])) as unknown as Palettes
  }, [token])
}

/**
 * antd's design tokens as CSS custom properties (`--sb-…`), so that our own markup follows theme, dark mode and density
 * without paying CSS-in-JS for each cell.
 */
const toVariables = (token: Token): CSSProperties => {
  const palette = token as unknown as Readonly<Record<string, string>>
  const variables: Record<string, string> = {
    '--sb-radius': `${token.borderRadius}px`,
    '--sb-radius-small': `${token.borderRadiusSM}px`,
    '--sb-font': token.fontFamily,
    '--sb-mono': token.fontFamilyCode,
    '--sb-size': `${token.fontSize}px`,
    '--sb-size-small': `${token.fontSizeSM}px`,
    '--sb-control': `${token.controlHeight}px`,
    '--sb-shadow': token.boxShadowSecondary,
  }
  for (const [name, key] of Object.entries(NAMES)) variables[`--sb-${name}`] = String(token[key])
  // antd's own text colours of states miss 4.5:1 on white; deeper steps of the same palettes reach it in both themes.
  const step = (color: string, depth: number): string => stepOf(token, color, depth)
  Object.assign(variables, {
    '--sb-success': step('green', 8),
    '--sb-warning': step('orange', 8),
    '--sb-error': step('red', 7),
    '--sb-processing': step('blue', 7),
  })
  for (const color of TAG_COLORS) {
    // Step 9 on step 1 keeps 4.5:1 in both themes; antd's own pair (7 on 1) does not for green and gold.
    variables[`--sb-${color}-text`] = step(color, 9)
    variables[`--sb-${color}-bg`] = palette[`${color}1`] ?? palette[`${color}-1`] ?? token.colorFillQuaternary
    variables[`--sb-${color}-border`] = palette[`${color}3`] ?? palette[`${color}-3`] ?? token.colorBorder
  }
  return variables as CSSProperties
}

/** The custom properties for the root element of a block that uses our own markup. */
export const useTokenStyle = (): CSSProperties => {
  const { token } = theme.useToken()
  return useMemo(() => toVariables(token), [token])
}
