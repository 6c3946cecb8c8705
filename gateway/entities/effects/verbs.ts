import type { People } from '../../../src/schema/generated/entity'
import type { Text } from '../../platform/http'
import { gathered, giveWay, remind, send, closeTodos, closeOwnTodos, type Notice } from '../../todos'
import type { EntityRecord } from '../calls'
import { writeLog } from '../write/audit'
import { changeRecords } from '../write/finishMany'
import { createRecords } from '../write/createRecords'
import { moveRecords } from '../write/moveRecords'
import { trusted } from './cause'
import { peopleOf, staffOf } from './people'
import { plainTexts } from './plain'
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

/** A key of a to-do is no longer. */
const LONGEST_KEY = 160

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const notifyPeople: Verb = async (hook, runs) => {
  const { tx, context, effect, target } = hook
  const about = { ...hook, model: target ?? hook.model }
  const given = effect.with as {
    to: People
    title: Text
    text?: Text
    type?: string
    kind?: string
    todo?: boolean
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
  const plain = await plainTexts(hook, runs, { title: given.title, ...(given.text ? { text: given.text } : {}) })
  const notices = runs.flatMap(({ subject, with: values, scope }, index) => {
    const { record } = subjects[index]!
    const ids = [...new Set([subject.record.id, record.id].map(String))]
    const said = values.once === undefined ? context.now.toISOString() : String(values.once)
    const of = (name: 'link' | 'list' | 'dueAt'): object => (textOf(values[name]) === undefined ? {} : { [name]: values[name] })
    const notice = {
      todo: given.todo ?? true,
      kind: given.kind ?? 'notice',
      ...(given.type === undefined ? {} : { type: given.type }),
      title: evaluateText(hook, given.title, scope),
      ...(given.text ? { text: evaluateText(hook, given.text, scope) } : {}),
      plain: plain[index]!,
      senderId: context.user.staffId,
      subject: { entity: about.model.name, id: String(record.id) },
      ...of('link'),
      ...of('list'),
      ...of('dueAt'),
      ...(given.closes === 'withState' && state !== undefined ? { whileState: String(record[state]) } : {}),
    }
    return [...people[index]!].map((staffId): Notice => ({
      ...notice,
      staffId,
      key: `${effect.id}/${ids.join('/')}/${staffId}/${said}`.slice(0, LONGEST_KEY),
    }))
  })
  await send(tx, notices, context.now)
  const todos = given.separately ? notices : gathered(notices)
  if (given.instead) await giveWay(tx, todos, context.now)
  await remind(tx, todos, context.now)
}

const closeOpen: Verb = async (hook, runs) => {
  const { tx, context, now, model, target, effect } = hook
  const given = effect.with as { of?: People; kinds?: string[]; as?: 'done' | 'dropped' }
  const how = { as: given.as ?? 'done', kinds: given.kinds, now }
  const ids = runs.map((run) => String((run.target ?? run.subject.record).id))
  const about = { entity: (target ?? model).name, ids: [...new Set(ids)] }
  if (!given.of) return void (await closeTodos(tx, about, how))
  const subjects = runs.map(({ subject }) => subject)
  const meant = await peopleOf(hook, subjects, given.of)
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
