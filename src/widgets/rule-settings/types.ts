import type { BilingualText } from '../../schema/problem'

export interface ParamChange {
  path: string
  title: BilingualText
  before: unknown
  after: unknown
  words?: ParamWords
}
/** What codes among the values are called, by the member of a list's entries; '' stands for the values themselves. */
export type ParamWords = Readonly<
  Record<string, { title?: BilingualText; choices?: Readonly<Record<string, BilingualText>>; countries?: true }>
>
export interface Report {
  figures: readonly { id: string; title: BilingualText; value: number }[]
  columns: readonly { id: string; title: BilingualText; kind?: string }[]
  rows: readonly Readonly<Record<string, string | number | BilingualText | null>>[]
  more: number
}
export interface Version {
  id: string
  versionNo: number
  params: Readonly<Record<string, unknown>>
  effectiveFrom: string
  byName: string | null
  changeReason: string
  state: 'past' | 'current' | 'future'
  diff: readonly ParamChange[]
}
export interface Override {
  id: string
  targetType: string
  target: string
  until: string | null
  reason: string | null
  ended: boolean
  diff: readonly ParamChange[]
}
/** For whom there may be exceptions: people, departments, countries, or whoever has a value of a dictionary. */
export interface RuleSubject {
  id: string
  label?: BilingualText
  choices?: readonly { value: string; label: BilingualText }[]
}
export interface Rule {
  key: string
  title: BilingualText
  page: string
  test: string | null
  subjects: readonly RuleSubject[]
  params: Readonly<Record<string, unknown>>
  current: number
  newest: number
  versions: readonly Version[]
  overrides: readonly Override[]
}
export interface Preview {
  params: Readonly<Record<string, unknown>>
  diff: readonly ParamChange[]
  effect: Report | null
}
export interface RuleTest {
  verdict: BilingualText
  tone: 'success' | 'warning' | 'error'
  lines: readonly { label: BilingualText; value: string | BilingualText }[]
}
export interface Job {
  name: string
  title: BilingualText
  description: BilingualText
  nextAt: string
  last: { startedAt: string; status: string } | null
  parameters: readonly JobParameter[]
}
export interface JobParameter {
  id: string
  title: BilingualText
  default: number | boolean | string
  minimum?: number
  maximum?: number
  value: number | boolean | string
}
export interface JobRun {
  id: string
  job: string
  forDay: string
  status: string
  dry: boolean
  startedAt: string
  finishedAt: string | null
  /** How far it is, while it runs; where it stopped, when it failed. */
  progress?: { stage: BilingualText; done: number; total: number } | null
  report: Report | null
  error: string | null
}
