/** What templates may fill in. */
const VARIABLES = ['contact.name', 'customer.name', 'me.name', 'me.mobile', 'today'] as const

type Variable = (typeof VARIABLES)[number]

const BRACES = /\{\{\s*([a-z]+(?:\.[a-zA-Z]+)?)\s*\}\}/gu

/** The variables that a text still names: they have to be filled in before it is sent. */
export function openVariables(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(BRACES)].map(([, name = '']) => name)))]
}

/** A text with what is known filled in; what is not known stays, to be asked for. */
export const filledIn = (text: string, values: Readonly<Partial<Record<Variable, string | null>>>): string =>
  text.replace(BRACES, (whole, name: string) => {
    const value = VARIABLES.find((variable) => variable === name)
    return (value && values[value]) || whole
  })
