import { eventOf, SAVE_EVENTS, type Listener } from '../effect/weave'
import type { TemplateDocument } from '../generated/template'
import type { Checker } from './checker'
import { effectCyclesThrough } from './effectCycles'
import { RuleCheck } from './rules'

/** What a template says, read in the entity whose effects name it. */
export function checkTemplate(checker: Checker, { entity: name, title, text, link, list, dueAt, kind }: TemplateDocument): void {
  checker.entity(name, '/entity')
  checker.code('todoKind', kind, '/kind', 'field-kind-mismatch')
  const entity = checker.catalog.entities.get(name)
  if (entity) new RuleCheck(checker, entity).said({ title, text, link, list, dueAt })
}

/** The event of a listener, and its effects, which are those of its own module. */
export function checkListener(checker: Checker, listener: Listener): void {
  const { module, document } = listener
  const { entity: name, event } = eventOf(document)
  checker.entity(name, '/on')
  const entity = checker.catalog.entities.get(name)
  if (!entity) return
  const transitions = (entity['x-states'] ?? []).flatMap((machine) => machine.transitions.map(({ id }) => id))
  const known = [...transitions, ...SAVE_EVENTS]
  if (!known.includes(event))
    checker.add(
      'unknown-transition',
      '/on',
      { zh: `“${name}”没有流转“${event}”。`, en: `"${name}" has no transition "${event}".` },
      { value: event, known },
    )
  new RuleCheck(checker, entity, undefined, module).effects(
    document.effects,
    '/effects',
    transitions.includes(event) ? 'transition' : 'rule',
  )
  effectCyclesThrough(checker, listener)
}
