/** A text in both languages of the portal. */
export interface Text {
  readonly zh: string
  readonly en: string
}

/** Language of an answer, chosen by Accept-Language; Chinese is the default. */
export type Locale = 'zh' | 'en'

/**
 * The language that an Accept-Language header asks for.
 * The wanted languages are read in the order of their weights; the first that we speak wins, else Chinese.
 */
export function localeFrom(acceptLanguage: string | undefined): Locale {
  if (!acceptLanguage) return 'zh'
  const wanted = acceptLanguage
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((value) => value !== undefined)
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { language } of wanted) if (language === 'zh' || language === 'en') return language
  return 'zh'
}
