import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import { ruleTexts } from '../../../../src/widgets/rule-settings/texts'

describe('codes in the reports of jobs', () => {
  it.each(['product', 'accountProduct', 'aliasSystem'])('are called as the dictionary %s calls them', (name) => {
    const { items } = JSON.parse(readFileSync(`schemas/dictionaries/${name}.json`, 'utf8')) as DictionaryDocument
    for (const { code, label } of items)
      expect({ zh: ruleTexts.zh.values[code], en: ruleTexts.en.values[code] }, code).toEqual({ zh: label.zh, en: label.en })
  })
})
