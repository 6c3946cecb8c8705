import type { Executor } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import type { ParamChange } from './diff'

/** Changes with the names of the departments that they hold by id, also of those that are gone. */
export async function withDepartmentNames(db: Executor, changes: ParamChange[]): Promise<ParamChange[]> {
  const isAbout = ({ words }: ParamChange): boolean => words?.['']?.departments === true
  if (!changes.some(isAbout)) return changes
  const { rows } = await db.query<Text & { id: string }>(
    `select id, name as zh, coalesce(nullif(name_en, ''), name) as en from sys_department`,
  )
  const choices = Object.fromEntries(rows.map(({ id, zh, en }) => [id, { zh, en }]))
  return changes.map((change) => (isAbout(change) ? { ...change, words: { ...change.words, '': { choices } } } : change))
}
