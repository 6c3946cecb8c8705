import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { Assignee, Branch, Node, ProcessDocument } from '../../../schema/generated/process'
import type { BilingualText, Locale } from '../../../schema/problem'
import { parseTerms, isGroup, type Operator, type Terms } from '../condition/terms'
import { choiceName } from '../language/choices'
import { processTexts } from './texts'
import type { Catalogue } from './types'

/** What a flow is told with: names of people, roles, fields and values. */
export interface Words {
  locale: Locale
  catalogue: Catalogue
  /** Names of members of staff by their ids. */
  names: ReadonlyMap<string, string>
  /** Labels of the fields of the form by their names. */
  fields: ReadonlyMap<string, { label: string; dictionary?: string }>
}

/** The text in the viewer's language, or in the other where that one is empty. */
export const textIn = (text: BilingualText | string | undefined, locale: Locale): string =>
  typeof text === 'string' ? text : text ? text[locale] || text.zh || text.en : ''

export const dictionaryOf = ({ dictionaries }: Catalogue, name: string): DictionaryDocument | undefined =>
  dictionaries.find((one) => one.name === name)

/** What a value of a dictionary is called; the code where the dictionary does not know it. */
export const valueName = (catalogue: Catalogue, dictionary: string, code: string, locale: Locale): string =>
  textIn(dictionaryOf(catalogue, dictionary)?.items.find((item) => item.code === code)?.label, locale) || code

/** The values of a dictionary that can be chosen, in its order; of these codes only, where they are given. */
export const choicesOf = (
  catalogue: Catalogue,
  dictionary: string,
  locale: Locale,
  codes?: readonly string[],
): { value: string; label: string }[] => {
  const items = (dictionaryOf(catalogue, dictionary)?.items ?? []).filter(({ retired }) => !retired)
  const known = items.map(({ code, label }) => ({ value: code, label: textIn(label, locale) }))
  if (!codes) return known
  return codes.map((code) => known.find(({ value }) => value === code) ?? { value: code, label: code })
}

const joined = (parts: readonly string[], locale: Locale): string => parts.join(locale === 'zh' ? '、' : ', ')

/** What a step is called. */
export const nodeName = (node: Node, { locale, catalogue }: Pick<Words, 'locale' | 'catalogue'>): string =>
  textIn(node.label, locale) || valueName(catalogue, 'nodeKind', node.kind, locale)

/** Who an assignee rule finds, in words. */
export const assigneeText = (assignee: Assignee, words: Words): string => {
  const { locale, catalogue, names, fields } = words
  const texts = processTexts[locale]
  const rule = valueName(catalogue, 'assigneeRule', assignee.rule, locale)
  const people = (assignee.staff ?? []).map((id) => names.get(id) ?? '…')
  const field = (path: string | undefined): string => (path ? (fields.get(path)?.label ?? path) : '…')
  switch (assignee.rule) {
    case 'staff':
      return people.length === 0 ? rule : joined(people, locale)
    case 'role':
    case 'dutyRoster': {
      const role = catalogue.roles.find(({ code }) => code === assignee.role)
      return textIn(role?.name, locale) || assignee.role || rule
    }
    case 'deptLeader':
      return texts.levelOf(assignee.level ?? 1) + (assignee.chain ? ` (${texts.chain})` : '')
    case 'leaderOf':
      return `${field(assignee.field)} · ${texts.levelOf(assignee.level ?? 1)}`
    case 'formField':
      return field(assignee.field)
    default:
      return rule
  }
}

/** One line about what happens at a step. */
export const summaryOf = (node: Node, words: Words): string => {
  const { locale, catalogue } = words
  const texts = processTexts[locale]
  switch (node.kind) {
    case 'approve':
    case 'handle':
    case 'cc': {
      const who = joined(
        (node.assignees ?? []).map((one) => assigneeText(one, words)),
        locale,
      )
      const several = node.kind === 'cc' ? '' : ` · ${valueName(catalogue, 'multiMode', node.multiMode ?? 'any', locale)}`
      return who + (who && (node.assignees?.length ?? 0) + (node.assignees?.[0]?.staff?.length ?? 0) > 1 ? several : '')
    }
    case 'condition':
    case 'inclusive':
    case 'parallel':
      return joined(
        (node.branches ?? []).map((branch) => textIn(branch.label, locale) || branch.id),
        locale,
      )
    case 'delay':
      return node.until ?? (node.hours === undefined ? '' : `${node.hours} h`)
    case 'service':
      return texts.phases[node.phase ?? 'effect']
    case 'subProcess':
      return textIn(catalogue.processes.find(({ code }) => code === node.process)?.name, locale) || (node.process ?? '')
    case 'end':
      return texts.results[node.result ?? 'agreed']
    default:
      return ''
  }
}

const SIGNS: Partial<Readonly<Record<Operator, string>>> = { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' }

const termsText = (terms: Terms, words: Words): string => {
  const { locale, fields, catalogue } = words
  const between = terms.any ? (locale === 'zh' ? ' 或 ' : ' or ') : locale === 'zh' ? ' 且 ' : ' and '
  return terms.members
    .map((member) => {
      if (isGroup(member)) return `(${termsText(member, words)})`
      const field = fields.get(member.field)
      const shown = (value: unknown): string =>
        typeof value === 'string' && field?.dictionary ? valueName(catalogue, field.dictionary, value, locale) : String(value)
      const value = Array.isArray(member.value) ? joined((member.value as unknown[]).map(shown), locale) : shown(member.value)
      const sign = SIGNS[member.operator] ?? choiceName(member.operator, locale)
      return `${field?.label ?? member.field} ${sign}${member.value === undefined ? '' : ` ${value}`}`
    })
    .join(between)
}

/** When a branch is taken, in words; the expression where it says more than conditions can. */
export const branchText = (node: Node, branch: Branch, words: Words): string => {
  const texts = processTexts[words.locale]
  if (node.kind === 'parallel') return texts.always
  if (node.kind === 'condition' && node.branches?.at(-1) === branch) return texts.otherwise
  if (!branch.when) return texts.emptyCondition
  const terms = parseTerms(branch.when)
  return terms && terms.members.length > 0 ? termsText(terms, words) : branch.when.replace(/^\{\{\s*|\s*\}\}$/g, '')
}

/** Labels of the fields of a form by name, fields of rows by their path. */
export const fieldLabels = (form: ProcessDocument['form'], locale: Locale): Words['fields'] => {
  const labels = new Map<string, { label: string; dictionary?: string }>()
  const add = (fields: ProcessDocument['form']['fields'], prefix: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      const { 'x-label': label, 'x-dictionary': dictionary } = field
      labels.set(prefix + name, {
        label: textIn(label as BilingualText | undefined, locale) || name,
        ...(typeof dictionary === 'string' ? { dictionary } : {}),
      })
      if (field.rows) add(field.rows.fields, `${prefix}${name}.`)
    }
  }
  add(form.fields, '')
  return labels
}

/** Ids of all members of staff that a process names. */
export const staffOf = (document: ProcessDocument): string[] => {
  const found = new Set<string>()
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      for (const { staff } of [...(node.assignees ?? []), ...(node.cc ?? [])]) staff?.forEach((id) => found.add(id))
      node.emptyStaff?.forEach((id) => found.add(id))
      node.branches?.forEach((branch) => visit(branch.nodes))
    }
  }
  visit(document.nodes)
  for (const entry of document.startScope ?? []) if ('staff' in entry) found.add(entry.staff)
  return [...found]
}
