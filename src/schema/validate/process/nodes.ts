import { pointer } from '../../diagnosis'
import type { Node, ProcessDocument } from '../../generated/process'
import { isForPeople, pathTo, placesOf, type NodePlace } from '../../process'
import type { BilingualText } from '../../problem'
import type { Checker } from '../checker'
import type { RuleCheck } from '../rules'
import { checkAssignees } from './assignees'

/** Nodes of one process, and branches within branches. */
const [MOST_NODES, DEEPEST] = [200, 8]

const SPLITS: ReadonlySet<Node['kind']> = new Set(['condition', 'inclusive', 'parallel'])
/** Groups in which nobody decides about his own application (money 7.2). */
const OF_MONEY: ReadonlySet<ProcessDocument['group']> = new Set(['credit', 'money'])

/** The tree: where it begins and ends, what each node needs, and that each branch is taken at some time. */
export function checkNodes(checker: Checker, process: ProcessDocument, rules: RuleCheck): void {
  const nodes = new NodeCheck(checker, process, rules)
  const places = [...placesOf(process)]
  if (places.length > MOST_NODES)
    nodes.wrong('/nodes', {
      zh: `流程有 ${places.length} 个节点，最多 ${MOST_NODES} 个：把一部分做成子流程。`,
      en: `The process has ${places.length} nodes, at most ${MOST_NODES} are possible: make a part of it a process of its own.`,
    })
  const seen = new Set<string>()
  for (const place of places) {
    const { node, at } = place
    if (seen.has(node.id))
      checker.add(
        'duplicate-id',
        pointer(at, 'id'),
        { zh: `标识“${node.id}”重复。`, en: `The id "${node.id}" is used twice.` },
        { value: node.id },
      )
    seen.add(node.id)
    nodes.place(place)
    nodes.node(place)
  }
}

class NodeCheck {
  constructor(
    private readonly checker: Checker,
    private readonly process: ProcessDocument,
    private readonly rules: RuleCheck,
  ) {}

  wrong(at: string, message: BilingualText): void {
    this.checker.add('process-structure', at, message)
  }

  /** Where it stands. */
  place({ node, at, within, sequence, index }: NodePlace): void {
    const trunk = within.length === 0
    const last = index === sequence.length - 1
    if (trunk && index === 0 && node.kind !== 'start')
      this.wrong(at, { zh: '第一个节点须是发起（start）。', en: 'The first node has to be the start.' })
    if (node.kind === 'start' && !(trunk && index === 0))
      this.wrong(at, { zh: '发起（start）只能是第一个节点。', en: 'The start can only be the first node.' })
    if (trunk && last && node.kind !== 'end')
      this.wrong(at, { zh: '最后一个节点须是结束（end）。', en: 'The last node has to be an end.' })
    if (node.kind === 'end' && !last)
      this.wrong(at, {
        zh: '结束（end）之后的节点永远到不了：请把它移到这一段的最后，或删除后面的节点。',
        en: 'Nothing comes after an end: move it to the end of its sequence, or take away what follows.',
      })
    if (node.kind === 'end' && within.some(({ node: outer }) => outer.kind === 'parallel'))
      this.wrong(at, {
        zh: '并行分支要汇合，不能在其中一条里结束整个流程。',
        en: 'Parallel branches are joined: one of them cannot end the whole process.',
      })
    if (within.length > DEEPEST)
      this.wrong(at, {
        zh: `分支最多嵌套 ${DEEPEST} 层。`,
        en: `Branches lie at most ${DEEPEST} levels deep in one another.`,
      })
  }

  node(place: NodePlace): void {
    const { node, at } = place
    this.branches(node, at)
    if (isForPeople(node)) this.people(place)
    else if (node.kind === 'cc') this.needs(node, at, 'assignees', '抄送给谁', 'who gets the copy')
    for (const word of ['assignees', 'cc'] as const)
      if (node[word]) checkAssignees(this.checker, this.process, this.rules, place, word)
    this.rules.reads(node.limitHours, pointer(at, 'limitHours'))
    this.rules.reads(node.until, pointer(at, 'until'))
    this.rules.refusals(node.rules, pointer(at, 'rules'))
    this.rules.refusals(node.refuse, pointer(at, 'refuse'))
    this.rules.effects(node.effects, pointer(at, 'effects'))
    this.rules.effects(node.onReturn, pointer(at, 'onReturn'))
    this.machine(node, at)
  }

  /** What the portal does by itself. */
  private machine(node: Node, at: string): void {
    switch (node.kind) {
      case 'service':
        if (node.phase === 'check') this.needs(node, at, 'refuse', '何时退回', 'when it sends back')
        else this.needs(node, at, 'effects', '做什么', 'what is done')
        return
      case 'notify':
        this.needs(node, at, 'effects', '通知谁、说什么', 'who is told what')
        return
      case 'delay':
        if ((node.until === undefined) === (node.hours === undefined))
          this.wrong(at, {
            zh: '等待节点须写明等到何时（until）或等多少小时（hours），只写其一。',
            en: 'A delay says until when it waits (until) or for how many hours (hours), one of them.',
          })
        return
      case 'subProcess':
        this.needs(node, at, 'process', '启动哪个流程', 'which process is started')
        return
      default:
    }
  }

  private needs(node: Node, at: string, word: keyof Node, zh: string, en: string): void {
    const value = node[word]
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) return
    this.wrong(at, {
      zh: `节点“${node.label?.zh ?? node.id}”缺少 ${word}：须写明${zh}。`,
      en: `The node "${node.label?.en ?? node.id}" lacks "${word}": it has to say ${en}.`,
    })
  }

  private branches(node: Node, at: string): void {
    const { branches, kind } = node
    if (SPLITS.has(kind) !== (branches !== undefined)) {
      this.wrong(branches ? pointer(at, 'branches') : at, {
        zh: branches ? `“${kind}”节点没有分支。` : `“${kind}”节点须有分支（branches）。`,
        en: branches ? `A node of the kind "${kind}" has no branches.` : `A node of the kind "${kind}" needs branches.`,
      })
      return
    }
    this.checker.unique(
      (branches ?? []).map(({ id }) => id),
      pointer(at, 'branches'),
      'id',
    )
    branches?.forEach(({ when }, index) => {
      const here = pointer(at, 'branches', index)
      const last = index === branches.length - 1
      if (kind === 'parallel' && when !== undefined)
        this.wrong(pointer(here, 'when'), {
          zh: '并行的分支都会走，不能有条件。需要条件时用 inclusive。',
          en: 'All branches of a parallel node are taken: none has a condition. With conditions it is "inclusive".',
        })
      if (kind === 'condition' && last && when !== undefined)
        this.wrong(pointer(here, 'when'), {
          zh: '最后一个分支是其余情况，不能有条件。',
          en: 'The last branch is for everything else: it has no condition.',
        })
      if (kind !== 'parallel' && !last && when === undefined)
        this.wrong(here, {
          zh: '这个分支须有条件（when）；没有条件的分支只能是最后一个。',
          en: 'This branch needs a condition (when); only the last one has none.',
        })
      this.rules.reads(when, pointer(here, 'when'))
    })
  }

  private people(place: NodePlace): void {
    const { node, at } = place
    const { form, group } = this.process
    if (node.label === undefined) this.needs(node, at, 'label', '这一步叫什么', 'what the step is called')
    this.needs(node, at, 'assignees', '由谁处理', 'who gets the task')
    if ((node.multiMode === 'vote') !== (node.percent !== undefined))
      this.wrong(node.percent === undefined ? at : pointer(at, 'percent'), {
        zh: '按比例通过（vote）须写明 percent，其他方式没有。',
        en: '"vote" needs "percent"; no other mode has it.',
      })
    if ((node.emptyRule === 'toStaff') !== (node.emptyStaff !== undefined))
      this.wrong(node.emptyStaff === undefined ? at : pointer(at, 'emptyStaff'), {
        zh: '找不到人时转给指定人员（toStaff）须写明 emptyStaff，其他规则没有。',
        en: '"toStaff" needs "emptyStaff", who gets it then; no other rule has it.',
      })
    if (OF_MONEY.has(group) && node.sameAsStarter === 'keep')
      this.checker.add('own-approval', pointer(at, 'sameAsStarter'), {
        zh: '授信和资金类流程里，申请人不能审批自己的申请：请用 toLeader 或 skip。',
        en: 'In processes of credit and money nobody approves his own application: use "toLeader" or "skip".',
      })
    const handles = node.kind === 'handle'
    node.agreeActions?.forEach((action, index) => {
      if ((action === 'done') !== handles)
        this.wrong(pointer(at, 'agreeActions', index), {
          zh: handles ? '办理节点只有“办理完成”（done）。' : '“办理完成”（done）只属于办理节点。',
          en: handles
            ? 'A node of the kind "handle" is done: it has no other way.'
            : '"done" belongs to nodes of the kind "handle".',
        })
    })
    node.rejectActions?.forEach((action, index) => {
      const here = pointer(at, 'rejectActions', index)
      if (handles && action === 'rejectEnd')
        this.wrong(here, {
          zh: '办理节点不能拒绝，只能退回。',
          en: 'What is handled is not rejected, only returned.',
        })
      if (action === 'returnNode' && !pathTo(this.process, node.id).some(isForPeople))
        this.wrong(here, {
          zh: '之前没有别的人处理，没有节点可以退回：请用 returnStart。',
          en: 'Nobody acts before this node, so that there is none to return to: use "returnStart".',
        })
    })
    node.rules?.forEach(({ field }, index) => {
      if (field !== undefined)
        this.checker.field(
          new Map(Object.entries(form.fields)),
          field,
          pointer(at, 'rules', index, 'field'),
          `form.${this.process.name}`,
        )
    })
  }
}
