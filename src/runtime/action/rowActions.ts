import type { ActionModel, Scope } from '../../schema/model'

/** The edit button that a page has without naming it. */
export const EDIT = '$edit'

/** An action as it stands for one row or record: visible, and either possible or not for a reason. */
export interface OfferedAction {
  action: ActionModel
  /** Null when it can be done. */
  disabledBecause: string | null
  /** Address of a page that it opens, so that it can be a real link. */
  address: string | null
}

/**
 * The actions that a scope offers. An action whose condition fails to evaluate is offered disabled with that reason, because a
 * vanished button explains nothing.
 */
export const offeredActions = (
  actions: readonly ActionModel[],
  scope: Scope,
  failed: (error: unknown, action: ActionModel) => string,
): OfferedAction[] =>
  actions.flatMap((action) => {
    try {
      if (!action.visible(scope)) return []
      const disabledBecause = action.disabledBecause(scope)
      const { effect } = action
      const link = effect.type === 'open' && !effect.newWindow && !effect.beside && disabledBecause === null && !action.confirm
      return [{ action, disabledBecause, address: link ? effect.address(scope) : null }]
    } catch (error) {
      return [{ action, disabledBecause: failed(error, action), address: null }]
    }
  })
