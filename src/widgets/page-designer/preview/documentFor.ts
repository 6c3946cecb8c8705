import { applyChanges, type JsonObject } from '../../../schema/overlay'
import type { TargetState, Viewer } from '../types'

/**
 * The page as somebody gets it: what is being edited, with the released variants of his roles laid on it. While the variant of
 * one role is edited, somebody without that role sees nothing of it.
 */
export const documentFor = (
  viewer: Viewer,
  { role, base }: Pick<TargetState, 'role' | 'base'>,
  edited: JsonObject,
): JsonObject => {
  const own = role === null || viewer.roles.includes(role)
  const start = own || base === null ? edited : (base as unknown as JsonObject)
  return viewer.variants
    .filter((variant) => variant.role !== role)
    .reduce((document, { changes }) => applyChanges(document, changes).document, start)
}
