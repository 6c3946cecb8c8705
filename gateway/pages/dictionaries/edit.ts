import type { DictionaryDocument, DictionaryItem } from '../../../src/schema/generated/dictionary'
import type { BilingualText } from '../../../src/schema/problem'
import { ServiceError, type Locale } from '../../platform/http'
import { changeTo, mergeItems, type DictionaryChanges, type EffectiveItem, type ValueChange } from './merge'
import type { FieldUsage } from './usage'

/** A value as an administrator wants it. */
export interface WantedValue {
  code: string
  label: { zh: string; en: string }
  color: string | null
}
const MOST_VALUES = 500

/** The changes with a value added. @throws ServiceError 10010005 on the field that is wrong. */
export function withAdded(
  document: DictionaryDocument,
  changes: DictionaryChanges,
  value: WantedValue,
  locale: Locale,
): DictionaryChanges {
  const items = mergeItems(document.items, changes)
  const problems = wordProblems(items, value)
  if (items.length >= MOST_VALUES)
    problems.push({
      field: 'code',
      message: { zh: `一个字典最多 ${MOST_VALUES} 个值。`, en: `A dictionary holds at most ${MOST_VALUES} values.` },
    })
  const same = items.find(({ code }) => code.toLowerCase() === value.code.toLowerCase())
  if (same)
    problems.push({
      field: 'code',
      message: {
        zh: `编码“${same.code}”已用于“${same.label.zh}”${same.retired ? '（已停用，可恢复）' : ''}，请换一个。`,
        en: `The code "${same.code}" belongs to "${same.label.en}"${same.retired ? ' (retired; it can be brought back)' : ''}. Choose another.`,
      },
    })
  refuse(problems, locale)
  const item: DictionaryItem = { code: value.code, label: value.label, ...(value.color ? { color: value.color } : {}) }
  return {
    ...withValue(changes, value.code, { item, origin: 'added' }),
    order: changes.order.length > 0 ? [...changes.order, value.code] : [],
  }
}

/** The changes with the words and the colour of a value. @throws ServiceError 10010005 on the field that is wrong. */
export function withWords(
  document: DictionaryDocument,
  changes: DictionaryChanges,
  value: WantedValue,
  locale: Locale,
): DictionaryChanges {
  const items = mergeItems(document.items, changes)
  const item = itemOf(items, value.code)
  refuse(
    wordProblems(
      items.filter(({ code }) => code !== value.code),
      value,
    ),
    locale,
  )
  return withItem(document, changes, { ...item, label: value.label, color: value.color ?? undefined })
}

/** The changes with a value retired or offered again. @throws ServiceError 10030002 with the reason. */
export function withRetired(
  document: DictionaryDocument,
  changes: DictionaryChanges,
  { code, retired, neededBy }: { code: string; retired: boolean; neededBy: readonly BilingualText[] },
): DictionaryChanges {
  const items = mergeItems(document.items, changes)
  const item = itemOf(items, code)
  if (retired && item.fixed)
    throw limit('fixed', {
      zh: `程序依赖“${item.label.zh}”，只能改名和换颜色，不能停用。`,
      en: `The portal itself depends on "${item.label.en}": it can be renamed and recoloured, not retired.`,
    })
  if (retired && neededBy.length > 0)
    throw limit('needed', {
      zh: `“${item.label.zh}”是${neededBy.map(({ zh }) => zh).join('、')}的默认值或状态，不能停用。`,
      en: `"${item.label.en}" is the default or a state of ${neededBy.map(({ en }) => en).join(', ')}; it cannot be retired.`,
    })
  if (retired && items.every((each) => each.code === code || each.retired))
    throw limit('last', {
      zh: `“${item.label.zh}”是最后一个可选的值，请先新增或恢复其他值。`,
      en: `"${item.label.en}" is the last value that can be chosen. Add or bring back another one first.`,
    })
  return withItem(document, changes, { ...item, retired })
}

/** The changes without a value that was added here. @throws ServiceError 10030002 while rows hold it, with the count and the places. */
export function withoutValue(
  document: DictionaryDocument,
  changes: DictionaryChanges,
  code: string,
  usages: readonly FieldUsage[],
): DictionaryChanges {
  const item = itemOf(mergeItems(document.items, changes), code)
  if (item.origin === 'released')
    throw limit('released', {
      zh: `“${item.label.zh}”随版本发布，不能删除，可以停用。`,
      en: `"${item.label.en}" came with the release. It cannot be removed; retire it instead.`,
    })
  const rows = usages.reduce((sum, { count }) => sum + count, 0)
  if (rows > 0)
    throw limit(
      'used',
      {
        zh: `“${item.label.zh}”正被 ${rows} 条记录使用（${usages.map(({ title, count }) => `${title.zh} ${count} 条`).join('，')}），不能删除，可以停用。`,
        en: `"${item.label.en}" is held by ${rows} ${rows === 1 ? 'record' : 'records'} (${usages.map(({ title, count }) => `${title.en}: ${count}`).join(', ')}). It cannot be removed; retire it instead.`,
      },
      usages,
    )
  return {
    values: Object.fromEntries(Object.entries(changes.values).filter(([name]) => name !== code)),
    order: changes.order.filter((name) => name !== code),
  }
}

/** The changes with the values in another order. @throws ServiceError 10010005 unless the codes are exactly those of the dictionary. */
export function withOrder(
  document: DictionaryDocument,
  changes: DictionaryChanges,
  codes: readonly string[],
  locale: Locale,
): DictionaryChanges {
  const known = new Set(mergeItems(document.items, changes).map(({ code }) => code))
  if (codes.length !== known.size || new Set(codes).size !== codes.length || !codes.every((code) => known.has(code)))
    refuse(
      [
        {
          field: 'codes',
          message: {
            zh: '排序必须包含字典的全部值，请刷新后重试。',
            en: 'The order has to name every value of the dictionary. Reload and try again.',
          },
        },
      ],
      locale,
    )
  return { ...changes, order: [...codes] }
}

function withItem(document: DictionaryDocument, changes: DictionaryChanges, wanted: DictionaryItem): DictionaryChanges {
  const released = document.items.find(({ code }) => code === wanted.code)
  const before = Object.hasOwn(changes.values, wanted.code) ? changes.values[wanted.code] : undefined
  return withValue(changes, wanted.code, changeTo(released, wanted, before))
}

function withValue(changes: DictionaryChanges, code: string, change: ValueChange | undefined): DictionaryChanges {
  const values = Object.fromEntries(Object.entries(changes.values).filter(([name]) => name !== code))
  return { ...changes, values: change ? { ...values, [code]: change } : values }
}

function itemOf(items: readonly EffectiveItem[], code: string): EffectiveItem {
  const item = items.find((each) => each.code === code)
  if (!item)
    throw new ServiceError('notFound', {
      message: { zh: `字典没有值“${code}”，请刷新。`, en: `The dictionary has no value "${code}". Reload the page.` },
    })
  return item
}

/** Imports find a value by its word in either language: no word may stand for two values that can be chosen. */
function wordProblems(others: readonly EffectiveItem[], { label }: WantedValue): { field: string; message: BilingualText }[] {
  return (['zh', 'en'] as const).flatMap((locale) => {
    const same = others.find((item) => !item.retired && item.label[locale].trim().toLowerCase() === label[locale].toLowerCase())
    return same
      ? [
          {
            field: locale,
            message: {
              zh: `名称“${same.label[locale]}”已用于“${same.code}”，请换一个。`,
              en: `"${same.label[locale]}" is the name of "${same.code}" already. Choose another.`,
            },
          },
        ]
      : []
  })
}

function refuse(problems: readonly { field: string; message: BilingualText }[], locale: Locale): void {
  if (problems.length > 0)
    throw new ServiceError('validationFailed', {
      data: { errors: problems.map(({ field, message }) => ({ field, message: message[locale], rule: 'dictionary' })) },
    })
}

const limit = (reason: string, message: BilingualText, usages: readonly FieldUsage[] = []): ServiceError =>
  new ServiceError('limitRefused', { message, data: { reason, places: usages } })
