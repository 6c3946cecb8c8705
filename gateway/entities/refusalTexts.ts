/** What people read when a write is refused: who may not do what, with what, why, and what helps. One sentence a cause, wherever it is refused. */
import type { EntityModel, FieldModel } from '../../src/schema/entity'
import type { BilingualText } from '../../src/schema/problem'
import { ServiceError, type Text } from '../platform/http'
import type { InputProblem } from './errors'

type Named = Pick<FieldModel, 'name' | 'label'>
type Sentence = (field: Text, what: Text) => Text

/** By the rule that an answer names. */
const OF_A_FIELD = {
  required: ({ zh, en }) => ({ zh: `请填写“${zh}”。`, en: `"${en}" is required.` }),
  readOnly: ({ zh, en }) => ({
    zh: `“${zh}”由系统维护，不能填写。`,
    en: `"${en}" is kept by the system; it cannot be given.`,
  }),
  state: ({ zh, en }) => ({
    zh: `“${zh}”只能通过操作改变，不能直接填写。`,
    en: `"${en}" changes by its actions; it cannot be typed.`,
  }),
  immutable: ({ zh, en }) => ({
    zh: `“${zh}”在新建后不能修改。`,
    en: `"${en}" cannot be changed after the record was created.`,
  }),
  format: ({ zh, en }) => ({ zh: `“${zh}”须是由行组成的列表。`, en: `"${en}" has to be a list of rows.` }),
  maxItems: ({ zh, en }, most) => ({ zh: `“${zh}”最多 ${most.zh} 行。`, en: `"${en}" takes at most ${most.en} lines.` }),
  tooMany: ({ zh, en }, lines) => ({
    zh: `“${zh}”有 ${lines.zh} 行，不能整体替换，请按行修改。`,
    en: `"${en}" has ${lines.en} lines; they cannot be replaced all at once.`,
  }),
  retired: ({ zh, en }, value) => ({
    zh: `“${zh}”的值“${value.zh}”已停用，请另选。`,
    en: `"${value.en}" of "${en}" is retired; choose another.`,
  }),
  dictionary: ({ zh, en }, value) => ({ zh: `“${zh}”没有值${value.zh}。`, en: `"${en}" has no value ${value.en}.` }),
  reference: ({ zh, en }, target) => ({
    zh: `“${zh}”所选的${target.zh}不存在、不在您的可见范围内或不可选。`,
    en: `The ${target.en.toLowerCase()} chosen as "${en}" does not exist, is outside what you may see, or cannot be chosen.`,
  }),
} satisfies Record<string, Sentence>

/** A value that is refused; `what` is what the sentence names besides the field. */
export const fieldProblem = (rule: keyof typeof OF_A_FIELD, { name, label }: Named, what: Text | number = 0): InputProblem => ({
  field: name,
  rule,
  message: OF_A_FIELD[rule](label, typeof what === 'number' ? { zh: String(what), en: String(what) } : what),
})

/** Nobody writes what he may not see or change. */
export function fieldForbidden({ name, label }: Named): ServiceError {
  const message = { zh: `您没有修改“${label.zh}”的权限。`, en: `You have no permission to change "${label.en}".` }
  return new ServiceError('noPermission', { message, data: { field: name } })
}

type Deed = 'write' | 'edit' | 'delete'
const OF_A_RECORD: Readonly<Record<Deed, (zh: string, en: string) => Text>> = {
  write: (zh, en) => ({ zh: `您只能查看这条${zh}，不能修改。`, en: `You may read this ${en} but not change it.` }),
  edit: (zh, en) => ({
    zh: `您现在不能修改这条${zh}，或其中的这些字段。`,
    en: `You may not change this ${en} now, or not these fields of it.`,
  }),
  delete: (zh, en) => ({ zh: `您现在不能删除这条${zh}。`, en: `You may not delete this ${en} now.` }),
}

/** Why a person may not do something with a record: `write` never, the others not now. */
export const recordRefusal = ({ label }: EntityModel, deed: Deed): Text => OF_A_RECORD[deed](label.zh, label.en.toLowerCase())

/** A step is for certain people, or not for them. */
export const stepRefusal = (step: BilingualText, people: Text, only: boolean): Text =>
  only
    ? { zh: `只有${people.zh}可以执行“${step.zh}”。`, en: `Only ${people.en} may do this: ${step.en}.` }
    : { zh: `${people.zh}不能执行“${step.zh}”。`, en: `This is not for ${people.en}: ${step.en}.` }

export const NOT_ALLOWED: Text = { zh: '您没有执行此操作的权限。', en: 'You have no permission for this.' }

/** Something that a document says cannot be worked out: a matter of its author. */
export const failedRefusal = (what: Text, why: Text): Text => ({
  zh: `${what.zh}无法计算：${why.zh}`,
  en: `${what.en} failed: ${why.en}`,
})
