import type { People } from '../../../src/schema/generated/entity'
import type { Text } from '../../platform/http'
import { closeOwnTodos, closeTodos, giveWay, notify, type Todo } from '../../todos'
import type { EntityRecord } from '../calls'
import { writeLog } from '../write/audit'
import { changeRecords } from '../write/finishMany'
import { createRecords } from '../write/createRecords'
import { moveRecords } from '../write/moveRecords'
import { trusted } from './cause'
import { peopleOf, staffOf } from './people'
import { evaluateText, subjectOf } from './subject'
import { fieldValues } from './values'
import type { CoreVerb as Verb } from '../core'
import type { EffectRun } from '../types'

const set: Verb = async ({ core, tx, context, model, target, effect }, runs) => {
  if (!target) {
    for (const { subject, with: values } of runs) Object.assign(subject.record, fieldValues(model, values, effect.id))
    return
  }
  const changes = new Map<EntityRecord, EntityRecord>()
  for (const { target: row, with: values } of runs)
    if (row) changes.set(row, { ...changes.get(row), ...fieldValues(target, values, effect.id) })
  await changeRecords({ core, tx, context: trusted(context), model: target }, changes)
}

const create: Verb = async ({ core, tx, context, effect }, runs) => {
  const model = core.registry.model(String(effect.with.entity))
  const values = runs.map((run) => fieldValues(model, run.with.values as EntityRecord, effect.id))
  return createRecords({ core, tx, context: trusted(context), model }, values)
}

const transition: Verb = async ({ core, tx, context, target, effect }, runs) => {
  if (!target) throw new Error(`The effect "${effect.id}" takes nothing through a transition: it says no "on".`)
  const within = { core, tx, context: trusted(context), model: target }
  const byTarget = new Map<EntityRecord, EffectRun>()
  for (const run of runs) if (run.target && !byTarget.has(run.target)) byTarget.set(run.target, run)
  const named = { transition: String(effect.with.transition), field: effect.with.field as string | undefined }
  const valuesOf = (row: EntityRecord): EntityRecord => (byTarget.get(row)?.with.values ?? {}) as EntityRecord
  const { whenRefused } = effect
  const { refused } = await moveRecords(within, [...byTarget.keys()], {
    ...named,
    values: valuesOf,
    ownSavepoint: whenRefused !== undefined,
  })
  const [first] = refused.values()
  if (!first || whenRefused === 'skip') return
  if (!whenRefused || (whenRefused.unlessAll && refused.size === byTarget.size)) throw first.error
  const other = await moveRecords(within, [...refused.keys()], {
    transition: whenRefused.transition,
    values: (row) => {
      const { id, error } = refused.get(row)!
      const refusal = { id, message: error.messageIn(context.locale) }
      return byTarget.get(row)!.evaluate(whenRefused.values ?? {}, { refusal }) as EntityRecord
    },
  })
  const [still] = other.refused.values()
  if (still) throw still.error
}

/** Equal messages to one person beyond this are one. */
const MOST_EQUAL = 20
/** A key of a to-do is no longer. */
const LONGEST_KEY = 160

const notifyPeople: Verb = async (place, runs) => {
  const { tx, context, effect, target } = place
  const about = { ...place, model: target ?? place.model }
  const given = effect.with as {
    to: People
    title: Text
    kind?: string
    closes?: 'withState' | 'byPerson'
    separately?: boolean
    instead?: boolean
  }
  const subjects = runs.map((run) => (run.target ? subjectOf(run.target) : run.subject))
  const meant = await peopleOf(about, subjects, given.to)
  const people = await staffOf(
    tx,
    context.now,
    subjects.map((subject) => meant.get(subject)!),
  )
  const state = about.model.machines[0]?.field
  const todos = runs.flatMap(({ subject, with: values, scope }, index) => {
    const { record } = subjects[index]!
    const ids = [...new Set([subject.record.id, record.id].map(String))]
    const said = values.once === undefined ? context.now.toISOString() : String(values.once)
    const title = evaluateText(place, given.title, scope)
    return [...people[index]!].map((staffId): Todo => ({
      staffId,
      kind: given.kind ?? 'notice',
      title,
      subject: { entity: about.model.name, id: String(record.id) },
      ...(typeof values.link === 'string' ? { link: values.link } : {}),
      ...(typeof values.dueAt === 'string' ? { dueAt: values.dueAt } : {}),
      ...(given.closes === 'withState' && state !== undefined ? { whileState: String(record[state]) } : {}),
      key: `${effect.id}/${ids.join('/')}/${staffId}/${said}`.slice(0, LONGEST_KEY),
    }))
  })
  const messages = given.separately ? todos : gathered(todos)
  if (given.instead) await giveWay(tx, messages, context.now)
  await notify(tx, messages, context.now)
}

/** Of many messages alike to one person, one that says how many. */
function gathered(todos: readonly Todo[]): Todo[] {
  const byPerson = new Map<string, Todo[]>()
  for (const todo of todos) byPerson.set(todo.staffId, [...(byPerson.get(todo.staffId) ?? []), todo])
  return [...byPerson.values()].flatMap((some) => {
    const [first] = some
    if (!first || some.length <= MOST_EQUAL) return some
    const others = some.length - 1
    return [{ ...first, title: { zh: `${first.title.zh}（另有 ${others} 条）`, en: `${first.title.en} (and ${others} more)` } }]
  })
}

const closeOpen: Verb = async (place, runs) => {
  const { tx, context, now, model, target, effect } = place
  const given = effect.with as { of?: People; kinds?: string[]; as?: 'done' | 'dropped' }
  const how = { as: given.as ?? 'done', kinds: given.kinds, now }
  const ids = runs.map((run) => String((run.target ?? run.subject.record).id))
  const about = { entity: (target ?? model).name, ids: [...new Set(ids)] }
  if (!given.of) return void (await closeTodos(tx, about, how))
  const subjects = runs.map(({ subject }) => subject)
  const meant = await peopleOf(place, subjects, given.of)
  const people = await staffOf(
    tx,
    context.now,
    subjects.map((subject) => meant.get(subject)!),
  )
  const own = ids.flatMap((id, index) => [...people[index]!].map((staffId) => ({ id, staffId })))
  await closeOwnTodos(tx, about.entity, own, how)
}

const log: Verb = async ({ core, tx, context, model, target }, runs) => {
  const entries = runs.map((run) => ({ record: run.target ?? run.subject.record, text: String(run.with.text) }))
  await writeLog(core.registry, tx, context, target ?? model, entries)
}

/** What the engine does for the verbs that every entity has. */
export const ENGINE_VERBS: Readonly<Record<string, Verb>> = {
  set,
  create,
  transition,
  notify: notifyPeople,
  close: closeOpen,
  log,
}
