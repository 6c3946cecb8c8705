import { pointer } from '../diagnosis'
import type { Action } from '../generated/page'
import type { ActionEffect, ActionModel, CallModel, Evaluate, Scope } from '../model'
import type { BilingualText } from '../problem'
import type { EntityReader, Operation } from './entityReader'
import type { Workspace } from './workspace'

/** Where actions stand: what they read, and which entity they act on. */
export interface ActionScope {
  roots: readonly string[]
  entity?: EntityReader
  /** What they act on, by its name in expressions: the record of a detail page, a row of a list, or its selected rows. */
  about?: 'record' | 'row' | 'rows'
  /** The page names the form that edits its record. */
  editForm?: boolean
}

const OPERATIONS: Readonly<Record<Operation, { label: BilingualText; icon: string }>> = {
  add: { label: { zh: '新增', en: 'Add' }, icon: 'plus' },
  edit: { label: { zh: '编辑', en: 'Edit' }, icon: 'edit' },
  delete: { label: { zh: '删除', en: 'Delete' }, icon: 'delete' },
  restore: { label: { zh: '恢复', en: 'Restore' }, icon: 'undo' },
  export: { label: { zh: '导出', en: 'Export' }, icon: 'export' },
  import: { label: { zh: '导入', en: 'Import' }, icon: 'import' },
}

/** The words that say what an action does; exactly one of them is given. */
export const EFFECT_WORDS = ['open', 'form', 'transition', 'call', 'operation', 'copy', 'download'] as const

/** `POST /v2/crm/customer/save` in its two parts. */
export const parseCall = (text: string): CallModel => {
  const [method = 'GET', path = ''] = text.split(' ', 2)
  return { method: method as CallModel['method'], path }
}

const DELETE_CONFIRM: BilingualText = { zh: '确定删除吗？', en: 'Delete this?' }
const NOT_NOW: BilingualText = { zh: '现在不能执行', en: 'Not possible now' }

/** The actions that the viewer may see. */
export const compileActions = (
  work: Workspace,
  actions: readonly Action[] | undefined,
  at: string,
  scope: ActionScope,
): ActionModel[] => work.blocks(actions, at, (action, here) => compileAction(work, action, here, scope))

/** An action that says nothing but its id is the transition of that id. */
const completed = (action: Action, { entity }: ActionScope): Action =>
  EFFECT_WORDS.every((word) => action[word] === undefined) && entity?.hasTransition(action.id)
    ? { ...action, transition: action.id }
    : action

function compileAction(work: Workspace, written: Action, at: string, scope: ActionScope): ActionModel | undefined {
  const action = completed(written, scope)
  const given = EFFECT_WORDS.filter((word) => action[word] !== undefined)
  if (given.length !== 1) {
    return work.refuse('ambiguous-action', at, {
      zh: `操作“${action.id}”须恰好有一个效果（${EFFECT_WORDS.join('、')}），现在有 ${given.length} 个。`,
      en: `The action "${action.id}" needs exactly one effect (${EFFECT_WORDS.join(', ')}); it has ${given.length}.`,
    })
  }
  if (!mayUse(work, action, at, scope)) return undefined
  const { effect, label, icon, success, danger, confirmTitle } = compileEffect(work, action, at, scope)
  const disabled =
    action.disabled === undefined ? undefined : work.condition(action.disabled, pointer(at, 'disabled'), scope.roots)
  // Of several records the number is told instead.
  const told = action.success ?? (scope.about === 'rows' ? undefined : success)
  // one that says itself what it does is still called by what its id stands for
  const named = Object.hasOwn(OPERATIONS, action.id) ? OPERATIONS[action.id as Operation] : undefined
  const confirm = compileConfirm(work, action, at, scope, confirmTitle)
  return {
    id: action.id,
    label: work.text(action.label ?? label ?? named?.label ?? { zh: action.id, en: action.id }),
    ...((action.icon ?? icon) === undefined ? {} : { icon: action.icon ?? icon }),
    primary: action.primary ?? false,
    danger: action.danger ?? danger,
    ...compileVisible(work, action, at, scope, effect),
    disabledBecause: disabledBecause(
      action.id,
      disabled,
      work.textual(work.text(action.disabledReason ?? NOT_NOW), pointer(at, 'disabledReason'), scope.roots),
      effect,
    ),
    ...(confirm ? { confirm } : {}),
    effect,
    ...(told ? { success: work.text(told) } : {}),
    after: action.after ?? afterOf(effect, scope),
    source: work.source(at),
  }
}

function mayUse(work: Workspace, action: Action, at: string, { entity }: ActionScope): boolean {
  if (!work.allowed(action.permission)) return false
  if (action.transition !== undefined) return work.allowed(entity?.transitionPermission(action.transition))
  if (action.operation === undefined || !entity) return true
  if (!entity.offers(action.operation)) {
    work.refuse('unknown-action', pointer(at, 'operation'), {
      zh: `实体“${entity.name}”不提供“${action.operation}”：它的 x-permissions 里没有这一项。`,
      en: `The entity "${entity.name}" does not offer "${action.operation}": its x-permissions has no key for it.`,
    })
  }
  return entity.may(action.operation)
}

interface CompiledEffect {
  effect: ActionEffect
  label?: BilingualText
  icon?: string
  success?: BilingualText
  danger: boolean
  /** The question that is asked when the action itself asks none. */
  confirmTitle?: BilingualText
}

function compileEffect(work: Workspace, action: Action, at: string, { roots, entity, editForm }: ActionScope): CompiledEffect {
  const values = () => work.parameters(action.values, pointer(at, 'values'), roots)
  if (action.open !== undefined) {
    const address = work.address(action.open, pointer(at, 'open'), roots)
    const beside = action.container === 'drawer' ? { beside: true as const } : {}
    return { effect: { type: 'open', address, newWindow: action.newWindow ?? false, ...beside }, danger: false }
  }
  if (action.form !== undefined) {
    return {
      effect: { type: 'form', page: action.form, container: action.container ?? 'drawer', values: values() },
      danger: false,
    }
  }
  if (action.call !== undefined) {
    const params = work.parameters(action.params, pointer(at, 'params'), roots)
    return { effect: { type: 'call', call: parseCall(action.call), params }, danger: false }
  }
  if (action.copy !== undefined)
    return { effect: { type: 'copy', text: work.textual(action.copy, pointer(at, 'copy'), roots) }, danger: false }
  if (action.download !== undefined) {
    return { effect: { type: 'download', address: work.address(action.download, pointer(at, 'download'), roots) }, danger: false }
  }
  if (!entity) {
    return work.refuse('ambiguous-action', at, {
      zh: `操作“${action.id}”作用于实体，但本页没有实体。`,
      en: `The action "${action.id}" acts on an entity, but this page has none.`,
    })
  }
  if (action.transition !== undefined) {
    const transition = entity.transition(action.transition, pointer(at, 'transition'))
    const { label, icon, success, danger } = transition
    return {
      effect: { type: 'transition', entity: entity.name, transition, values: values() },
      label: { zh: label, en: label },
      ...(icon === undefined ? {} : { icon }),
      ...(success === undefined ? {} : { success: { zh: success, en: success } }),
      danger,
    }
  }
  const operation = action.operation as Operation
  if (operation === 'add' || (operation === 'edit' && !editForm)) {
    return work.refuse('unknown-page', pointer(at, 'operation'), {
      zh: `操作“${operation}”要打开表单，但本页没有说明是哪一个：请改写为 "form": "模块/页面" 或 "open": "/路由"。`,
      en: `The operation "${operation}" opens a form, but the page does not say which: write "form": "module/page" or "open": "/route" instead.`,
    })
  }
  const remove = operation === 'delete'
  return {
    effect: { type: 'operation', entity: entity.name, operation },
    ...OPERATIONS[operation],
    danger: remove,
    ...(remove ? { confirmTitle: DELETE_CONFIRM } : {}),
  }
}

function compileConfirm(
  work: Workspace,
  action: Action,
  at: string,
  { roots }: ActionScope,
  otherwise?: BilingualText,
): ActionModel['confirm'] {
  const title = action.confirm?.title ?? otherwise
  if (!title) return undefined
  const here = pointer(at, 'confirm')
  const { content, phrase } = action.confirm ?? {}
  const asked = {
    title: work.textual(work.text(title), pointer(here, 'title'), roots),
    content: content ? work.textual(work.text(content), pointer(here, 'content'), roots) : undefined,
    phrase: phrase === undefined ? undefined : work.textual(phrase, pointer(here, 'phrase'), roots),
  }
  return (scope) => ({
    title: asked.title(scope),
    ...(asked.content ? { content: asked.content(scope) } : {}),
    ...(asked.phrase ? { phrase: asked.phrase(scope) } : {}),
  })
}

/** The page's own condition, and for a transition what its entity says of states and people. */
function compileVisible(
  work: Workspace,
  action: Action,
  at: string,
  { about, entity, roots }: ActionScope,
  effect: ActionEffect,
): Pick<ActionModel, 'visible' | 'always'> {
  const own = work.condition(action.visible, pointer(at, 'visible'), roots)
  const closed = work.bundle.closedStarts ?? []
  if (effect.type === 'open' && closed.length > 0)
    return { visible: (scope: Scope) => own(scope) && !leadsInto(effect.address(scope), closed) }
  if (effect.type !== 'transition' || about === undefined || !entity)
    return { visible: own, ...(action.visible === undefined ? { always: true } : {}) }
  const offer = entity.offer(effect.transition.id)
  const offered = (scope: Scope): boolean => {
    const subject = scope[about]
    // Those that are selected and not loaded are unknown here.
    if (Array.isArray(subject)) return subject.length === 0 || subject.some((row) => offer(row, scope))
    return offer(subject, scope)
  }
  return { visible: (scope: Scope) => offered(scope) && own(scope) }
}

/** Whether an address is one of these, with whatever it fills in there. */
const leadsInto = (address: string, closed: readonly string[]): boolean =>
  closed.some((one) => address === one || (address.startsWith(one) && /[?&#]/.test(address.charAt(one.length))))

/** What the gateway said with the record that it would refuse (`$refused`). */
function refusedByRecord(id: string, effect: ActionEffect): Evaluate<string | null> | undefined {
  const deed = effect.type === 'operation' ? effect.operation : effect.type === 'form' || effect.type === 'open' ? id : undefined
  if (deed !== 'edit' && deed !== 'delete') return undefined
  return ({ row, record }) => {
    const about = (row ?? record) as { $refused?: Readonly<Record<string, string>> } | null | undefined
    return about?.$refused?.[deed] ?? null
  }
}

function disabledBecause(
  id: string,
  disabled: Evaluate<boolean> | undefined,
  reason: Evaluate<string>,
  effect: ActionEffect,
): Evaluate<string | null> {
  const refused = effect.type === 'transition' ? effect.transition.refusedBecause : refusedByRecord(id, effect)
  if (!disabled) return refused ?? (() => null)
  return (scope) => (disabled(scope) ? reason(scope) : (refused?.(scope) ?? null))
}

function afterOf(effect: ActionEffect, { about }: ActionScope): ActionModel['after'] {
  if (effect.type === 'open' || effect.type === 'copy' || effect.type === 'download') return 'none'
  if (effect.type !== 'operation') return 'reload'
  if (effect.operation === 'export') return 'none'
  // On a detail page a deleted record has nothing left to show.
  return about === 'record' && effect.operation === 'delete' ? 'back' : 'reload'
}
