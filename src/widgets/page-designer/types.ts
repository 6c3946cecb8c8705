import type { PageBundle } from '../../headless/host'
import type { DictionaryDocument } from '../../schema/generated/dictionary'
import type { EntityDocument } from '../../schema/generated/entity'
import type { Change, Outcome } from '../../schema/overlay'
import type { BilingualText, Locale, Problem } from '../../schema/problem'

export interface Person {
  staffId: string
  name: BilingualText
}
export type TargetKind = 'page' | 'entity' | 'dictionary' | 'module' | 'template'
export type Stage = 'gray' | 'all'

/** Where changes came from as a file: the environment, its release (null: drafts were exported), who and when. */
export interface Origin {
  environment: string
  title: string | null
  by: BilingualText
  at: string
}

/** A document that can be changed: an answer of GET /v2/sys/schema/targets. */
export interface Target {
  /** E.g. page:crm/my-client, entity:crm.customer. */
  target: string
  kind: TargetKind
  pageKind?: string
  title: BilingualText
  path?: string
  entity?: string
  /** No file has it: an admin made it. */
  made: boolean
  released?: { number: number; by: Person; at: string; changes: number }
  gray?: { number: number; by: Person; at: string }
  scheduled?: { at: string }
  drafts: readonly { role: string | null; by: Person; at: string; origin: Origin | null }[]
  variants: readonly string[]
  orphans: number
  /** Changes that collide with this release and are not used. */
  unused: number
  faults: number
}

export interface Draft {
  version: number
  changes: readonly Change[]
  by: Person
  at: string
  note: string | null
  origin: Origin | null
}

export interface Revision {
  number: number
  role: string | null
  stage: Stage
  kind: 'release' | 'rollback' | 'reset'
  title: string
  reason: string
  by: Person
  at: string
  effectiveAt: string
  cancelledAt?: string | null
  releaseId: string
  origin: Origin | null
  changes: readonly Change[]
}

/** One document with its changes: an answer of GET /v2/sys/schema/target. */
export interface TargetState {
  target: string
  role: string | null
  /** In explicit form; for a role the document as it is released for everybody. Null: nothing is there yet. */
  base: object | null
  released: { number: number; changes: readonly Change[] } | null
  gray: { number: number; changes: readonly Change[] } | null
  draft: Draft | null
  unused: readonly Unused[]
  bundle: PageBundle | null
  /** All of them; whole where an entity is designed, whose rules speak of others. */
  entities: readonly (Pick<EntityDocument, 'name' | 'label'> & Partial<EntityDocument>)[]
  /** All of them; with their values where an entity is designed. */
  dictionaries: readonly (Pick<DictionaryDocument, 'name' | 'label'> & Partial<DictionaryDocument>)[]
  /** Newest first. */
  revisions: readonly Revision[]
  roles: readonly { code: string; name: BilingualText }[]
  /** Who else had this draft open in the last two minutes. */
  others: readonly { by: Person; at: string }[]
  /** The other drafts; `together`: they were made with this one and are released with it. */
  companions: readonly Companion[]
}

/** Released changes that are left out because this release cannot be used with them. */
export interface Unused {
  addresses: readonly string[]
  /** Nothing of the target is used. */
  whole: boolean
  problem: Problem
  advice: BilingualText
  /** It is used all the same; the release says something else. */
  stands: boolean
  /** The target that it was left out with. */
  follows: string | null
  /** Address of a page that an admin made. */
  path: string | null
}

export interface Companion {
  target: string
  role: string | null
  version: number
  by: Person
  title: BilingualText
  together: boolean
}

/** What a saved or tried list of changes leads to. */
export interface Tried {
  problems: readonly Problem[]
  outcomes: readonly Outcome[]
  bundle: PageBundle | null
}

export interface ReleaseDifference {
  id: string
  target: string
  at: string
  kind: string
  risk: boolean
  text: BilingualText
}

export interface Impact {
  personalSettings: number
  savedViews: number
  links: readonly { page: string; path?: string; title: BilingualText }[]
  variants: readonly string[]
  listeners?: readonly { module: string; on: string }[]
  exports?: number
  imports?: number
}

export interface Checked {
  problems: readonly Problem[]
  differences: readonly ReleaseDifference[]
  impact: Impact
}

/** Rights of somebody as whom a page is looked at. */
export interface Viewer {
  permissions: readonly string[]
  /** By entity.field. */
  fields: Readonly<Record<string, string>>
  label: BilingualText
  roles: readonly string[]
  /** Released changes of the page for these roles, in the order in which they are laid on it. */
  variants: readonly { role: string; changes: readonly Change[] }[]
}

export const kindOf = (target: string): TargetKind => {
  const kind = target.slice(0, target.indexOf(':'))
  return kind === 'entity' || kind === 'dictionary' || kind === 'module' || kind === 'template' ? kind : 'page'
}

/** What a role is called; a code that no role has any more stands for itself. */
export const roleName = (roles: TargetState['roles'], code: string, locale: Locale): string =>
  roles.find((role) => role.code === code)?.name[locale] ?? code

export const TABS = ['outline', 'json', 'history'] as const
export type DesignerTab = (typeof TABS)[number]

/** What the address says: which document, for whom, and how it is looked at. */
export interface Chosen {
  target: string
  role: string | null
  tab: DesignerTab
}
