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
  'primary-bg': 'colorPrimaryBg',
  'primary-hover': 'colorPrimaryHover',
  link: 'colorLink',
  'link-hover': 'colorLinkHover',
  bg: 'colorBgContainer',
  'bg-layout': 'colorBgLayout',
  'bg-elevated': 'colorBgElevated',
  fill: 'colorFillQuaternary',
  'fill-strong': 'colorFillTertiary',
  border: 'colorBorderSecondary',
  'border-strong': 'colorBorder',
  success: 'colorSuccessText',
  warning: 'colorWarningText',
  error: 'colorErrorText',
  processing: 'colorInfoText',
  'error-bg': 'colorErrorBg',
  'error-border': 'colorErrorBorder',
  'warning-bg': 'colorWarningBg',
  'warning-border': 'colorWarningBorder',
  'info-bg': 'colorInfoBg',
  'info-border': 'colorInfoBorder',
} as const satisfies Record<string, keyof Token>

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
  for (const color of TAG_COLORS) {
    // Step 8 on step 1 keeps 4.5:1 in both themes; antd's own pair (7 on 1) does not for green and gold.
    variables[`--sb-${color}-text`] = palette[`${color}8`] ?? palette[`${color}-8`] ?? token.colorText
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
