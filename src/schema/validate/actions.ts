import { withNamedActions } from '../defaults'
import type { EntityDocument } from '../generated/entity'
import { Checker } from './checker'
import { checkPage } from './page'

const THERE = '/header/actions'

/** What an entity says of actions is checked as those of a page that shows one of its records. */
export function checkActions(checker: Checker, { name, label, 'x-actions': actions = [] }: EntityDocument): void {
  if (actions.length === 0) return
  const { catalog, where } = checker
  const site = {
    entities: catalog.entities,
    pages: new Map([...catalog.pages].map(([page, { document }]) => [page, document])),
  }
  const inner = new Checker(where, catalog)
  checkPage(
    inner,
    withNamedActions({ formatVersion: 3, kind: 'detail', title: label, entity: name, header: { actions }, rest: false }, site),
  )
  for (const problem of inner.problems)
    if (problem.at.startsWith(THERE)) checker.problems.push({ ...problem, at: problem.at.replace(THERE, '/x-actions') })
}
