import { wholeExpression } from '../../../src/schema/expression'
import type { Assignee, Node } from '../../../src/schema/generated/process'
import type { DetachedCall, EntityRecord, InputProblem } from '../../entities'
import type { Executor } from '../../platform/database'
import type { Text } from '../../platform/http'
import type { StoredProcess } from '../definitions'
import { membersOf, type ScopeValues } from '../roles/members'
import { tolerantly, type ProcessForm } from './form'
import { delegatesOf, leadersOf, staffById, workflowAdmins } from './people'
import type { FlowState, Person } from './state'

/** What the people of a node depend on. */
export interface AssignContext {
  process: StoredProcess
  form: ProcessForm
  values: EntityRecord
  named: EntityRecord
  applicantId: string
  state: Pick<FlowState, 'passed' | 'round'>
  picked: Readonly<Record<string, readonly string[]>>
}

/** The people of a node, and why it is they. */
export interface Found {
  people: Person[]
  /** One after the other, whatever the node says. */
  sequence: boolean
  empty?: 'skip' | 'alarm'
  why: Text
}

interface Named {
  ids: string[]
  sequence: boolean
  /** The applicant is meant, not met by chance. */
  meant?: boolean
  why: Text
}

const MOST_LEVELS = 10

/** Who gets the task of a node (money 7.2): the rules of its assignees, absence and delegation, then what holds for the applicant and for nobody. */
export async function assigneesOf(call: DetachedCall, node: Node, about: AssignContext): Promise<Found> {
  const { tx } = call
  const named: Named[] = []
  for (const rule of node.assignees ?? []) named.push(await idsOf(call, node, rule, about))
  const sequence = named.some((one) => one.sequence)
  const why = named.find(({ ids }) => ids.length > 0)?.why ?? named[0]?.why ?? { zh: '未配置', en: 'Nobody is named' }
  const nobody = nobodyWhy(node, about)
  const { applicantId, process } = about
  const money = process.document.group === 'credit' || process.document.group === 'money'
  const keep = node.kind === 'handle' || (node.sameAsStarter === 'keep' && !money)
  let skipped = false
  const ids: string[] = []
  for (const { ids: some, meant } of named)
    for (const id of some) {
      if (id !== applicantId || keep || (meant && !money)) ids.push(id)
      else if ((node.sameAsStarter ?? 'toLeader') === 'skip') skipped = true
      else ids.push(...(await leadersOf(tx, applicantId)).slice(0, 1))
    }
  const people = await presentPeople(call, [...new Set(ids)], about)
  if (people.length > 0) return { people, sequence, why }
  if (skipped)
    return { people: [], sequence, empty: 'skip', why: { zh: '发起人本人，跳过', en: 'The applicant himself: skipped' } }
  const then = (zh: string, en: string): Text => ({ zh: `${nobody.zh}，${zh}`, en: `${nobody.en}: ${en}` })
  switch (node.emptyRule ?? 'toAdmin') {
    case 'skip':
      return { people: [], sequence, empty: 'skip', why: then('跳过', 'skipped') }
    case 'toStaff': {
      const others = await presentPeople(call, node.emptyStaff ?? [], about)
      return {
        people: others,
        sequence: false,
        empty: 'alarm',
        why: then('转指定人', 'a named person'),
      }
    }
    case 'block':
      return {
        people: [],
        sequence,
        empty: 'alarm',
        why: then('须先配置审批人', 'somebody has to be named first'),
      }
    default: {
      const admins = (await adminsOf(call, about.process))
        .filter((id) => id !== applicantId)
        .map((id): Person => ({ id, source: 'admin' }))
      return {
        people: admins,
        sequence: false,
        empty: 'alarm',
        why: then('转流程管理员', 'the administrators of the process'),
      }
    }
  }
}

/** Why a step has nobody: nobody was picked, or whoever was picked or meant is not there. */
function nobodyWhy(node: Node, { picked }: Pick<AssignContext, 'picked'>): Text {
  if ((picked[node.id] ?? []).length === 0) {
    if (picksAt(node, 'pickByPrevious')) return { zh: '上一处理人没有选人', en: 'The step before picked nobody' }
    if (picksAt(node, 'pickByStarter')) return { zh: '发起人没有选人', en: 'The applicant picked nobody' }
  }
  return { zh: '无人可办', en: 'Nobody was found' }
}

/** Who gets copies. */
export async function receiversOf(
  call: DetachedCall,
  node: Node,
  rules: readonly Assignee[],
  about: AssignContext,
): Promise<string[]> {
  const ids: string[] = []
  for (const rule of rules) ids.push(...(await idsOf(call, node, rule, about)).ids)
  const staff = await staffById(call.tx, ids)
  return [...new Set(ids)].filter((id) => staff.get(id)?.present || staff.has(id))
}

/** Administrators of a process who are there; else those of all processes. */
export async function adminsOf({ tx, context }: DetachedCall, { adminIds }: StoredProcess): Promise<string[]> {
  const own = await staffById(tx, adminIds)
  const present = adminIds.filter((id) => own.get(id)?.present)
  return present.length > 0 ? present : workflowAdmins(tx, context.now)
}

/** Those of some people who work now; for whoever has handed his tasks over, the one who has them, unless that is the applicant. */
export async function presentPeople(
  { tx, context }: DetachedCall,
  ids: readonly string[],
  { process, applicantId }: Pick<AssignContext, 'process' | 'applicantId'>,
): Promise<Person[]> {
  const handed =
    process.document.allowDelegate === false
      ? new Map<string, string>()
      : await delegatesOf(tx, ids, process.processId, context.now)
  const staff = await staffById(tx, [...ids, ...handed.values()])
  return ids.flatMap((id): Person[] => {
    const delegate = handed.get(id)
    if (delegate !== undefined && delegate !== applicantId && staff.get(delegate)?.present)
      return [{ id: delegate, forId: id, source: 'delegated' }]
    return staff.get(id)?.present ? [{ id }] : []
  })
}

/** Nodes where somebody picks people, and among whom. */
export const picksAt = (node: Node, rule: 'pickByStarter' | 'pickByPrevious'): readonly string[] | null => {
  const found = (node.assignees ?? []).find((each) => each.rule === rule)
  return found ? (found.staff ?? []) : null
}

/** What is said to whoever has to pick the people of a step and has not; picking somebody who is away is no pick. */
export const pickMissing = (nodeId: string, label: Text): InputProblem => ({
  field: `pickedAssignees.${nodeId}`,
  rule: 'required',
  message: {
    zh: `请选择“${label.zh}”的处理人（须在岗且在可选范围内）。`,
    en: `Choose who handles "${label.en}": somebody who is at work and may be chosen.`,
  },
})

const list = (value: unknown): string[] => [value].flat(2).filter((id): id is string => typeof id === 'string' && id !== '')

async function idsOf(call: DetachedCall, node: Node, rule: Assignee, about: AssignContext): Promise<Named> {
  const { tx } = call
  const { form, values, named, applicantId } = about
  const read = async (path: string | undefined): Promise<string[]> => {
    if (path === undefined) return []
    const [value] = await form.records.evaluate(call, values, named, [tolerantly(`{{ ${path} }}`)])
    return list(value)
  }
  const alone = (ids: readonly string[], zh: string, en: string): Named => ({ ids: [...ids], sequence: false, why: { zh, en } })
  switch (rule.rule) {
    case 'staff':
      return alone(rule.staff ?? [], '指定人员', 'Named in the process')
    case 'applicant':
      return { ...alone([applicantId], '发起人', 'The applicant'), meant: true }
    case 'role':
    case 'dutyRoster': {
      const scope: ScopeValues = Object.fromEntries(
        await Promise.all(
          Object.entries(rule.scope ?? {}).map(async ([dimension, path]) => [dimension, await read(path)] as const),
        ),
      )
      const members = await membersOf(tx, rule.role ?? '', scope)
      const name = await roleName(tx, rule.role ?? '')
      if (rule.rule === 'role') return alone(members, `审批角色“${name.zh}”`, `Approval role "${name.en}"`)
      const { rows } = await tx.query<{ id: string }>(
        `select id from sys_staff where id = any($1::text[]) and on_duty is not false`,
        [members],
      )
      const onDuty = new Set(rows.map(({ id }) => id))
      return alone(
        members.filter((id) => onDuty.has(id)),
        `审批角色“${name.zh}”的值班人`,
        `On duty of the approval role "${name.en}"`,
      )
    }
    case 'deptLeader': {
      const leaders = await leadersOf(tx, applicantId)
      const level = Math.min(rule.level ?? 1, MOST_LEVELS)
      if (!rule.chain)
        return alone(
          leaders.slice(level - 1, level),
          `发起人的第 ${level} 级主管`,
          level === 1 ? "The applicant's leader" : `The applicant's leader, ${level} levels up`,
        )
      const chain: string[] = []
      for (const [index, staffId] of leaders.slice(0, level).entries()) {
        chain.push(staffId)
        if (rule.until === undefined) continue
        const leader = { level: index + 1, staffId }
        const [enough] = await form.records.evaluate(call, values, { ...named, leader }, [tolerantly(rule.until)])
        if (enough) break
      }
      return {
        ids: chain,
        sequence: true,
        why: { zh: `逐级主管，至多 ${level} 级`, en: `Leaders one after the other, up to level ${level}` },
      }
    }
    case 'leaderOf': {
      const level = Math.min(rule.level ?? 1, MOST_LEVELS)
      const led = await read(rule.field)
      const found: string[] = []
      for (const id of led) found.push(...(await leadersOf(tx, id)).slice(level - 1, level))
      const label = labelOf(form, rule.field)
      return alone(found, `“${label.zh}”的主管`, `The leader of "${label.en}"`)
    }
    case 'formField': {
      const label = labelOf(form, rule.field)
      return alone(await read(rule.field), `表单中的“${label.zh}”`, `"${label.en}" of the form`)
    }
    case 'previousHandler':
      return alone(about.state.passed.at(-1)?.by ?? [], '上一处理人', 'Whoever handled the step before')
    case 'pickByStarter':
    case 'pickByPrevious': {
      const among = rule.staff
      const picked = (about.picked[node.id] ?? []).filter((id) => !among || among.length === 0 || among.includes(id))
      return rule.rule === 'pickByStarter'
        ? alone(picked, '发起人自选', 'Picked by the applicant')
        : alone(picked, '上一处理人自选', 'Picked by the step before')
    }
    case 'expression': {
      const [value] = await form.records.evaluate(call, values, named, [tolerantly(rule.value ?? '')])
      return alone(list(value), '按表达式', 'By an expression')
    }
  }
}

async function roleName(db: Executor, code: string): Promise<Text> {
  const { rows } = await db.query<Text>(
    'select name_zh as zh, name_en as en from wf_role where code = $1 and deleted_at is null',
    [code],
  )
  return rows[0] ?? { zh: code, en: code }
}

function labelOf(form: ProcessForm, path = ''): Text {
  const name = wholeExpression(path) === undefined ? path : path
  const field = form.fields[name.split('.', 1)[0]!]
  return (field?.['x-label'] as Text | undefined) ?? { zh: path, en: path }
}
