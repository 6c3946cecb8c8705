import countries from 'i18n-iso-countries'
import currencies from 'currency-codes'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  countryName,
  countryOptions,
  CURRENCY_CODES,
  currencyDigits,
  fieldKind,
  FORMATS,
  formatOf,
  isCurrency,
  ready,
  type FieldFormat,
  type FormatContext,
  type FormatField,
  type ImportCell,
} from '../../../../src/schema/formats'
import type { FieldKind } from '../../../../src/schema/model'
import { timeTaken } from '../../../support/timeTaken'

export const context: FormatContext = {
  locale: 'zh',
  timeZone: 'Asia/Shanghai',
  dictionary: (name) =>
    name === 'customerLevel'
      ? [
          { code: 'a', label: { zh: 'A 级', en: 'Level A' } },
          { code: 'b', label: { zh: 'B 级', en: 'Level B' } },
          { code: 'z', label: { zh: '旧级', en: 'Old level' }, retired: true },
        ]
      : undefined,
  refTitle: (_entity, id) => (id === 's1' ? '王伟 (S0042)' : id === 's2' ? '李娜 (S0043)' : undefined),
  findRef: (_entity, text) => {
    if (text === '王伟') return ['s1', 's9']
    return text.includes('S0042') ? ['s1'] : text.includes('S0043') ? ['s2'] : []
  },
}
const english: FormatContext = { ...context, locale: 'en' }

const parse = (kind: FieldKind, cell: ImportCell, field: FormatField = formatOf(kind).example.field): unknown => {
  const parsed = formatOf(kind).parse(cell, field, context)
  return 'value' in parsed ? parsed.value : parsed.message.en
}
const wrong = (kind: FieldKind, value: unknown, field: FormatField = formatOf(kind).example.field): string | null =>
  formatOf(kind).validate(value, field, context)?.en ?? null

beforeAll(() => ready('country', 'phone'))

describe('before their data is loaded', () => {
  it('formats do what they can: codes stay codes', async () => {
    // the module under test is loaded already; a fresh copy has loaded nothing yet
    const fresh = (await import('../../../../src/schema/formats/kinds/country?fresh' as string).catch(() => undefined)) as
      { countryFormat: FieldFormat; countryOptions: (locale: 'zh') => unknown[] } | undefined
    if (!fresh) throw new Error('the fresh copy did not load')
    expect(fresh.countryOptions('zh')).toEqual([])
    expect(fresh.countryFormat.show('CN', {}, context)).toBe('CN')
    expect(fresh.countryFormat.parse('cn', {}, context)).toEqual({ value: 'CN' })
  })
})

describe('every format', () => {
  for (const format of Object.values(FORMATS)) {
    const { example, kind } = format
    const inContext = { ...context, record: example.record }
    it(`${kind} shows, validates, parses and exports its example`, () => {
      expect(format.show(example.value, example.field, inContext)).toBe(example.shown.zh)
      expect(format.show(example.value, example.field, { ...inContext, locale: 'en' })).toBe(example.shown.en)
      expect(format.validate(example.value, example.field, inContext)).toBeNull()
      for (const typed of example.typed) {
        expect([typed, format.parse(typed, example.field, inContext)]).toEqual([typed, { value: example.value }])
      }
      expect(format.export(example.value, example.field, inContext).type).not.toBe('empty')
      expect(fieldKind(example.field)).toBe(kind)
      expect(format.operators.length).toBeGreaterThan(1)
    })

    it(`${kind} takes nothing for nothing`, () => {
      for (const nothing of [null, undefined, '']) {
        expect(format.show(nothing, example.field, inContext)).toBe('')
        expect(format.validate(nothing, example.field, inContext)).toBeNull()
        expect(format.parse(nothing, example.field, inContext)).toEqual({ value: null })
        expect(format.export(nothing, example.field, inContext)).toEqual({ type: 'empty' })
      }
      expect(format.parse('   ', example.field, inContext)).toEqual({ value: null })
    })

    it(`${kind} reads hostile long texts quickly`, () => {
      const long = [
        '5' + ' '.repeat(60_000) + '5',
        '1,'.repeat(50_000),
        Array.from({ length: 20_000 }, (_, index) => `v${index}`).join(','),
        '('.repeat(50_000),
        '1T'.repeat(30_000),
        '日 '.repeat(30_000),
        '['.repeat(100_000),
        'a.'.repeat(50_000),
        '2025-'.repeat(20_000),
        '+1'.repeat(50_000),
        '<p '.repeat(40_000),
      ]
      const took = timeTaken(() => {
        for (const text of long) {
          format.parse(text, example.field, inContext)
          format.show(text, example.field, inContext)
          format.validate(text, example.field, inContext)
        }
      })
      expect(took).toBeLessThan(1000)
    })

    it(`${kind} refuses values of a wrong type and never throws`, () => {
      const strange: unknown[] = [
        Number.NaN,
        Number.POSITIVE_INFINITY,
        1e300,
        {},
        [],
        [[]],
        [{}],
        true,
        'constructor',
        '__proto__',
        '\0',
        'x'.repeat(600_000),
        new Date(Number.NaN),
        Symbol.iterator,
        10n,
        () => 1,
      ]
      for (const value of strange) {
        if (typeof value !== 'symbol') expect(typeof format.show(value, example.field, inContext)).toBe('string')
        const message = format.validate(value, example.field, inContext)
        if (message) expect([message.zh, message.en].every((text) => text.length > 3)).toBe(true)
      }
      for (const cell of [
        Number.NaN,
        1e300,
        -0,
        true,
        new Date(Number.NaN),
        new Date(0),
        'constructor',
        '__proto__',
        '<b>',
        '=1+1',
        '\u202e',
        'x'.repeat(100_000),
      ]) {
        const parsed = format.parse(cell, example.field, inContext)
        if ('value' in parsed && parsed.value !== null) expect(wrong(kind, parsed.value) ?? 'fine').toMatch(/^(fine|At most)/)
      }
    })
  }
})

describe('fieldKind', () => {
  it.each<[FormatField, FieldKind]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'], format: 'date-time' }, 'dateTime'],
    [{ type: 'string', format: 'decimal', 'x-money': 'currency' }, 'money'],
    [{ type: 'string', format: 'decimal' }, 'decimal'],
    [{ type: 'number' }, 'decimal'],
    [{ type: 'object' }, 'json'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'array', items: { type: 'object', format: 'file' } }, 'files'],
    [{ type: 'array', items: { type: 'string', format: 'email' } }, 'strings'],
    [{ type: 'string', format: 'constructor' }, 'string'],
    [{ type: 'string', format: 'toString' }, 'string'],
  ])('%j is %s', (field, kind) => {
    expect(fieldKind(field)).toBe(kind)
  })
})

describe('countries and currencies', () => {
  it('knows every country of ISO 3166 in both languages', () => {
    const codes = Object.keys(countries.getAlpha2Codes())
    expect(
      countryOptions('zh')
        .map(({ code }) => code)
        .sort(),
    ).toEqual([...codes].sort())
    expect(countryOptions('en')[0]?.label).toBe('Afghanistan')
    for (const code of codes) {
      expect(countryName(code, 'zh')).toMatch(/\p{Script=Han}/u)
      for (const locale of ['zh', 'en'] as const) expect(parse('country', countryName(code, locale))).toBe(code)
      expect(parse('country', countries.alpha2ToAlpha3(code))).toBe(code)
    }
  })

  it('agrees with ISO 4217 on the decimals of every currency', () => {
    const withoutDecimals = /^X(?!AF|OF|PF|CD)|^(?:BOV|CHE|CHW|COU|MXV|USN)$/
    const official = currencies.data.filter(({ code }) => !withoutDecimals.test(code))
    expect(CURRENCY_CODES).toEqual(official.map(({ code }) => code).sort())
    for (const { code, digits } of official) expect([code, currencyDigits(code)]).toEqual([code, digits])
    expect(isCurrency('XYZ')).toBe(false)
  })

  it.each([
    ['CG', 'Republic of the Congo'],
    ['CD', 'Democratic Republic of the Congo'],
    ['TW', '台湾'],
    ['GB', 'UK'],
    ['US', 'usa'],
    ['KR', '韩国'],
  ])('%s is %s', (code, name) => {
    expect(parse('country', name)).toBe(code)
  })

  it('refuses countries that do not exist', () => {
    expect(wrong('country', 'ZZ')).toContain('ZZ')
    expect(wrong('country', 'cn')).toContain('cn')
    expect(parse('country', 'Atlantis')).toContain('not a country')
  })
})

describe('texts', () => {
  it('counts characters as people do', () => {
    expect(wrong('string', '😀😀', { maxLength: 2 })).toBeNull()
    expect(wrong('string', '😀😀😀', { maxLength: 2 })).toBe('At most 2 characters; it has 3.')
    expect(wrong('string', 'ab', { pattern: '^[0-9]+$' })).toContain('form')
    expect(wrong('string', 'a', { minLength: 2 })).toContain('At least 2')
  })

  it('shows rich text as words', () => {
    const show = (html: string): string => formatOf('richText').show(html, {}, context)
    expect(show('<p>a<b>b</b></p><ul><li>c</li></ul>&amp;lt;')).toBe('ab c &lt;')
    expect(show('<script')).toBe('')
    expect(show('<'.repeat(50_000))).toBe('')
    expect(parse('richText', '<b>&\nx')).toBe('<p>&lt;b&gt;&amp;</p><p>x</p>')
  })

  it.each([
    'a@b',
    '@b.cn',
    'a b@c.cn',
    'a@b..cn',
    'a@-b.cn',
    'a@b.c',
    'a,b@c.cn',
    'a@b.cn, c@d.cn',
    `${'a'.repeat(65)}@b.cn`,
    'a@b.cn\n',
  ])('%j is no e-mail address', (address) => {
    expect(wrong('email', address)).not.toBeNull()
  })

  it.each(['a@b.cn', 'first.last+tag@sub.example.co.uk', '李@例子.中国', "o'neil@example.com"])(
    '%s is an e-mail address',
    (address) => {
      expect(wrong('email', address)).toBeNull()
    },
  )

  it('checks e-mail addresses in linear time', () => {
    const took = timeTaken(() => {
      for (const text of [`${'a.'.repeat(50_000)}@`, `a@${'a-'.repeat(50_000)}`, `a@${'a.'.repeat(120)}!`])
        expect(wrong('email', text)).not.toBeNull()
    })
    expect(took).toBeLessThan(100)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    ' https://a.cn',
    'https://user:pass@a.cn',
    '//a.cn',
    '/a',
    'a.cn',
    'file:///etc/passwd',
    'https://',
  ])('%j is no web address', (address) => {
    expect(wrong('url', address)).not.toBeNull()
  })

  it('never turns a typed script into an address', () => {
    expect(parse('url', 'javascript:alert(1)')).toContain('not a web address')
    expect(parse('url', 'example.com:8080/x')).toBe('https://example.com:8080/x')
  })

  it('keeps the zeros of network codes', () => {
    expect(parse('mccmnc', 46000)).toBe('46000')
    expect(parse('mccmnc', '310-004')).toBe('310004')
    expect(wrong('mccmnc', '460')).not.toBeNull()
  })

  it('refuses file names with paths', () => {
    expect(wrong('file', { id: 'f', name: '../x' })).not.toBeNull()
    expect(wrong('file', { id: 'f', name: 'x.pdf' })).toBeNull()
    expect(parse('file', 'x.pdf')).toContain('cannot be imported')
  })

  it.each([
    ['+86 10 6505 2288', '+861065052288'],
    ['0086 138 0013 8000', '+8613800138000'],
    ['+44 (0) 20 7946 0958', '+442079460958'],
    ['138 0013 8000', '+8613800138000'],
    ['+1 (415) 555-2671', '+14155552671'],
  ])('the phone number %s is %s', (typed, stored) => {
    expect(parse('phone', typed)).toBe(stored)
    expect(wrong('phone', stored)).toBeNull()
  })

  it('a phone number that lost its sign is never one of a country where it is none', () => {
    const inCountry = (cell: ImportCell, region: string): unknown => {
      const parsed = formatOf('phone').parse(cell, {}, { ...context, region })
      return 'value' in parsed ? parsed.value : parsed.message.en
    }
    expect(inCountry(447911123456, 'PH')).toBe('+447911123456')
    expect(inCountry('639171234567', 'PH')).toBe('+639171234567')
    expect(inCountry('0917 123 4567', 'PH')).toBe('+639171234567')
    expect(inCountry('13800138000', 'CN')).toBe('+8613800138000')
    expect(inCountry('12345678', 'HK')).toBe(
      '"12345678" is no number of Hong Kong: write it with its country code, such as +8613800138000.',
    )
    expect(inCountry('+85212345678', 'PH')).toBe('+85212345678')
  })

  it('a phone number without country code is one of the country that is given, and none where no country is known', () => {
    const read = (typed: string, region: string | null): unknown =>
      formatOf('phone').parse(typed, formatOf('phone').example.field, { ...context, region })
    expect(read('(415) 555-2671', 'US')).toEqual({ value: '+14155552671' })
    expect(read('138 0013 8000', null)).toHaveProperty('message')
    expect(read('0086 138 0013 8000', null)).toEqual({ value: '+8613800138000' })
  })

  it.each(['abc', '123', '+86 1', '+999 123456789', '138-0013-80001234567', '+8613800138000 ext 5'])(
    '%s is no phone number',
    (typed) => {
      expect(parse('phone', typed)).toContain('not a phone number')
    },
  )
})

describe('dictionaries and references', () => {
  it('refuse what does not exist or is retired, and offer what was meant', () => {
    expect(parse('dictionary', 'A级')).toContain('A 级')
    expect(parse('dictionary', '旧级')).toContain('no longer in use')
    expect(parse('dictionary', 'nothing like it')).toContain('Choose')
    expect(wrong('dictionary', 'q')).toContain('no "q"')
    expect(wrong('dictionary', 'z')).toBeNull()
    expect(formatOf('dictionary').show('z', { 'x-dictionary': 'customerLevel' }, english)).toBe('Old level')
    expect(formatOf('dictionary').show('q', { 'x-dictionary': 'customerLevel' }, english)).toBe('q')
  })

  it('ask back when a title fits several records', () => {
    expect(parse('ref', '王伟')).toContain('2 records')
    expect(parse('ref', 'nobody')).toContain('not found')
  })

  it('check every item of a list', () => {
    expect(wrong('dictionaries', ['a', 'q'])).toContain('no "q"')
    expect(wrong('dictionaries', ['a', 'a'])).toContain('differ')
    expect(wrong('countries', ['CN', null])).toContain('empty')
    expect(wrong('strings', ['a@b.cn', 'x'], { type: 'array', items: { type: 'string', format: 'email' } })).toContain('e-mail')
    expect(wrong('strings', ['a', 'b', 'c'], { type: 'array', maxItems: 2 })).toContain('At most 2')
    expect(parse('countries', 'CN,Atlantis')).toContain('Atlantis')
  })
})
