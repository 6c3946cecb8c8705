import { theme } from 'antd'
import { useMemo } from 'react'
import { usePalettes, type Palettes } from '../../tokens'
import type { Color } from './panel'

/** How charts look in the theme of the moment. */
export interface Look {
  palettes: Palettes
  text: string
  secondary: string
  /** Of what has no colour of its own. */
  rest: string
  border: string
  /** Of the card, and of what lies over it. */
  ground: string
  elevated: string
  font: string
  /** px */
  size: number
  /** The viewer wants nothing to move. */
  still: boolean
  /** There is no room beside the chart. */
  narrow: boolean
}

/** The step of a palette that stands out from the ground in both themes. */
const STEP = 5
/** A ramp of four depths, from the one beside the ground. */
const RAMP = [0, 2, 4, 6] as const

export const colorIn = ({ palettes, rest }: Look, color: Color): string =>
  color === 'rest' ? rest : (palettes[color][STEP] ?? rest)

export const rampIn = ({ palettes, rest }: Look, color: Color): readonly string[] =>
  color === 'rest' ? [rest] : RAMP.flatMap((step) => palettes[color][step] ?? [])

export const useLook = (): Omit<Look, 'narrow'> => {
  const { token } = theme.useToken()
  const palettes = usePalettes()
  return useMemo(
    () => ({
      palettes,
      text: token.colorText,
      secondary: token.colorTextSecondary,
      rest: token.colorTextQuaternary,
      border: token.colorBorderSecondary,
      ground: token.colorBgContainer,
      elevated: token.colorBgElevated,
      font: token.fontFamily,
      size: token.fontSizeSM,
      still: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    }),
    [palettes, token],
  )
}
