import { pointer } from '../diagnosis'
import type { FormNode } from '../generated/page'
import type { RuleSetDocument } from '../generated/rules'
import type { Checker } from './checker'

/** Everything in a rule set that names something else; its form asks for each of its parameters, and for nothing else. */
export const checkRuleSet = (checker: Checker, { page, test, permission, subjects, defaults }: RuleSetDocument): void => {
  checker.permission(permission, '/permission')
  checker.formPage(page, '/page')
  if (test !== undefined) checker.formPage(test, '/test')
  checker.unique(
    subjects.map((subject) => (typeof subject === 'string' ? subject : subject.id)),
    '/subjects',
  )
  subjects.forEach((subject, index) => {
    if (typeof subject !== 'string') checker.dictionary(subject.dictionary, pointer('/subjects', index, 'dictionary'))
  })
  const form = checker.catalog.pages.get(page)?.document
  if (form?.kind !== 'form') return
  const asked = new Set(namesIn(form.schema))
  for (const name of Object.keys(defaults))
    if (!asked.has(name))
      checker.add(
        'unknown-field',
        pointer('/defaults', name),
        { zh: `表单“${page}”没有参数“${name}”。`, en: `The form "${page}" does not ask for "${name}".` },
        { value: name, known: asked },
      )
  for (const name of asked)
    if (!Object.hasOwn(defaults, name))
      checker.add('invalid-shape', '/defaults', {
        zh: `缺少参数“${name}”的默认值。`,
        en: `The parameter "${name}" has no default.`,
      })
}

/** The values of a form, without the nodes that only arrange them, and those that are only shown. */
const namesIn = (node: FormNode): string[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.type === 'void' ? namesIn(child) : child['x-pattern'] === 'readPretty' ? [] : [name],
  )
