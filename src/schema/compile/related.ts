import { standingCodes } from '../entity'
import { addsUp } from '../formats'
import type { ListBodyModel, PageField, RelatedModel } from '../model'
import type { Workspace } from './workspace'

const REACH: ReadonlySet<PageField['kind']> = new Set(['phone', 'email'])

/**
 * What the rows of a tab's list are called, how they stand and what they come to, as the entity says what its fields are worth. A field
 * that is hidden from the viewer is none of it; one that is masked is neither added up nor compared.
 */
export function compileRelated(work: Workspace, list: ListBodyModel): RelatedModel {
  const entity = work.entity(list.entity, '')
  const { titleField, 'x-worth': worth = {}, 'x-states': machines = [] } = entity.document
  const seen = (names: readonly string[], readable: boolean): PageField[] =>
    names
      .filter((name) => entity.definition(name) !== undefined && entity.access(name, list.view) !== 'hide')
      .filter((name) => !readable || entity.readable(name, list.view))
      .map((name) => entity.field(name, ''))
  // what has no operators is worked out or filled in when it is read: nothing can be asked of it
  const stored = ({ operators }: PageField): boolean => operators.length > 0
  const summed = list.columns.flatMap(({ field, path, summary }) =>
    field && path.length === 1 && summary === 'sum' ? [field.name] : [],
  )
  const amount = seen([...(worth.amount ?? []), ...summed], true).find(
    (field) => field.kind === 'money' && stored(field) && addsUp(field),
  )
  const [machine] = machines
  const state = seen([...(machine ? [machine.field] : []), ...(worth.state ?? [])], true).find(
    ({ dictionary }) => dictionary !== undefined,
  )
  const codes = machine && state?.name === machine.field ? standingCodes(machine) : []
  const columns = list.columns.flatMap(({ field, path }) =>
    field && path.length === 1 && REACH.has(field.kind) ? [field.name] : [],
  )
  const reach = seen(machine ? [] : columns, false)
  const [title] = seen([...(worth.title ?? []), titleField], false)
  return {
    ...(title ? { title } : {}),
    ...(state ? { state } : {}),
    ...(amount ? { amount } : {}),
    ...(!title
      ? {}
      : reach.length > 0
        ? { rows: 'all' }
        : state && codes.length > 0
          ? { rows: { field: state.name, codes } }
          : {}),
    reach,
  }
}
