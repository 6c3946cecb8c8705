import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { EntityDocument } from '../../../schema/generated/entity'
import type { Form, ProcessDocument } from '../../../schema/generated/process'
import type { BilingualText } from '../../../schema/problem'

/** What a designer of processes chooses from: GET /v2/workflow/process/catalogue. */
export interface Catalogue {
  entities: readonly EntityDocument[]
  dictionaries: readonly DictionaryDocument[]
  /** Approval roles in use. */
  roles: readonly { code: string; name: BilingualText; memberCount: number }[]
  /** Roles of the portal. */
  portalRoles: readonly { code: string; name: BilingualText }[]
  processes: readonly { code: string; name: BilingualText }[]
  /** `uses`: processes that use it. */
  forms: readonly { id: string; code: string; name: BilingualText; uses: number }[]
  departments: readonly { id: string; name: string }[]
  /** What modules can do in effects; `with` is what the processes that have it done give. */
  verbs: readonly { name: string; usedBy: readonly BilingualText[]; with: Readonly<Record<string, unknown>> }[]
  permissions: readonly string[]
}

/** A process as it is designed: GET /v2/workflow/process/update/{id}. */
export interface ProcessDetail {
  id: string
  code: string
  state: string
  /** `file`: it is shipped; `admin`: an administrator made or changed it. */
  source: string
  versionNo: number
  formId: string | null
  document: ProcessDocument
  /** A newer version is shipped than the one that an administrator changed: `shipped` is it. */
  newerShipped: boolean
  shipped: ProcessDocument | null
  admins: readonly { id: string; name: string; nameEn: string | null }[]
}

/** What changed, in words. */
export interface Difference {
  id: string
  text: BilingualText
}

/** One of the versions of what is designed. */
export interface Version {
  id: string
  no: number
  note: string | null
  publishedAt: string
  publishedBy: string | null
  /** Against the version before. */
  changes: readonly Difference[]
}

/** One of the versions of a process: GET /v2/workflow/process/historyVersion/{id}, newest first. */
export interface ProcessVersion extends Version {
  /** Applications that still run on it. */
  running: number | string
  current: boolean
}

/** A form as it is designed: GET /v2/workflow/form/update/{id}. */
export interface FormDetail {
  id: string
  code: string
  name: BilingualText
  serviceName: string | null
  versionNo: number
  state: string
  remark: string | null
  definition: Form
  processes: readonly { id: string; code: string; nameZh: string; nameEn: string }[]
  versions: readonly {
    id: string
    no: number
    note: string | null
    savedAt: string
    savedBy: string | null
    definition: Form
    changes: readonly Difference[]
  }[]
}

/** Something that is wrong with a process: of POST /v2/workflow/process/check, and of the refusals of saving. */
export interface Finding {
  /** JSON pointer into the document. */
  pointer?: string
  rule?: string
  severity?: 'error' | 'warning'
  /** In the viewer's language. */
  text?: string
  message?: string
}

/** A step of a predicted path: an answer of POST /v2/workflow/process/dryRun. */
export interface PathNode {
  id: string
  kind: string
  label?: BilingualText
  state: 'done' | 'current' | 'predicted' | 'skipped' | 'returned'
  assignees?: readonly { id: string; name: string }[]
  why?: BilingualText
  branches?: readonly { id: string; label?: BilingualText; taken: boolean; why?: BilingualText; nodes: readonly PathNode[] }[]
}

/** What a dry run found. */
export interface DryRun {
  path: readonly PathNode[]
  errors: readonly { field?: string; text: BilingualText | string; code?: number }[]
}
