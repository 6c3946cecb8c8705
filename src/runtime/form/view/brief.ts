import { createContext, use } from 'react'
import type { FormPlan } from '../../../headless/form/types'
import type { FormModel } from '../../../schema/model'

/** The fields that are shown for now; null: all of them. */
const Brief = createContext<ReadonlySet<string> | null>(null)
export const BriefProvider = Brief.Provider

/** Fewer fields behind "more" are not worth a click. */
const LEAST_HIDDEN = 3

/**
 * What a new record is begun with: what its form says, and what the opener has not filled in already. Null where all of it stands: few fields
 * are left, or parts of it stand in tabs and steps of their own.
 */
export const briefOf = (
  { quick }: Pick<FormModel, 'quick'>,
  { items, blocks }: Pick<FormPlan, 'items' | 'blocks'>,
): ReadonlySet<string> | null => {
  if (!quick || blocks.some(({ type }) => type === 'formily')) return null
  const shown = new Set(quick.fields)
  const hidden = items.filter(({ path, node, field }) => !shown.has(path) && node.required !== true && field?.required !== true)
  return hidden.length < LEAST_HIDDEN ? null : shown
}

/** Whether a field stands behind "more" now. What has to be filled, and what is wrong, never does. */
export const useHidden = (path: string, needed: boolean): boolean => {
  const brief = use(Brief)
  return brief !== null && !needed && !brief.has(path)
}
