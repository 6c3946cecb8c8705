import { formerNamesOf, type FormerNames } from '../../../src/schema/formerNames'
import type { ModuleDocument } from '../../../src/schema/generated/module'
import type { AcceptedSource } from '../registry'

export type TargetKind = 'page' | 'entity' | 'module' | 'template'

/** One document that an admin may change: its kind and its name, e.g. `page:crm/my-client`. */
export interface Target {
  kind: TargetKind
  name: string
}

const NAMES: Readonly<Record<TargetKind, RegExp>> = {
  page: /^[A-Za-z0-9-]{1,60}\/[A-Za-z0-9-]{1,120}$/,
  entity: /^[a-z][a-z0-9]{0,30}\.[a-z][A-Za-z0-9]{0,60}$/,
  module: /^[A-Za-z][A-Za-z0-9-]{0,60}$/,
  template: /^[a-z][a-z0-9]{0,30}\.[a-z][A-Za-z0-9]{0,60}$/,
}

export function parseTarget(text: string): Target | undefined {
  const colon = text.indexOf(':')
  const [kind, name] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)]
  if (!Object.hasOwn(NAMES, kind) || !NAMES[kind as TargetKind].test(name)) return undefined
  return { kind: kind as TargetKind, name }
}

/** The target that a document is; undefined for the list of calls, for features and listeners, for dictionaries, whose values change at once on a page of their own, for rule sets, whose parameters have versions, and for what roles begin with. */
export function targetOf({ type, name, where, value }: AcceptedSource): string | undefined {
  if (type !== 'entity' && type !== 'page' && type !== 'module' && type !== 'template') return undefined
  return `${type}:${type === 'page' ? (name ?? where) : (value as { name: string }).name}`
}

/** What the modules say that their documents were called before. */
export const formerNamesIn = (files: readonly AcceptedSource[]): FormerNames =>
  formerNamesOf(files.flatMap(({ type, value }) => (type === 'module' ? [value as ModuleDocument] : [])))
