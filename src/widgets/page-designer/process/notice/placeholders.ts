const BRACES = /\{([A-Za-z][A-Za-z0-9]*)\}/g

/** Placeholders of a text that nobody fills in. */
export const unknownIn = (text: string | undefined, known: readonly string[]): string[] => [
  ...new Set([...(text ?? '').matchAll(BRACES)].map(([, name = '']) => name).filter((name) => !known.includes(name))),
]

/** The text as it will read, with a made-up application. */
export const sampled = (text: string, sample: Readonly<Record<string, string>>): string =>
  text.replace(BRACES, (_, name: string) => sample[name] ?? '-')
