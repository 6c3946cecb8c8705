import type { PageBundle } from '../src/headless/host'
import type { ProcessDocument } from '../src/schema/generated/process'
import { formEntity, formEntityName, formPage, type Rights } from '../src/schema/process'
import type { InstanceDetail, LogLine, PathNode } from '../src/widgets/process-work/parts/types'
import { FIELDS, OPTIONS, type CellKind } from './model'

const both = (text: string): { zh: string; en: string } => ({ zh: text, en: text })
const at = (hour: number): string => new Date(Date.UTC(2026, 2, 1, hour)).toISOString()

/** Every eleventh field may still be changed at the step; the others are read. */
export const isTyped = (n: number): boolean => n % 11 === 0

const TYPES: Readonly<Record<CellKind, object>> = {
  text: { type: 'string', maxLength: 60 },
  number: { type: 'number' },
  select: { type: 'string', 'x-dictionary': 'benchOption' },
  date: { type: 'string', format: 'date' },
}
const VALUES: Readonly<Record<CellKind, (n: number) => unknown>> = {
  text: (n) => `Value of field ${n}`,
  number: (n) => n * 7,
  select: (n) => OPTIONS[n % OPTIONS.length],
  date: (n) => at(n * 24).slice(0, 10),
}

/** What the task shows: the form's values by field, the steps and the log. */
export const VALUES_OF_FIELDS: Readonly<Record<string, unknown>> = Object.fromEntries(
  FIELDS.map(({ name, kind }, n) => [name, VALUES[kind](n)]),
)

export const STEPS: readonly PathNode[] = Array.from({ length: 10 }, (_, n) => ({
  id: `n${n}`,
  kind: n === 0 ? 'start' : 'approve',
  label: both(`Step ${n}`),
  state: n < 5 ? 'done' : n === 5 ? 'current' : 'predicted',
  assignees: [{ id: `s${n}`, name: `Person ${n}`, state: n < 5 ? 'agreed' : null, at: n < 5 ? at(n) : null }],
}))

export const LOG: readonly LogLine[] = Array.from({ length: 20 }, (_, n) => ({
  id: `l${n}`,
  at: at(n),
  byId: `s${n}`,
  byName: `Person ${n}`,
  action: n === 0 ? 'start' : 'comment',
  nodeName: both(`Step ${n % 6}`),
  comment: `What person ${n} said about it, in a sentence.`,
  files: [],
  diff: [],
  toNames: [],
  admin: false,
}))

/** The form as the gateway sends it for a step. */
const bundle = (): PageBundle => {
  const process = {
    name: 'bench',
    label: both('Bench'),
    form: {
      fields: Object.fromEntries(FIELDS.map(({ name, label, kind }) => [name, { ...TYPES[kind], 'x-label': both(label) }])),
      groups: [{ id: 'all', title: both('All'), fields: FIELDS.map(({ name }) => name) }],
    },
  } as Pick<ProcessDocument, 'name' | 'label' | 'form'>
  const rights: Rights = Object.fromEntries(FIELDS.map(({ name }, n) => [name, isTyped(n) ? 'E' : 'R']))
  return {
    page: formPage(process, rights, { kept: true }),
    where: 'processes/bench',
    revision: 'bench',
    entities: { [formEntityName(process)]: formEntity(process) },
    dictionaries: {
      benchOption: {
        formatVersion: 3,
        name: 'benchOption',
        module: 'wf',
        label: both('Options'),
        items: OPTIONS.map((code) => ({ code, label: both(code) })),
      },
    },
  }
}

/** The answer of operate/instanceDetail for a task that is waiting. */
export const taskDetail = (): InstanceDetail => ({
  instance: {
    id: 'i1',
    code: 'BE-2026-0001',
    title: both('Two hundred fields'),
    processId: 'p1',
    processCode: 'bench',
    processName: both('Bench'),
    versionNo: 1,
    status: 'running',
    urgency: 'normal',
    applicantId: 's1',
    applicantName: 'Person 0',
    deptName: 'Sales',
    startedAt: at(0),
    endedAt: null,
    round: 1,
    amount: '1200.00',
    currency: 'USD',
    amountCny: '8600.00',
    rowVersion: 1,
    effectStatus: null,
    effectError: null,
    effectState: null,
    bizType: null,
    bizId: null,
    bizCode: null,
    bizLink: null,
    draft: false,
    parentId: null,
  },
  form: {
    bundle: bundle(),
    values: VALUES_OF_FIELDS,
    rights: Object.fromEntries(FIELDS.map(({ name }, n) => [name, isTyped(n) ? 'E' : 'R'])),
    changed: [],
  },
  path: STEPS,
  timeline: LOG,
  myTask: {
    taskId: 't1',
    nodeId: 'n5',
    nodeName: both('Step 5'),
    kind: 'approve',
    agreeActions: ['agree'],
    rejectActions: ['reject'],
    transmit: true,
    needComment: 'never',
    needAttachment: false,
    needSign: false,
    dueAt: null,
    returnTargets: [],
    pick: [],
  },
  actions: ['agree', 'reject', 'transmit', 'comment', 'copy'],
  cc: [],
  urges: [],
})
