import { formEntity, formPage, rightsOf } from '../../../src/schema/process'
import type { ProcessDocument } from '../../../src/schema/generated/process'

const text = (zh: string, en: string) => ({ zh, en })

/** A process with a limit that the last step may lower. */
export const creditProcess: ProcessDocument = {
  formatVersion: 3,
  name: 'prepay',
  label: text('预付费授信', 'Prepaid credit'),
  group: 'credit',
  prefix: 'YSX',
  form: {
    fields: {
      reason: { type: 'string', maxLength: 200, 'x-label': text('原因', 'Reason') },
      days: { type: 'integer', 'x-label': text('天数', 'Days') },
      approvedDays: { type: 'integer', 'x-label': text('批准天数', 'Days approved') },
    },
    required: ['reason'],
  },
  nodes: [
    { id: 'start', kind: 'start' },
    {
      id: 'officer',
      kind: 'approve',
      label: text('信控专员', 'Credit officer'),
      assignees: [{ rule: 'staff', staff: ['s2'] }],
      fieldRights: { approvedDays: 'E' },
    },
    { id: 'end', kind: 'end' },
  ],
} as ProcessDocument

const staff = {
  formatVersion: 3,
  name: 'sys.staff',
  label: text('员工', 'Staff'),
  titleField: 'name',
  'x-path': '/v2/sys/staff/user',
  type: 'object',
  properties: { name: { type: 'string', 'x-label': text('姓名', 'Name') } },
}
const urgency = {
  formatVersion: 3,
  name: 'urgency',
  module: 'wf',
  label: text('紧急程度', 'Urgency'),
  items: [
    { code: 'normal', label: text('普通', 'Normal') },
    { code: 'urgent', label: text('紧急', 'Urgent') },
  ],
}

/** The form of a node, as the gateway sends it. */
export const bundleAt = (node: string | null) => ({
  page: formPage(creditProcess, rightsOf(creditProcess, node)),
  where: 'processes/prepay',
  revision: `prepay ${node ?? 'onlooker'}`,
  entities: { 'form.prepay': formEntity(creditProcess), 'sys.staff': staff },
  dictionaries: { urgency },
})

const path = [
  {
    id: 'start',
    kind: 'start',
    label: text('发起', 'Start'),
    state: 'done',
    assignees: [{ id: 's1', name: '王伟', state: 'done', at: '2026-03-09T01:00:00.000Z' }],
  },
  {
    id: 'amount',
    kind: 'condition',
    label: text('按金额', 'By amount'),
    state: 'done',
    branches: [
      {
        id: 'small',
        label: text('5万以内', 'Up to 50,000'),
        taken: true,
        why: text('金额 8,000', 'The amount is 8,000'),
        nodes: [
          {
            id: 'officer',
            kind: 'approve',
            label: text('信控专员', 'Credit officer'),
            state: 'current',
            assignees: [{ id: 's2', name: '李娜', state: 'pending' }],
            dueAt: '2026-03-11T01:00:00.000Z',
          },
        ],
      },
      { id: 'large', label: text('其他', 'Else'), taken: false, nodes: [] },
    ],
  },
  { id: 'end', kind: 'end', label: text('结束', 'End'), state: 'predicted' },
]

/** An application that waits for the reader. */
export const instanceDetail = {
  instance: {
    id: 'i1',
    code: 'YSX202603090001',
    title: text('王伟 · 预付费授信', 'Wang Wei · Prepaid credit'),
    processId: 'p1',
    processCode: 'prepay',
    processName: creditProcess.label,
    versionNo: 2,
    status: 'running',
    urgency: 'urgent',
    applicantId: 's1',
    applicantName: '王伟',
    deptName: '销售一部',
    startedAt: '2026-03-09T01:00:00.000Z',
    endedAt: null,
    round: 2,
    amount: '8000.00',
    currency: 'USD',
    amountCny: '57600.00',
    rowVersion: 5,
    effectStatus: 'none',
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
    bundle: bundleAt('officer'),
    values: { reason: 'Transfer is under way', days: 10, approvedDays: 7, urgency: 'urgent' },
    rights: rightsOf(creditProcess, 'officer'),
    changed: [
      {
        field: 'approvedDays',
        label: text('批准天数', 'Days approved'),
        before: 10,
        after: 7,
        by: '陈静',
        at: '2026-03-09T03:00:00.000Z',
        nodeName: text('主管', 'Leader'),
      },
    ],
  },
  path,
  timeline: [
    {
      id: 'l1',
      at: '2026-03-09T01:00:00.000Z',
      byId: 's1',
      byName: '王伟',
      action: 'start',
      comment: null,
      files: [],
      diff: [],
      toNames: [],
      admin: false,
    },
    {
      id: 'l2',
      at: '2026-03-09T03:00:00.000Z',
      byId: 's3',
      byName: '陈静',
      action: 'agree',
      nodeName: text('主管', 'Leader'),
      comment: 'Seven days are enough.',
      files: [],
      diff: [{ field: 'approvedDays', label: text('批准天数', 'Days approved'), before: 10, after: 7 }],
      toNames: [],
      admin: false,
    },
  ],
  myTask: {
    taskId: 't1',
    nodeId: 'officer',
    nodeName: text('信控专员', 'Credit officer'),
    kind: 'approve',
    agreeActions: ['agree', 'agreeSign'],
    rejectActions: ['rejectEnd', 'returnStart', 'returnNode'],
    transmit: true,
    needComment: 'onReject',
    needAttachment: false,
    needSign: false,
    dueAt: '2026-03-11T01:00:00.000Z',
    returnTargets: [{ nodeId: 'start', name: text('发起', 'Start') }],
    pick: [],
  },
  actions: ['agree', 'reject', 'transmit', 'comment', 'urge', 'copy', 'terminate'],
  cc: [{ id: 's4', name: '赵强', readAt: null }],
  urges: [],
  seenBefore: '2026-03-09T02:00:00.000Z',
}

/** What the calls of approvals answer in the tests of widgets. */
export const approvalAnswers: Readonly<Record<string, unknown>> = {
  '/v2/workflow/select/process': [
    {
      value: 'p1',
      label: creditProcess.label,
      extra: {
        id: 'p1',
        code: 'prepay',
        group: 'credit',
        icon: 'wallet',
        applyPath: '/general/process/credit-apply/prepay/apply',
      },
    },
    {
      value: 'p2',
      label: text('通用申请', 'Generic application'),
      extra: { id: 'p2', code: 'generic', group: 'ops', icon: null, applyPath: '/businessOperations/submitApply' },
    },
  ],
  '/v2/workflow/my/summary': { applyNum: 2, ccNum: 3, handleNum: 14, todoNum: 5 },
  '/v2/workflow/my/applyPage': {
    total: 1,
    list: [
      {
        instanceId: 'i9',
        code: 'YSX202603010001',
        title: text('王伟 · 预付费授信', 'Wang Wei · Prepaid credit'),
        processId: 'p1',
        processName: creditProcess.label,
        arrivedAt: '2026-03-01T01:00:00.000Z',
      },
    ],
  },
  '/v2/workflow/my/delegation/page': {
    given: [
      {
        id: 'g1',
        toId: 's2',
        toName: '李娜',
        fromAt: '2026-03-01T01:00:00.000Z',
        untilAt: '2026-03-20T01:00:00.000Z',
        status: 'active',
      },
    ],
    received: [],
  },
  '/v2/workflow/process/formField/prepay': {
    process: { id: 'p1', code: 'prepay', name: creditProcess.label, group: 'credit', versionNo: 2 },
    bundle: bundleAt('start'),
    rights: rightsOf(creditProcess, 'start'),
    pick: [{ nodeId: 'officer', name: text('信控专员', 'Credit officer'), among: [{ id: 's2', name: '李娜' }] }],
  },
  '/v2/workflow/operate/start': { path, errors: [{ field: 'reason', text: text('请填写原因', 'Give the reason') }] },
  '/v2/workflow/operate/instanceDetail': instanceDetail,
  '/v2/workflow/operate/read': {},
}
