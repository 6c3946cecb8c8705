import { pointer } from '../diagnosis'
import { statesOf } from '../entity/deadlines'
import { namesAt } from '../entity/names'
import { fieldKind } from '../formats'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'

type Deadline = NonNullable<EntityDocument['x-deadlines']>[number]
type Fields = ReadonlyMap<string, EntityField>

/** What deadlines stand on and what they do. */
export function checkDeadlines(checker: Checker, entity: EntityDocument, fields: Fields): void {
  const deadlines = entity['x-deadlines'] ?? []
  checker.unique(
    deadlines.map(({ id }) => id),
    '/x-deadlines',
    'id',
  )
  deadlines.forEach((deadline, index) => {
    const at = pointer('/x-deadlines', index)
    checkMoment(checker, entity, deadline, at, fields)
    checkStates(checker, entity, deadline, at, fields)
    checkWork(checker, entity, deadline, at)
    deadline.where?.forEach((condition, row) => {
      const here = pointer(at, 'where', row)
      if (!checker.field(fields, condition.field, pointer(here, 'field'), entity.name)) return
      checker.expression(condition.value, pointer(here, 'value'), namesAt('limit', entity))
      const dictionary = fields.get(condition.field)?.['x-dictionary']
      if (dictionary !== undefined)
        for (const code of [condition.value].flat()) checker.code(dictionary, code, pointer(here, 'value'), 'field-kind-mismatch')
    })
  })
}

function checkMoment(checker: Checker, entity: EntityDocument, deadline: Deadline, at: string, fields: Fields): void {
  if (!checker.field(fields, deadline.at, pointer(at, 'at'), entity.name)) return
  const field = fields.get(deadline.at)
  const kind = field && fieldKind(field)
  if ((kind !== 'date' && kind !== 'dateTime') || field?.['x-derived']?.value !== undefined || field?.['x-virtual']) {
    wrong(checker, pointer(at, 'at'), {
      zh: `“${deadline.at}”不是存储的日期或时间，不能到期。`,
      en: `"${deadline.at}" is not a stored date or moment: nothing can be due by it.`,
    })
    return
  }
  if (deadline.recheck && field?.['x-derived']?.function === undefined)
    wrong(checker, pointer(at, 'recheck'), {
      zh: `“${deadline.at}”不是由函数得出的，无法重新计算。`,
      en: `No function says "${deadline.at}": there is nothing to work out anew.`,
    })
  if (deadline.why !== undefined) checker.field(fields, deadline.why, pointer(at, 'why'), entity.name)
  if (kind === 'dateTime' && deadline.time !== undefined)
    wrong(checker, pointer(at, 'time'), {
      zh: `“${deadline.at}”自带时间，不能再指定一天中的时间。`,
      en: `"${deadline.at}" has a time of its own: "time" is for dates.`,
    })
  if (kind !== 'date') return
  const spans = [
    [deadline.plus, pointer(at, 'plus')],
    ...remindersOf(deadline).map(({ before }, row) => [before, pointer(at, 'remind', row, 'before')]),
  ]
  for (const [span, here] of spans)
    if (span?.includes('T'))
      wrong(checker, here ?? at, {
        zh: `日期按天计算，“${span}”含有小时或分钟。`,
        en: `A date counts in days, and "${span}" has hours or minutes.`,
      })
}

function checkStates(checker: Checker, entity: EntityDocument, deadline: Deadline, at: string, fields: Fields): void {
  const machines = entity['x-states'] ?? []
  const names = new Map(machines.map(({ field }) => [field, true]))
  if (deadline.state !== undefined && !checker.field(names, deadline.state, pointer(at, 'state'), entity.name)) return
  const found = statesOf(entity, deadline)
  if (deadline.in !== undefined && !found) {
    wrong(checker, pointer(at, 'in'), {
      zh: '本实体没有状态机，不能按状态计算期限。',
      en: 'This entity has no states that a deadline could count in.',
    })
    return
  }
  const dictionary = found && fields.get(found.machine.field)?.['x-dictionary']
  if (dictionary !== null && dictionary !== undefined)
    deadline.in?.forEach((code, index) => checker.code(dictionary, code, pointer(at, 'in', index), 'unknown-state'))
  checkTaken(checker, entity, deadline, at, found?.machine)
}

/** The transition is there, and possible from each state in which the deadline counts. */
function checkTaken(
  checker: Checker,
  entity: EntityDocument,
  deadline: Deadline,
  at: string,
  machine: NonNullable<EntityDocument['x-states']>[number] | undefined,
): void {
  if (deadline.transition === undefined) return
  const here = pointer(at, 'transition')
  const known = machine?.transitions.map(({ id }) => id) ?? []
  const transition = machine?.transitions.find(({ id }) => id === deadline.transition)
  if (!transition) {
    checker.add(
      'unknown-transition',
      here,
      {
        zh: `没有流转“${deadline.transition}”。`,
        en: `There is no transition "${deadline.transition}".`,
      },
      { value: deadline.transition, known },
    )
    return
  }
  for (const [index, code] of (deadline.in ?? []).entries())
    if (!transition.from.includes(code))
      checker.add(
        'unknown-state',
        pointer(at, 'in', index),
        {
          zh: `流转“${transition.id}”不能从状态“${code}”开始。`,
          en: `The transition "${transition.id}" is not possible in the state "${code}".`,
        },
        { value: code, known: transition.from },
      )
  const asked = new Set([...(transition.fields ?? []), ...Object.keys(transition.inputs ?? {})])
  const given = deadline.values ?? {}
  for (const name of transition.required ?? [])
    if (!(name in given))
      wrong(checker, here, {
        zh: `流转“${transition.id}”需要“${name}”，请写在 values 里。`,
        en: `The transition "${transition.id}" needs "${name}": give it under values.`,
      })
  for (const name of Object.keys(given))
    checker.field(
      new Map([...asked].map((each) => [each, true])),
      name,
      pointer(at, 'values', name),
      `${entity.name}.${transition.id}`,
    )
}

/** Exactly one thing happens, or it only reminds. */
function checkWork(checker: Checker, entity: EntityDocument, deadline: Deadline, at: string): void {
  const does = [deadline.transition !== undefined, deadline.delete === true].filter(Boolean).length
  if (does === 2)
    wrong(checker, pointer(at, 'delete'), {
      zh: '到期时流转和删除只能选一个。',
      en: 'A deadline takes a transition or deletes, not both.',
    })
  if (does === 0 && remindersOf(deadline).length === 0)
    wrong(checker, at, {
      zh: '到期时什么都不会发生：请写流转、删除或提醒。',
      en: 'Nothing happens at this deadline: give it a transition, a deletion or a reminder.',
    })
  for (const [name, value] of Object.entries(deadline.values ?? {}))
    checker.expression(value, pointer(at, 'values', name), namesAt('rule', entity))
  checkRuled(checker, entity, deadline, at)
  checker.unique(
    remindersOf(deadline).map(({ id }) => id),
    pointer(at, 'remind'),
    'id',
  )
  if (deadline.delete === true && deadline.plus === undefined && deadline.at === 'createdAt')
    wrong(checker, pointer(at, 'plus'), {
      zh: '没有保留时间：每条记录新建后都会立即被删除。',
      en: 'It keeps nothing: every record would be deleted as soon as it is made.',
    })
}

/** Lengths of time and the limit are the same for all records: they read rules, and nothing of a record. */
function checkRuled(checker: Checker, entity: EntityDocument, deadline: Deadline, at: string): void {
  const rules = Object.entries(entity['x-lookups'] ?? {}).flatMap(([name, lookup]) =>
    'rules' in lookup && lookup.for === undefined ? [name] : [],
  )
  checker.expression(deadline.plus, pointer(at, 'plus'), rules)
  checker.expression(deadline.most, pointer(at, 'most'), rules)
  remindersOf(deadline).forEach(({ before }, row) => checker.expression(before, pointer(at, 'remind', row, 'before'), rules))
}

const remindersOf = (deadline: Deadline): readonly { id: string; before: string }[] => deadline.remind ?? []

const wrong = (checker: Checker, at: string, message: { zh: string; en: string }): void =>
  checker.add('field-kind-mismatch', at, message)
