import type { FileValue } from '../../../schema/formats'
import type { PageBundle } from '../../../headless/host'
import type { Refs } from '../../../headless/row'
import type { Locale } from '../../../schema/problem'

/** A text in both languages, as the gateway sends what was written by admins. */
export type Text = Readonly<Record<Locale, string>>

/** What a person may do with a field: it is hidden, read, edited, or must be filled (money 8.15). */
export type Right = 'H' | 'R' | 'E' | 'M'
export type Rights = Readonly<Record<string, Right>>
export type Values = Readonly<Record<string, unknown>>

export interface Person {
  id: string
  name: string
}

/** Somebody whom a step asks, and what came of it. */
export interface Asked extends Person {
  state?: string | null
  at?: string | null
  /** Whom he stands in for. */
  forName?: string | null
}

/** A step of a flow with what happened there, or what is expected to. */
export interface PathNode {
  id: string
  kind: string
  label: Text
  state: 'done' | 'current' | 'predicted' | 'skipped' | 'returned'
  assignees?: readonly Asked[]
  /** Why it goes this way, or why nobody is asked. */
  why?: Text | null
  dueAt?: string | null
  limitHours?: number | null
  branches?: readonly { id: string; label: Text; taken: boolean; why?: Text | null; nodes: readonly PathNode[] }[]
}

/** Steps for which somebody else has to say who decides. */
export interface Pick {
  nodeId: string
  name: Text
  /** Whom to choose from; empty: everybody. */
  among: readonly Person[]
  required?: boolean
}

/** What an application form needs: the answer of process/formField. */
export interface StartForm {
  process: {
    id: string
    code: string
    name: Text
    group: string
    icon?: string | null
    path?: string | null
    versionNo: number
    description?: Text | null
    prefix?: string
    title?: unknown
  }
  bundle: PageBundle
  rights: Rights
  pick: readonly Pick[]
  /** Values of the record or application that was named in the address. */
  values?: Values
}

/** What is wrong with an application before it is submitted. */
export interface CheckError {
  field?: string
  text: Text
  code?: number
}

/** The answer of a dry run of operate/start. */
export interface Forecast {
  path: readonly PathNode[]
  errors: readonly CheckError[]
}

/** One field before and after, in words or as values. */
export interface FieldDiff {
  field: string
  label: Text
  before: unknown
  after: unknown
}

/** A line of the action log. */
export interface LogLine {
  id: string
  at: string
  byId: string | null
  byName: string | null
  forName?: string | null
  action: string
  nodeName?: Text | null
  comment: string | null
  files: readonly FileValue[]
  /** The picture of what he signed with. */
  signature?: FileValue
  diff: readonly FieldDiff[]
  toNames: readonly string[]
  admin: boolean
}

export interface MyTask {
  taskId: string
  nodeId: string
  nodeName: Text
  kind: 'approve' | 'handle'
  agreeActions: readonly string[]
  rejectActions: readonly string[]
  transmit: boolean
  /** Code of the dictionary commentRule. */
  needComment: string
  needAttachment: boolean
  needSign: boolean
  dueAt: string | null
  returnTargets: readonly { nodeId: string; name: Text }[]
  backToMeFrom?: string | null
  pick: readonly Pick[]
  /** How often the step has returned it, and how often it may. */
  returns?: { times: number; most: number }
}

/** The answer of operate/instanceDetail (money 7.3, 7.6). */
export interface InstanceDetail {
  instance: {
    id: string
    code: string | null
    title: Text
    processId: string
    processCode: string
    processName: Text
    icon?: string | null
    versionNo: number
    status: string
    urgency: string
    applicantId: string
    applicantName: string
    deptName: string | null
    startedAt: string | null
    endedAt: string | null
    round: number
    amount: string | number | null
    currency: string | null
    amountCny: string | number | null
    rowVersion: number
    effectStatus: string | null
    effectError: string | null
    /** What it did all the same, or did not; null unless its effects failed. */
    effectState: string | null
    bizType: string | null
    bizId: string | null
    bizCode: string | null
    bizLink: string | null
    draft: boolean
    parentId: string | null
  }
  form: {
    bundle: PageBundle
    values: Values
    rights: Rights
    /** What the records are called that readable fields name. */
    refs?: Refs
    changed: readonly (FieldDiff & { by: string; at: string; nodeName: Text })[]
  }
  path: readonly PathNode[]
  timeline: readonly LogLine[]
  myTask: MyTask | null
  actions: readonly string[]
  cc: readonly (Person & { readAt: string | null })[]
  urges: readonly { at: string; by: string; text: string | null }[]
  /** When I looked at it before. */
  seenBefore?: string | null
}

/** my/summary (R323). */
export interface Summary {
  applyNum: number
  ccNum: number
  handleNum: number
  todoNum: number
}

/** A process that may be started: a line of select/process (money 7.4). */
export interface StartableChoice {
  value: string
  label: Text
  extra: { id: string; code: string; group: string; groupName: Text; icon: string | null; applyPath: string }
}
