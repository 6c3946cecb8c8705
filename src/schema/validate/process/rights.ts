import { pointer } from '../../diagnosis'
import type { ProcessDocument } from '../../generated/process'
import { isForPeople, namedFields, placesOf, rightsOf, startOf } from '../../process'
import type { Checker } from '../checker'

/** Rights name fields of the form, give to type only what can be typed, and leave nobody with a field that he has to fill and cannot. */
export function checkRights(checker: Checker, process: ProcessDocument): void {
  const fields = new Map(namedFields(process).map(([name, field]) => [name, field]))
  for (const { node, at } of placesOf(process)) {
    for (const [name, right] of Object.entries(node.fieldRights ?? {})) {
      const here = pointer(at, 'fieldRights', name)
      if (!checker.field(fields, name, here, `form.${process.name}`)) continue
      const field = fields.get(name)!
      if (right === 'H' || right === 'R') continue
      if (node.kind !== 'start' && !isForPeople(node))
        checker.add('field-kind-mismatch', here, {
          zh: '这种节点上没有人填写字段。',
          en: 'Nobody fills in fields at a node of this kind.',
        })
      else if (field.value !== undefined || field.readOnly)
        checker.add('field-kind-mismatch', here, {
          zh: `“${name}”由别的字段推算或只读，没有人能填写。`,
          en: `"${name}" follows other fields or is read-only: nobody can fill it in.`,
        })
      const [rows, cell] = name.split('.')
      if (right === 'M' && cell !== undefined && rightsOf(process, node.id)[rows!] === 'H') hidden(checker, here, name)
    }
  }
  const start = startOf(process)
  if (!start) return
  const rights = rightsOf(process, start.id)
  process.form.required?.forEach((name, index) => {
    const field = process.form.fields[name]
    if (!field || rights[name] === 'E' || rights[name] === 'M') return
    if (field.default === undefined && field.value === undefined) hidden(checker, pointer('/form/required', index), name)
  })
}

function hidden(checker: Checker, at: string, name: string): void {
  checker.add('hidden-required-without-default', at, {
    zh: `“${name}”必填，却看不到或不能填写：永远无法提交。`,
    en: `"${name}" has to be filled and cannot be, because it is hidden or only read there: nobody could go on.`,
  })
}
