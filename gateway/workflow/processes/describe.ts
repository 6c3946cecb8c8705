import { dequal } from 'dequal/lite'
import type { Form, FormField, Node, ProcessDocument } from '../../../src/schema/generated/process'
import { branchOf, walkNodes } from '../../../src/schema/process'
import type { Text } from '../../platform/http'

/** One thing by which two versions of a process differ, in words. */
export interface ProcessChange {
  /** The same place gives the same id. */
  id: string
  kind: 'added' | 'removed' | 'moved' | 'changed'
  of: 'process' | 'field' | 'node' | 'branch'
  /** Id of the field, node or branch; of the process the word. */
  name: string
  text: Text
}

/** What a code of a dictionary is called. */
export type LabelOf = (dictionary: string, code: string) => Text

const say = (zh: string, en: string): Text => ({ zh, en })

const NODE_WORDS: Readonly<Record<string, { label: Text; dictionary?: string }>> = {
  label: { label: say('名称', 'name') },
  kind: { label: say('类型', 'kind'), dictionary: 'nodeKind' },
  assignees: { label: say('处理人', 'assignees') },
  multiMode: { label: say('多人方式', 'several assignees'), dictionary: 'multiMode' },
  percent: { label: say('同意比例', 'share that agrees') },
  emptyRule: { label: say('无人时', 'nobody found'), dictionary: 'emptyRule' },
  emptyStaff: { label: say('无人时的指定人', 'staff when nobody is found') },
  sameAsStarter: { label: say('发起人即审批人时', 'applicant is asked'), dictionary: 'sameRule' },
  sameAsPrevious: { label: say('与上一处理人相同时', 'same as the previous one'), dictionary: 'sameRule' },
  limitHours: { label: say('时限（小时）', 'time limit (hours)') },
  workCalendar: { label: say('按工作时间计', 'counts working hours') },
  onTimeout: { label: say('超时处理', 'at the limit'), dictionary: 'timeoutAction' },
  remindBefore: { label: say('提醒', 'reminders') },
  agreeActions: { label: say('同意方式', 'ways to agree'), dictionary: 'agreeAction' },
  rejectActions: { label: say('拒绝方式', 'ways to reject'), dictionary: 'rejectAction' },
  transmit: { label: say('可转交', 'can be passed on') },
  rules: { label: say('校验', 'rules') },
  needComment: { label: say('意见要求', 'comment'), dictionary: 'commentRule' },
  needAttachment: { label: say('必须附件', 'needs an attachment') },
  needSign: { label: say('必须签字', 'needs a signature') },
  batch: { label: say('可批量同意', 'can be agreed to together') },
  cc: { label: say('抄送', 'copies') },
  phase: { label: say('阶段', 'phase') },
  refuse: { label: say('退回条件', 'reasons to send back') },
  effects: { label: say('效果', 'effects') },
  onReturn: { label: say('退回时的效果', 'effects of a return') },
  onError: { label: say('失败时', 'when it fails'), dictionary: 'effectError' },
  until: { label: say('直到', 'until') },
  hours: { label: say('等待小时', 'hours to wait') },
  process: { label: say('子流程', 'sub-process') },
  values: { label: say('子流程的值', 'values of the sub-process') },
  wait: { label: say('等待子流程', 'waits for the sub-process') },
  result: { label: say('结果', 'result') },
}

const PROCESS_WORDS: Readonly<Record<string, { label: Text; dictionary?: string }>> = {
  label: { label: say('名称', 'Name') },
  description: { label: say('说明', 'Description') },
  icon: { label: say('图标', 'Icon') },
  group: { label: say('分组', 'Group'), dictionary: 'processGroup' },
  service: { label: say('业务动作', 'Business action'), dictionary: 'serviceName' },
  prefix: { label: say('单号前缀', 'Prefix of the numbers') },
  path: { label: say('申请页面', 'Apply page') },
  sort: { label: say('顺序', 'Order') },
  title: { label: say('标题', 'Title') },
  amount: { label: say('金额', 'Amount') },
  currency: { label: say('币种', 'Currency') },
  summary: { label: say('摘要字段', 'Fields of the summary') },
  object: { label: say('业务对象', 'Record that it is about') },
  decides: { label: say('代替的决定', 'Decision that it stands for') },
  startScope: { label: say('可发起的人', 'Who may start it') },
  allowDelegate: { label: say('允许委托', 'Delegation') },
  allowWithdraw: { label: say('撤回规则', 'Withdrawal'), dictionary: 'withdrawRule' },
  allowUrge: { label: say('允许催办', 'Urging') },
  maxReturns: { label: say('最多退回次数', 'Most returns of a step') },
  dedupe: { label: say('重复审批人', 'Repeated approvers'), dictionary: 'dedupeRule' },
  checks: { label: say('提交校验', 'Checks') },
  effects: { label: say('效果', 'Effects') },
}

const FORM_WORDS: Readonly<Record<string, Text>> = {
  required: say('表单必填字段', 'Required fields of the form'),
  groups: say('表单分组', 'Groups of the form'),
  lookups: say('表单查找', 'Look-ups of the form'),
  rules: say('表单规则', 'Rules of the form'),
}

/** What a version changes of the one before, in the order: the process, its form, its steps. Without a version before: nothing. */
export function describeProcess(before: ProcessDocument, after: ProcessDocument, labelOf: LabelOf): ProcessChange[] {
  return [...ofProcess(before, after, labelOf), ...ofForm(before.form, after.form), ...ofNodes(before, after, labelOf)]
}

function ofProcess(before: ProcessDocument, after: ProcessDocument, labelOf: LabelOf): ProcessChange[] {
  return Object.entries(PROCESS_WORDS).flatMap(([word, { label, dictionary }]): ProcessChange[] => {
    const [old, now] = [before, after].map((document) => (document as unknown as Record<string, unknown>)[word])
    if (dequal(old, now)) return []
    const change = fromTo(old, now, dictionary, labelOf)
    return [{ id: `process/${word}`, kind: 'changed', of: 'process', name: word, text: joined(label, change) }]
  })
}

/** How two forms differ, in words. */
export function ofForm(before: Form, after: Form): ProcessChange[] {
  const [old, now] = [before.fields, after.fields].map((fields) => new Map(Object.entries(fields))) as [
    Map<string, FormField>,
    Map<string, FormField>,
  ]
  const common = [...now.keys()].filter((key) => old.has(key))
  const orderBefore = [...old.keys()].filter((key) => now.has(key))
  return [
    ...[...old].flatMap(([key, field]) => (now.has(key) ? [] : [fieldChange('removed', key, field, say('已删除', 'removed'))])),
    ...[...now].flatMap(([key, field]): ProcessChange[] => {
      const earlier = old.get(key)
      if (!earlier) return [fieldChange('added', key, field, say('新增', 'added'))]
      const words = changedWords(earlier, field)
      if (words.length === 0) return []
      const list = words.join(', ')
      return [fieldChange('changed', key, field, say(`改变（${list}）`, `changed (${list})`))]
    }),
    ...(dequal(common, orderBefore)
      ? []
      : [
          {
            id: 'form#order',
            kind: 'moved',
            of: 'process',
            name: 'form',
            text: say('表单字段顺序改变', 'The order of the fields changed'),
          } as const,
        ]),
    ...Object.entries(FORM_WORDS).flatMap(([word, label]): ProcessChange[] => {
      const [was, is] = [before, after].map((form) => (form as unknown as Record<string, unknown>)[word])
      if (dequal(was, is)) return []
      return [{ id: `form/${word}`, kind: 'changed', of: 'process', name: word, text: joined(label, say('改变', 'changed')) }]
    }),
  ]
}

const changedWords = (before: FormField, after: FormField): string[] => {
  const words = new Set([...Object.keys(before), ...Object.keys(after)])
  const [old, now] = [before, after] as unknown as [Record<string, unknown>, Record<string, unknown>]
  return [...words].filter((word) => !dequal(old[word], now[word])).map((word) => word.replace(/^x-/, ''))
}

const fieldChange = (kind: ProcessChange['kind'], key: string, field: FormField, text: Text): ProcessChange => {
  const label = field['x-label'] as Text | undefined
  return {
    id: `field/${key}/${kind}`,
    kind,
    of: 'field',
    name: key,
    text: say(`字段「${label?.zh ?? key}」${text.zh}`, `Field "${label?.en ?? key}" ${text.en}`),
  }
}

function ofNodes(before: ProcessDocument, after: ProcessDocument, labelOf: LabelOf): ProcessChange[] {
  const [old, now] = [before, after].map((document) => new Map([...walkNodes(document)].map((node) => [node.id, node]))) as [
    Map<string, Node>,
    Map<string, Node>,
  ]
  const named = ({ id, label, kind }: Node): Text => {
    const usual = labelOf('nodeKind', kind)
    return say(`步骤「${label?.zh ?? usual.zh}」（${id}）`, `Step "${label?.en ?? usual.en}" (${id})`)
  }
  const place = (document: ProcessDocument, id: string) => branchOf(document, id)?.branch.id ?? ''
  const orderOf = (document: ProcessDocument, nodes: Map<string, Node>) =>
    [...walkNodes(document)].map(({ id }) => id).filter((id) => nodes.has(id))
  const moved = !dequal(orderOf(before, now), orderOf(after, old))
  return [
    ...[...old.values()].flatMap((node): ProcessChange[] =>
      now.has(node.id)
        ? []
        : [
            {
              id: `node/${node.id}/removed`,
              kind: 'removed',
              of: 'node',
              name: node.id,
              text: joined(named(node), say('已删除', 'removed')),
            },
          ],
    ),
    ...[...now.values()].flatMap((node): ProcessChange[] => {
      const earlier = old.get(node.id)
      const one = (kind: ProcessChange['kind'], word: string, text: Text): ProcessChange => ({
        id: `node/${node.id}/${word}`,
        kind,
        of: 'node',
        name: node.id,
        text: joined(named(node), text),
      })
      if (!earlier) return [one('added', 'added', say('新增', 'added'))]
      const elsewhere = place(before, node.id) !== place(after, node.id)
      return [
        ...(elsewhere ? [one('moved', 'place', say('移到另一分支', 'moved to another branch'))] : []),
        ...wordsOf(earlier, node, labelOf).map(({ word, text }) => one('changed', word, text)),
        ...rightsOf(earlier, node).map(({ word, text }) => one('changed', word, text)),
        ...branchesOf(earlier, node).map(({ word, text }) => one('changed', word, text)),
      ]
    }),
    ...(moved
      ? [
          {
            id: 'nodes#order',
            kind: 'moved',
            of: 'process',
            name: 'nodes',
            text: say('步骤顺序改变', 'The order of the steps changed'),
          } as const,
        ]
      : []),
  ]
}

interface Told {
  word: string
  text: Text
}

function wordsOf(before: Node, after: Node, labelOf: LabelOf): Told[] {
  const [old, now] = [before, after] as unknown as [Record<string, unknown>, Record<string, unknown>]
  return Object.entries(NODE_WORDS).flatMap(([word, { label, dictionary }]) =>
    dequal(old[word], now[word]) ? [] : [{ word, text: joined(label, fromTo(old[word], now[word], dictionary, labelOf)) }],
  )
}

function rightsOf(before: Node, after: Node): Told[] {
  const fields = new Set([...Object.keys(before.fieldRights ?? {}), ...Object.keys(after.fieldRights ?? {})])
  return [...fields].flatMap((field) => {
    const [old, now] = [before.fieldRights?.[field], after.fieldRights?.[field]]
    if (old === now) return []
    const change = `${old ?? '-'} → ${now ?? '-'}`
    return [{ word: `rights/${field}`, text: say(`字段 ${field} 的权限 ${change}`, `right to the field ${field} ${change}`) }]
  })
}

function branchesOf(before: Node, after: Node): Told[] {
  const old = new Map((before.branches ?? []).map((branch) => [branch.id, branch]))
  const now = new Map((after.branches ?? []).map((branch) => [branch.id, branch]))
  return [
    ...[...old.keys()]
      .filter((id) => !now.has(id))
      .map((id) => ({ word: `branch/${id}`, text: say(`分支 ${id} 已删除`, `branch ${id} removed`) })),
    ...[...now.values()].flatMap((branch): Told[] => {
      const earlier = old.get(branch.id)
      const name = say(branch.label?.zh ?? branch.id, branch.label?.en ?? branch.id)
      const told = (text: Text) => ({
        word: `branch/${branch.id}`,
        text: say(`分支「${name.zh}」${text.zh}`, `branch "${name.en}" ${text.en}`),
      })
      if (!earlier) return [told(say('新增', 'added'))]
      if (earlier.when !== branch.when)
        return [
          told(
            say(
              `条件 ${earlier.when ?? '默认'} → ${branch.when ?? '默认'}`,
              `condition ${earlier.when ?? 'default'} → ${branch.when ?? 'default'}`,
            ),
          ),
        ]
      return dequal(earlier.label, branch.label) ? [] : [told(say('改名', 'renamed'))]
    }),
  ]
}

/** Values that can be said in a line are; of others only that they changed. */
function fromTo(before: unknown, after: unknown, dictionary: string | undefined, labelOf: LabelOf): Text {
  const [old, now] = [spoken(before, dictionary, labelOf), spoken(after, dictionary, labelOf)]
  return old && now ? say(`${old.zh} → ${now.zh}`, `${old.en} → ${now.en}`) : say('改变', 'changed')
}

function spoken(value: unknown, dictionary: string | undefined, labelOf: LabelOf): Text | undefined {
  if (value === undefined) return say('默认', 'default')
  if (typeof value === 'boolean') return value ? say('是', 'yes') : say('否', 'no')
  if (typeof value === 'number') return say(String(value), String(value))
  if (typeof value === 'string')
    return dictionary ? labelOf(dictionary, value) : value.length <= 120 ? say(value, value) : undefined
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')) {
    const words = value.map((item) => (dictionary ? labelOf(dictionary, String(item)) : say(String(item), String(item))))
    return say(words.map(({ zh }) => zh).join('、') || '无', words.map(({ en }) => en).join(', ') || 'none')
  }
  if (value !== null && typeof value === 'object' && 'zh' in value && 'en' in value)
    return say(String(value.zh), String(value.en))
  return undefined
}

const joined = (a: Text, b: Text): Text => say(`${a.zh}：${b.zh}`, `${a.en}: ${b.en}`)
