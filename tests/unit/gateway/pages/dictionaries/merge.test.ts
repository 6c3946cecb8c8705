import { describe, expect, it } from 'vitest'
import type { DictionaryItem } from '../../../../../src/schema/generated/dictionary'
import {
  keepChanges,
  changeTo,
  mergeDictionary,
  mergeItems,
  NO_CHANGES,
  type DictionaryChanges,
} from '../../../../../gateway/pages/dictionaries/merge'

const item = (code: string, more: Partial<DictionaryItem> = {}): DictionaryItem => ({
  code,
  label: { zh: `${code}中`, en: `${code} en` },
  ...more,
})
const released = [item('a', { color: 'red' }), item('b'), item('c')]
const codes = (changes: DictionaryChanges, base = released): string[] => mergeItems(base, changes).map(({ code }) => code)

describe('Changes over a released dictionary', () => {
  it('change nothing when there are none', () => {
    const document = {
      formatVersion: 3 as const,
      name: 'x',
      label: { zh: '字', en: 'X' },
      items: [item('a'), item('b')] as [DictionaryItem, DictionaryItem],
    }
    expect(mergeDictionary(document, NO_CHANGES)).toEqual(document)
  })

  it('add, rename, recolour and retire values without touching the others', () => {
    const changes: DictionaryChanges = {
      values: {
        a: { label: { zh: '新名' }, color: null },
        b: { retired: true },
        n: { item: item('n', { color: 'blue' }), origin: 'added' },
      },
      order: [],
    }
    expect(mergeItems(released, changes)).toEqual([
      { code: 'a', label: { zh: '新名', en: 'a en' }, origin: 'released', changed: true },
      { ...item('b'), retired: true, origin: 'released', changed: true },
      { ...item('c'), origin: 'released', changed: false },
      { ...item('n', { color: 'blue' }), origin: 'added', changed: false },
    ])
  })

  it('keep the order of an administrator, and place a new value of a release behind the one that it follows there', () => {
    const order = ['c', 'a', 'b']
    expect(codes({ values: {}, order })).toEqual(['c', 'a', 'b'])
    expect(codes({ values: {}, order }, [item('a'), item('a2'), item('b'), item('c'), item('d')])).toEqual([
      'c',
      'd',
      'a',
      'a2',
      'b',
    ])
    expect(codes({ values: {}, order }, [item('first'), item('a'), item('c')])).toEqual(['first', 'c', 'a'])
  })

  it('are remembered only where they differ from the release', () => {
    const base = item('a', { color: 'red' })
    expect(changeTo(base, base, { label: { zh: '旧' } })).toBeUndefined()
    expect(changeTo(base, { label: { zh: '新', en: 'a en' }, color: 'red' }, undefined)).toEqual({ label: { zh: '新' } })
    expect(changeTo(base, { ...base, color: undefined }, undefined)).toEqual({ color: null })
    expect(changeTo(base, { ...base, retired: true }, undefined)).toEqual({ retired: true })
  })

  it('outlive a release that renames a value: what the administrator did not change follows the release', () => {
    const changes: DictionaryChanges = { values: { a: { label: { zh: '我们的' } } }, order: [] }
    const next = [item('a', { label: { zh: '新版', en: 'new' }, color: 'green' })]
    expect(mergeItems(next, changes)[0]).toMatchObject({ label: { zh: '我们的', en: 'new' }, color: 'green' })
  })

  it('let the release have a value that an administrator had added before', () => {
    const changes: DictionaryChanges = { values: { d: { item: item('d'), origin: 'added' } }, order: [] }
    expect(mergeItems([...released, item('d')], changes).filter(({ code }) => code === 'd')).toMatchObject([
      { origin: 'released' },
    ])
  })
})

describe('A release that gives up a value', () => {
  const next = [item('a'), item('c')]
  it('keeps it as retired while rows hold it, with the words that an administrator gave it', () => {
    const before: DictionaryChanges = { values: { b: { label: { en: 'Ours' } } }, order: ['b', 'a', 'c'] }
    const kept = keepChanges(released, next, before, (code) => code === 'b')
    expect(mergeItems(next, kept)[0]).toMatchObject({
      code: 'b',
      label: { zh: 'b中', en: 'Ours' },
      retired: true,
      origin: 'kept',
    })
  })
  it('lets it go when nothing holds it', () => {
    expect(keepChanges(released, next, NO_CHANGES, () => false)).toBe(NO_CHANGES)
    expect(codes(NO_CHANGES, next)).toEqual(['a', 'c'])
  })
  it('takes it back when a later release has it again', () => {
    const kept = keepChanges(released, next, NO_CHANGES, () => true)
    expect(mergeItems(released, kept).find(({ code }) => code === 'b')).toMatchObject({ origin: 'released' })
  })
})
