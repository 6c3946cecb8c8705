import type { DictionaryDocument } from '../generated/dictionary'
import type { EntityDocument } from '../generated/entity'
import type { FeatureDocument } from '../generated/feature'
import type { ListenerDocument } from '../generated/listener'
import type { ModuleDocument } from '../generated/module'
import type { PageDocument } from '../generated/page'
import type { PaperDocument } from '../generated/paper'
import type { ProcessDocument } from '../generated/process'
import type { RolesDocument } from '../generated/roles'
import type { RuleSetDocument } from '../generated/rules'
import type { TemplateDocument } from '../generated/template'

interface Accepted<T extends string, V> {
  type: T
  where: string
  name?: string
  value: V
  /** What it said before its entities filled the rest in; null: nothing, an entity alone asks for it. Absent where they fill in nothing. */
  written?: V | null
  /** Characters of its text. */
  characters: number
}

/** Server calls that are no calls of an entity: `{ "calls": ["GET /dcode", ...] }`. */
export interface CallsDocument {
  calls: readonly string[]
}

/** A document whose shape is right: its generated type holds. Whether its names exist is another question. */
export type AcceptedDocument =
  | Accepted<'entity', EntityDocument>
  | Accepted<'page', PageDocument>
  | Accepted<'module', ModuleDocument>
  | Accepted<'dictionary', DictionaryDocument>
  | Accepted<'rules', RuleSetDocument>
  | Accepted<'feature', FeatureDocument>
  | Accepted<'template', TemplateDocument>
  | Accepted<'listener', ListenerDocument>
  | Accepted<'process', ProcessDocument>
  | Accepted<'paper', PaperDocument>
  | Accepted<'roles', RolesDocument>
  | Accepted<'calls', CallsDocument>

/** The module of a document; of what stands in no folder of one, and says none, empty. */
export const ownerOf = ({ type, where, name, value }: AcceptedDocument): string =>
  type === 'module'
    ? value.name
    : type === 'entity'
      ? value.name.split('.', 1)[0]!
      : (name?.split('/', 1)[0] ?? /^schemas\/([^/]+)\//.exec(where)?.[1] ?? '')
