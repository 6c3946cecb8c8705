import type { Effect, EntityDocument, Transition } from '../generated/entity'
import type { ListenerDocument } from '../generated/listener'
import type { TemplateDocument } from '../generated/template'

/** A listener with the module that it belongs to. */
export interface Listener {
  module: string
  document: ListenerDocument
}

/** What other documents add to what entities do. */
export interface Additions {
  templates: ReadonlyMap<string, TemplateDocument>
  /** In the order in which they act: of their modules, then of their ids. */
  listeners: readonly Listener[]
}

/** Words of plain saves and deletions that may be listened to, beside the transitions of an entity. */
export const SAVE_EVENTS = ['create', 'change', 'delete'] as const

/** What an event is called in the listener: `crm.customer.bar` is the transition `bar` of `crm.customer`. */
export function eventOf({ on }: ListenerDocument): { entity: string; event: string } {
  const dot = on.lastIndexOf('.')
  return { entity: on.slice(0, dot), event: on.slice(dot + 1) }
}

/**
 * An entity as the gateway acts on it: templates of its notices filled in, and after its own effects those of the listeners, with
 * ids that name them. The same object where nothing is added.
 */
export function weave(entity: EntityDocument, { templates, listeners }: Additions): EntityDocument {
  const heard = listeners.filter(({ document }) => eventOf(document).entity === entity.name)
  const added = (event: string): Effect[] =>
    heard
      .filter(({ document }) => eventOf(document).event === event)
      .flatMap(({ module, document: { id, effects } }) => effects.map((one) => ({ ...one, id: `${module}.${id}.${one.id}` })))
  const transitions = new Set((entity['x-states'] ?? []).flatMap((machine) => machine.transitions.map(({ id }) => id)))
  const withHeard = (transition: Transition): Transition => {
    const more = added(transition.id)
    return more.length === 0 ? transition : { ...transition, effects: [...(transition.effects ?? []), ...more] }
  }
  const saves = SAVE_EVENTS.filter((word) => !transitions.has(word) && added(word).length > 0)
  const woven: EntityDocument =
    heard.length === 0
      ? entity
      : {
          ...entity,
          ...(entity['x-states']
            ? {
                'x-states': entity['x-states'].map((machine) => ({
                  ...machine,
                  transitions: machine.transitions.map(withHeard),
                })),
              }
            : {}),
          ...(saves.length > 0
            ? {
                'x-effects': {
                  ...entity['x-effects'],
                  ...Object.fromEntries(saves.map((word) => [word, [...(entity['x-effects']?.[word] ?? []), ...added(word)]])),
                },
              }
            : {}),
        }
  return (fillIn(woven, templates) as EntityDocument | undefined) ?? woven
}

/** The value with every effect that names a template saying what the template says; undefined where none does. */
function fillIn(value: unknown, templates: Additions['templates']): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    const filled = value.map((item) => fillIn(item, templates))
    return filled.every((item) => item === undefined) ? undefined : value.map((item, index) => filled[index] ?? item)
  }
  if ('do' in value && value.do === 'notify' && 'with' in value) return notice(value as Effect, templates)
  const filled = Object.entries(value).flatMap(([key, item]) => {
    const changed = fillIn(item, templates)
    return changed === undefined ? [] : [[key, changed] as const]
  })
  return filled.length === 0 ? undefined : { ...value, ...Object.fromEntries(filled) }
}

function notice(effect: Effect, templates: Additions['templates']): Effect | undefined {
  const template = typeof effect.with.template === 'string' ? templates.get(effect.with.template) : undefined
  if (!template) return undefined
  const { $schema: _, formatVersion: _v, name: _n, entity: _e, ...said } = template
  return { ...effect, with: { ...said, ...effect.with } }
}
