import type { Options } from './generated/page'

/** Where the choices of a field may come from (`x-options`): one of these. */
export const OPTION_SOURCES = ['dictionary', 'entity', 'call', 'rows'] as const
export type OptionSource = (typeof OPTION_SOURCES)[number]

/** The other words of `x-options`, with the sources that each says something about. */
export const OPTION_WORDS: Readonly<Record<Exclude<keyof Options, OptionSource>, readonly OptionSource[]>> = {
  where: ['entity'],
  sort: ['entity'],
  params: ['call'],
  when: ['dictionary', 'call', 'rows'],
  label: ['entity', 'call', 'rows'],
  value: ['entity', 'call', 'rows'],
  children: ['call'],
  parent: ['entity', 'call', 'rows'],
  optional: ['entity', 'call'],
}
