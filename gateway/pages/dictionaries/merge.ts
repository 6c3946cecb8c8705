import type { DictionaryDocument, DictionaryItem } from '../../../src/schema/generated/dictionary'

/** What administrators changed in one value of a released dictionary. What is absent is as released. */
export interface ValueChange {
  label?: { zh?: string; en?: string }
  /** `null`: without a colour. */
  color?: string | null
  retired?: boolean
  /** The whole value, when the release has none: added here, or kept because rows held it when a release gave it up. */
  item?: DictionaryItem
  origin?: 'added' | 'kept'
}

/** The changes over one released dictionary, by code, and the order of the codes when it was changed. */
export interface DictionaryChanges {
  values: Readonly<Record<string, ValueChange>>
  order: readonly string[]
}

export const NO_CHANGES: DictionaryChanges = { values: {}, order: [] }

export interface EffectiveItem extends DictionaryItem {
  /** released: from the files; added: by an administrator; kept: given up by a release while rows held it. */
  origin: 'released' | 'added' | 'kept'
  /** Differs from the release in words, colour or being offered. */
  changed: boolean
}

/** Lays changes over the released values. Pure: no changes, the released values in their order. */
export function mergeItems(released: readonly DictionaryItem[], changes: DictionaryChanges): EffectiveItem[] {
  const known = new Set(released.map(({ code }) => code))
  const natural = [
    ...released.map((item) =>
      effective(item, 'released', Object.hasOwn(changes.values, item.code) ? changes.values[item.code] : undefined),
    ),
    ...Object.entries(changes.values).flatMap(([code, change]) =>
      change.item && !known.has(code) ? [effective(change.item, change.origin ?? 'added', change)] : [],
    ),
  ]
  return ordered(natural, changes.order)
}

/** The document that forms, filters, imports and checks see. */
export function mergeDictionary(released: DictionaryDocument, changes: DictionaryChanges): DictionaryDocument {
  const items = mergeItems(released.items, changes).map(({ origin: _origin, changed: _changed, ...item }) => item)
  const [first, ...rest] = items
  return first ? { ...released, items: [first, ...rest] } : released
}

/** What a value's change has to be so that it looks as wanted; undefined when that is what the release says. */
export function changeTo(
  released: DictionaryItem | undefined,
  wanted: Pick<DictionaryItem, 'label' | 'color' | 'retired'>,
  before: ValueChange | undefined,
): ValueChange | undefined {
  const base = released ?? before?.item
  if (!base) return undefined
  const label = {
    ...(wanted.label.zh === base.label.zh ? {} : { zh: wanted.label.zh }),
    ...(wanted.label.en === base.label.en ? {} : { en: wanted.label.en }),
  }
  const change: ValueChange = {
    ...(Object.keys(label).length > 0 ? { label } : {}),
    ...((wanted.color ?? null) === (base.color ?? null) ? {} : { color: wanted.color ?? null }),
    ...((wanted.retired ?? false) === (base.retired ?? false) ? {} : { retired: wanted.retired ?? false }),
    ...(before?.item ? { item: before.item, origin: before.origin ?? 'added' } : {}),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

/**
 * Changes for a new release: a value that it gives up stays, retired, when rows hold it (`inUse`); everything else of the
 * administrators stays as it is.
 */
export function keepChanges(
  before: readonly DictionaryItem[],
  released: readonly DictionaryItem[],
  changes: DictionaryChanges,
  inUse: (code: string) => boolean,
): DictionaryChanges {
  const now = new Set(released.map(({ code }) => code))
  const kept = before.filter(({ code }) => !now.has(code) && inUse(code))
  if (kept.length === 0) return changes
  const values = { ...changes.values }
  for (const item of kept) values[item.code] = { ...values[item.code], item, origin: 'kept', retired: true }
  return { ...changes, values }
}

function effective(base: DictionaryItem, origin: EffectiveItem['origin'], change: ValueChange | undefined): EffectiveItem {
  const { color: baseColor, retired: baseRetired, ...rest } = base
  const color = change?.color === undefined ? baseColor : (change.color ?? undefined)
  const retired = change?.retired ?? baseRetired ?? false
  return {
    ...rest,
    label: { ...base.label, ...change?.label },
    ...(color === undefined ? {} : { color }),
    ...(retired ? { retired } : {}),
    origin,
    changed: change?.label !== undefined || change?.color !== undefined || change?.retired !== undefined,
  }
}

/** A value that the order does not name (new in a release) stands behind the one that it follows in the release. */
function ordered(natural: readonly EffectiveItem[], order: readonly string[]): EffectiveItem[] {
  if (order.length === 0) return [...natural]
  const byCode = new Map(natural.map((item) => [item.code, item]))
  const codes = [...new Set(order)].filter((code) => byCode.has(code))
  natural.forEach(({ code }, position) => {
    if (codes.includes(code)) return
    const before = natural[position - 1]?.code
    codes.splice(before === undefined ? 0 : codes.indexOf(before) + 1, 0, code)
  })
  return codes.flatMap((code) => byCode.get(code) ?? [])
}
