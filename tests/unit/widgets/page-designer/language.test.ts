import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { longForm } from '../../../../src/schema/shorthand'
import { choiceName } from '../../../../src/widgets/page-designer/language/choices'
import { explanation } from '../../../../src/widgets/page-designer/language/help'

/** Every value that a meta-schema lists as one to choose from. */
const choicesIn = (meta: unknown): string[] => {
  if (typeof meta !== 'object' || meta === null) return []
  const own = 'enum' in meta && Array.isArray(meta.enum) ? meta.enum.filter((one): one is string => typeof one === 'string') : []
  return [...own, ...Object.values(meta).flatMap(choicesIn)]
}

const explanationsIn = (meta: unknown): string[] => {
  if (typeof meta !== 'object' || meta === null) return []
  const own = 'description' in meta && typeof meta.description === 'string' && meta.description !== '' ? [meta.description] : []
  return [...own, ...Object.values(meta).flatMap(explanationsIn)]
}

describe('the words of the designer', () => {
  it.each(['page', 'entity', 'module'])('name every value that the language of a %s lets choose, in both languages', (file) => {
    const choices = [...new Set(choicesIn(longForm(JSON.parse(readFileSync(`schemas/meta/${file}.json`, 'utf8')) as unknown)))]
    const unnamed = choices.filter((one) => choiceName(one, 'zh') === one || !/^[A-Za-z]/.test(choiceName(one, 'en')))
    expect(unnamed).toEqual([])
  })

  it.each(['page', 'entity', 'module', 'template', 'process', 'dictionary'])(
    'explain every word of the language of a %s in Chinese',
    (file) => {
      const explanations = explanationsIn(longForm(JSON.parse(readFileSync(`schemas/meta/${file}.json`, 'utf8')) as unknown))
      expect([...new Set(explanations)].filter((one) => explanation(one, 'zh') === one)).toEqual([])
    },
  )

  it('leave a number, and a value that they do not know, as it is written', () => {
    expect(choiceName(50, 'zh')).toBe('50')
    expect(choiceName('sideways', 'en')).toBe('sideways')
  })
})
