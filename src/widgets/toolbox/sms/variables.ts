const VARIABLE = /\{([A-Za-z][A-Za-z0-9_]{0,19})\}/g

/** The variables of a text, `{code}`, each once. */
export const variablesOf = (text: string): string[] => [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))]

/** The text with every variable as long as it may become; one without a length stays as it is written. */
export const atLongest = (text: string, lengths: Readonly<Record<string, number | null>>): string =>
  text.replace(VARIABLE, (whole, name: string) => {
    const length = lengths[name]
    return length === null || length === undefined ? whole : 'x'.repeat(length)
  })
