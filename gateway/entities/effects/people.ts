import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { People } from '../../../src/schema/generated/entity'
import type { Executor } from '../../platform/database'
import type { Text } from '../../platform/http'
import { textArray } from '../clause'
import type { WriteContext } from '../core'
import { loadPaths } from '../derive/paths'
import type { Subject } from './subject'

type Person = People[number]

/** Whom a list of people means for one record. */
export interface Meant {
  staff: ReadonlySet<string>
  departments: ReadonlySet<string>
  roles: ReadonlySet<string>
  system: boolean
}

/** Whom a list of people means, for all records at once. */
export async function peopleOf(
  write: WriteContext,
  subjects: readonly Subject[],
  people: readonly Person[],
): Promise<ReadonlyMap<Subject, Meant>> {
  const values = await namedBy(write, subjects, people)
  const leaders = await leadersFor(write, subjects, people, values)
  return new Map(
    subjects.map((subject): [Subject, Meant] => {
      const meant = { staff: new Set<string>(), departments: new Set<string>(), roles: new Set<string>(), system: false }
      for (const person of people) {
        if (person === 'system') meant.system = true
        else if (typeof person === 'object' && 'role' in person) meant.roles.add(person.role)
        else if (typeof person === 'object' && 'leaderOf' in person) {
          for (const led of values.get(subject)![person.leaderOf] ?? [])
            for (const leader of (leaders.get(led) ?? []).slice(0, person.levels ?? 1)) meant.staff.add(leader)
        } else {
          const path = pathOf(person)
          const into = departmentPath(write.model, path) ? meant.departments : meant.staff
          for (const id of values.get(subject)![path] ?? []) into.add(id)
        }
      }
      return [subject, meant]
    }),
  )
}

/** Is the caller one of them? */
export function isOneOf({ context }: WriteContext, meant: Meant): boolean {
  const { staffId, deptIds, roleCodes } = context.user
  return (
    (meant.system && context.kind === 'system') ||
    (staffId !== '' && meant.staff.has(staffId)) ||
    deptIds.some((id) => meant.departments.has(id)) ||
    roleCodes.some((code) => meant.roles.has(code))
  )
}

/** Members of staff who are meant: themselves, members of departments, whoever holds a role now. Nobody who has left. */
export async function staffOf(db: Executor, now: Date, meant: readonly Meant[]): Promise<readonly ReadonlySet<string>[]> {
  const departments = [...new Set(meant.flatMap(({ departments: ids }) => [...ids]))]
  const roles = [...new Set(meant.flatMap(({ roles: codes }) => [...codes]))]
  if (departments.length === 0 && roles.length === 0) return meant.map(({ staff }) => staff)
  const { rows } = await db.query<{ id: string; department: string | null; role: string | null }>(
    sql`select s.id, s.main_dept_id as department, null as role from sys_staff s where s.main_dept_id = any(${textArray(departments)}) and s.status <> 'left' and s.deleted_at is null
      union all select m.staff_id, null, r.code from sys_role_member m join sys_role r on r.id = m.role_id where r.code = any(${textArray(roles)}) and m.deleted_at is null and m.waiting is not true and r.deleted_at is null and (m."from" is null or m."from" <= ${now.toISOString()}::timestamptz) and (m.until is null or m.until > ${now.toISOString()}::timestamptz)`,
  )
  return meant.map(({ staff, departments: ids, roles: codes }) => {
    const found = rows.filter(
      ({ department, role }) => (department !== null && ids.has(department)) || (role !== null && codes.has(role)),
    )
    return new Set([...staff, ...found.map(({ id }) => id)])
  })
}

/** The people of a list in words: "the creator or the receiver". */
export function peopleInWords(model: EntityModel, people: readonly Person[]): Text {
  const words = people.map((person) => personInWords(model, person))
  return { zh: words.map(({ zh }) => zh).join('或'), en: words.map(({ en }) => en).join(' or ') }
}

function personInWords(model: EntityModel, person: Person): Text {
  if (person === 'system') return { zh: '系统', en: 'the portal itself' }
  if (person === 'creator') return { zh: '创建人', en: 'its creator' }
  if (person === 'owner') return { zh: '负责人', en: 'its owner' }
  if (person === 'user') return { zh: '本人', en: 'oneself' }
  if ('role' in person) return { zh: `角色“${person.role}”`, en: `the role "${person.role}"` }
  if ('leaderOf' in person) {
    const led = personInWords(model, asPerson(person.leaderOf))
    return { zh: `${led.zh}的主管`, en: `the leader of ${led.en}` }
  }
  const label = labelOf(model, pathOf(person))
  return { zh: label.zh, en: `the ${label.en.toLowerCase()}` }
}

const asPerson = (name: string): Person => {
  if (name === 'creator' || name === 'owner' || name === 'user') return name
  return name.includes('.') ? { path: name } : { field: name }
}

function labelOf(model: EntityModel, path: string): Text {
  const [first = '', ...rest] = path.split('.')
  const field = model.fields.get(first)
  const target = field && rest.length > 0 ? model.find(referenceOf(field) ?? '') : undefined
  if (!target) return field?.label ?? { zh: path, en: path }
  const behind = labelOf(target, rest.join('.'))
  return { zh: `${field!.label.zh}的${behind.zh}`, en: `${behind.en} of the ${field!.label.en.toLowerCase()}` }
}

function pathOf(person: Person): string {
  if (person === 'creator') return 'createdBy'
  if (person === 'owner') return 'ownerId'
  if (typeof person !== 'object') return ''
  if ('path' in person) return person.path
  return 'field' in person ? person.field : ''
}

function departmentPath(model: EntityModel, path: string): boolean {
  const [first = '', ...rest] = path.split('.')
  const field = model.fields.get(first)
  const target = field && referenceOf(field)
  if (rest.length === 0) return target === 'sys.department'
  const next = target === undefined ? undefined : model.find(target)
  return next !== undefined && departmentPath(next, rest.join('.'))
}

/** Ids that the fields and paths of a list hold, by record and by how they are called in the list. */
async function namedBy(
  write: WriteContext,
  subjects: readonly Subject[],
  people: readonly Person[],
): Promise<ReadonlyMap<Subject, Readonly<Record<string, readonly string[]>>>> {
  const names = people.flatMap((person) =>
    typeof person === 'object' && 'leaderOf' in person ? [person.leaderOf] : [pathOf(person)].filter((path) => path !== ''),
  )
  const asked = new Map(names.map((name) => [name, name === 'user' ? '' : pathOf(asPerson(name)) || name]))
  const records = subjects.map(({ record }) => record)
  const paths = [...new Set(asked.values())].filter((path) => path.includes('.'))
  const loaded = paths.length > 0 ? await loadPaths(write.tx, write.model, records, paths) : undefined
  const { staffId } = write.context.user
  return new Map(
    subjects.map((subject) => {
      const of = (path: string): unknown => (path.includes('.') ? loaded?.get(subject.record)?.[path] : subject.record[path])
      const ids = (name: string, path: string): string[] => {
        const value = name === 'user' ? staffId : of(path)
        return [value].flat().filter((id): id is string => typeof id === 'string' && id !== '')
      }
      return [subject, Object.fromEntries([...asked].map(([name, path]) => [name, ids(name, path)]))]
    }),
  )
}

/** Leaders of members of staff, the nearest first: the manager, then who leads their departments upwards, without themselves. */
async function leadersFor(
  write: WriteContext,
  subjects: readonly Subject[],
  people: readonly Person[],
  values: ReadonlyMap<Subject, Readonly<Record<string, readonly string[]>>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const led = people.flatMap((person) => (typeof person === 'object' && 'leaderOf' in person ? [person.leaderOf] : []))
  const ids = [...new Set(subjects.flatMap((subject) => led.flatMap((name) => values.get(subject)![name] ?? [])))]
  if (ids.length === 0) return new Map()
  const { rows } = await write.tx.query<{ staff: string; leader: string }>(
    sql`select above.staff, above.leader from (
      select s.id as staff, s.manager_id as leader, 1000 as near from sys_staff s where s.id = any(${textArray(ids)})
      union all select s.id, d.leader_id, length(d.path) from sys_staff s join sys_department own on own.id = s.main_dept_id join sys_department d on own.path like d.path || '%' where s.id = any(${textArray(ids)})
    ) above join sys_staff l on l.id = above.leader where above.leader <> above.staff and l.status <> 'left' and l.deleted_at is null order by above.staff, above.near desc`,
  )
  const found = new Map<string, string[]>()
  for (const { staff, leader } of rows) {
    const known = found.get(staff) ?? []
    if (!known.includes(leader)) known.push(leader)
    found.set(staff, known)
  }
  return found
}
