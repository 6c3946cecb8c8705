/**
 * Writes src/schema/formats/country-names.ts from i18n-iso-countries: one line a country, a third of the size of its files.
 * Run after updating the package: npx tsx scripts/country-names.ts
 */
import { writeFileSync } from 'node:fs'
import countries from 'i18n-iso-countries'
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import zh from 'i18n-iso-countries/langs/zh.json' with { type: 'json' }

/** Names that the portal shows instead of the first one of the list. */
const SHOWN: Record<string, [zh?: string, en?: string]> = {
  CN: [undefined, 'China'],
  HK: ['中国香港', undefined],
  MO: ['中国澳门', undefined],
  TW: ['中国台湾', 'Taiwan'],
  US: [undefined, 'United States'],
  RU: [undefined, 'Russia'],
  CI: [undefined, "Côte d'Ivoire"],
  PS: [undefined, 'Palestine'],
  LA: [undefined, 'Laos'],
}
const MORE: Record<string, string[]> = { TW: ['台湾', '臺灣'], LA: ['Lao PDR'] }

const namesOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

const lines = Object.keys(countries.getAlpha2Codes())
  .sort()
  .map((code) => {
    const chinese = namesOf((zh.countries as Record<string, string | string[]>)[code])
    const english = namesOf((en.countries as Record<string, string | string[]>)[code])
    const shown = [SHOWN[code]?.[0] ?? chinese[0] ?? code, SHOWN[code]?.[1] ?? english[0] ?? code]
    const others = [...chinese, ...english, ...(MORE[code] ?? [])].filter((name) => !shown.includes(name))
    return [code, countries.alpha2ToAlpha3(code) ?? '', ...shown, ...others].join('|')
  })

writeFileSync(
  new URL('../src/schema/formats/country-names.ts', import.meta.url),
  `/** Made by scripts/country-names.ts. A line is: ISO 3166 alpha-2|alpha-3|Chinese|English|other names that imports accept. */\n` +
    `export const COUNTRY_LINES = \`\n${lines.join('\n').replace(/[\\`$]/g, '\\$&')}\n\`\n`,
)
