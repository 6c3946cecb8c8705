/** What kind of document a file of schemas/ holds. */
export type DocumentType =
  | 'entity'
  | 'page'
  | 'module'
  | 'dictionary'
  | 'feature'
  | 'rules'
  | 'roles'
  | 'template'
  | 'listener'
  | 'process'
  | 'paper'
  | 'calls'

/** A document as it was found: a text that may not even be JSON, or a value in memory that may not be one. */
export interface SourceDocument {
  /** File of the schema (schemas/crm/pages/my-client.json), or page:/path, entity:name of a stored document. */
  where: string
  type: DocumentType
  /** Name of a page, a listener or a process: module/file. Other documents name themselves. */
  name?: string
  text?: string
  /** Used when there is no text. */
  value?: unknown
}

const PAGE = /^schemas\/([^/]+)\/pages\/([^/]+)\.json$/
const LISTENER = /^schemas\/([^/]+)\/listeners\/([^/]+)\.json$/
const PROCESS = /^schemas\/([^/]+)\/processes\/([^/]+)\.json$/
const TYPES: readonly [RegExp, DocumentType][] = [
  [/^schemas\/[^/]+\/entities\/[^/]+\.json$/, 'entity'],
  [PAGE, 'page'],
  [/^schemas\/(?:[^/]+\/)?dictionaries\/[^/]+\.json$/, 'dictionary'],
  [/^schemas\/[^/]+\/rules\/[^/]+\.json$/, 'rules'],
  [/^schemas\/[^/]+\/templates\/[^/]+\.json$/, 'template'],
  [/^schemas\/[^/]+\/papers\/[^/]+\.json$/, 'paper'],
  [LISTENER, 'listener'],
  [PROCESS, 'process'],
  [/^schemas\/[^/]+\/roles\.json$/, 'roles'],
  [/^schemas\/features\/[^/]+\.json$/, 'feature'],
  [/^schemas\/[^/]+\/module\.json$/, 'module'],
  [/^schemas\/(?:[^/]+\/)?calls\.json$/, 'calls'],
]

/** Type and name of a file by where it lies; undefined for files that are no documents (the meta-schemas). */
export const classify = (where: string): Pick<SourceDocument, 'type' | 'name'> | undefined => {
  if (where.startsWith('schemas/meta/')) return undefined
  const type = TYPES.find(([pattern]) => pattern.test(where))?.[1]
  if (!type) return undefined
  const named = PAGE.exec(where) ?? LISTENER.exec(where) ?? PROCESS.exec(where)
  return named ? { type, name: `${named[1]}/${named[2]}` } : { type }
}
