import type { ActionModel, DetailModel } from '../../schema/model'
import { EDIT } from '../action'
import { detailTexts } from './texts'
import type { ViewAnswer } from './useRecord'

/** The page's actions as the gateway allows them for this record: what it refuses says why, what it forbids is not offered. */
export const offeredOn = (actions: readonly ActionModel[], { can, record }: ViewAnswer): readonly ActionModel[] =>
  actions.flatMap((action) => {
    const { effect } = action
    if (effect.type === 'operation' && effect.operation === 'delete' && can?.delete === false) return []
    if (effect.type === 'operation' && effect.operation === 'edit' && (can?.edit === false || record.$write === false)) return []
    if (effect.type !== 'transition') return [action]
    const refused = can?.transitions?.[effect.transition.id]
    if (typeof refused !== 'string') return [action]
    return [{ ...action, disabledBecause: (scope) => action.disabledBecause(scope) ?? refused }]
  })

/** The edit button of a page that names an edit form. */
export const editAction = (model: DetailModel): ActionModel => ({
  id: EDIT,
  label: detailTexts[model.locale].edit,
  icon: 'edit',
  primary: false,
  danger: false,
  visible: () => true,
  disabledBecause: () => null,
  effect: { type: 'operation', entity: model.entity, operation: 'edit' },
  after: 'reload',
  source: { where: model.source.where, at: '/editForm' },
})

/** The page names an edit form and offers no way of its own to it. */
export const needsEdit = (model: DetailModel): boolean =>
  model.editForm !== undefined &&
  !model.actions.some(({ id, effect }) => id === 'edit' || (effect.type === 'operation' && effect.operation === 'edit'))
