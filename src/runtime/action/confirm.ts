import type { ActionModel } from '../../schema/model'
import { aboutWhat, type ActionTarget } from './target'
import { actionTexts } from './texts'

/** Asks what the action's own confirmation, the transition or a deletion has to ask; true when it may go on. */
export const confirmed = async (action: ActionModel, target: ActionTarget, count: number): Promise<boolean> => {
  const { host } = target
  const texts = actionTexts[host.locale]
  const { effect } = action
  const own = action.confirm?.(target.scope)
  const remove = effect.type === 'operation' && effect.operation === 'delete'
  const danger = action.danger || remove || (effect.type === 'transition' && effect.transition.danger)
  const ask = (title: string, content?: string, phrase?: string): Promise<boolean> =>
    host.confirm({ title, danger, okText: action.label, ...(content ? { content } : {}), ...(phrase ? { phrase } : {}) })
  // A dialog that asks for fields is a confirmation by itself.
  if (effect.type === 'transition' && effect.transition.fields.length > 0 && !own?.phrase) return true
  if (own) return ask(own.title, own.content ?? (target.amount === 'none' ? undefined : aboutWhat(target, count)), own.phrase)
  if (remove)
    return ask(
      target.amount === 'many' ? texts.deleteMany(count) : texts.deleteTitle(aboutWhat(target, count)),
      texts.deleteContent,
    )
  if (effect.type === 'transition' && (effect.transition.confirm || danger))
    return ask(texts.runTitle(action.label, aboutWhat(target, count)), effect.transition.confirm)
  return true
}
