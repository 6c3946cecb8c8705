import { pointer } from '../../diagnosis'
import { allFields } from '../../entity/fields'
import type { EntityField } from '../../generated/entity'
import type { Node, ProcessDocument } from '../../generated/process'
import { entityField, formFields, isForPeople, pathTo, type NodePlace } from '../../process'
import type { BilingualText } from '../../problem'
import type { Checker } from '../checker'
import type { RuleCheck } from '../rules'

type Rule = NonNullable<Node['assignees']>[number]
type Need = 'staff' | 'role' | 'field' | 'value'

/** What a rule cannot do without. */
const NEEDS: Readonly<Partial<Record<Rule['rule'], Need>>> = {
  staff: 'staff',
  role: 'role',
  dutyRoster: 'role',
  leaderOf: 'field',
  formField: 'field',
  expression: 'value',
}

const MISSING: Readonly<Record<Need, BilingualText>> = {
  staff: { zh: '须写明是谁（staff）。', en: 'It has to say who they are (staff).' },
  role: { zh: '须写明审批角色（role）。', en: 'It has to name an approval role (role).' },
  field: { zh: '须写明哪个字段里是人员（field）。', en: 'It has to name the field that holds the person (field).' },
  value: { zh: '须写明表达式（value）。', en: 'It has to say the expression (value).' },
}

/** Each rule has what it needs, and names fields that hold people. */
export function checkAssignees(
  checker: Checker,
  process: ProcessDocument,
  rules: RuleCheck,
  { node, at }: NodePlace,
  word: 'assignees' | 'cc',
): void {
  const wrong = (here: string, message: BilingualText): void => checker.add('assignee-incomplete', here, message)
  node[word]?.forEach((one, index) => {
    const here = pointer(at, word, index)
    const need = NEEDS[one.rule]
    const given = need === undefined ? true : one[need]
    if (given === undefined || (Array.isArray(given) && given.length === 0)) wrong(here, MISSING[need!])
    if (one.until !== undefined && !one.chain)
      wrong(pointer(here, 'until'), {
        zh: '只有逐级审批（chain）才有 until。',
        en: '"until" goes with "chain" only: the leaders one after the other.',
      })
    if ((one.rule === 'previousHandler' || one.rule === 'pickByPrevious') && !pathTo(process, node.id).some(isForPeople))
      wrong(pointer(here, 'rule'), {
        zh: '这是第一个由人处理的节点，之前没有处理人。',
        en: 'This is the first node at which somebody acts: there is nobody before.',
      })
    if (one.field !== undefined) {
      const end = fieldAt(checker, process, one.field, pointer(here, 'field'))
      if (end && end['x-ref'] !== 'sys.staff')
        wrong(pointer(here, 'field'), {
          zh: `“${one.field}”里不是人员。`,
          en: `"${one.field}" holds no member of staff.`,
        })
    }
    for (const [dimension, path] of Object.entries(one.scope ?? {}))
      fieldAt(checker, process, path, pointer(here, 'scope', dimension))
    rules.reads(one.until, pointer(here, 'until'), ['leader'])
    rules.reads(one.value, pointer(here, 'value'))
  })
}

/** The field at the end of a path from the form; what is unknown on the way is told. */
function fieldAt(checker: Checker, process: ProcessDocument, path: string, at: string): EntityField | undefined {
  let of = `form.${process.name}`
  let fields = new Map(
    Object.entries(formFields(process.form)).flatMap(([name, field]): [string, EntityField][] =>
      field.rows ? [] : [[name, entityField(field)]],
    ),
  )
  let found: EntityField | undefined
  for (const name of path.split('.')) {
    if (!checker.field(fields, name, at, of)) return undefined
    found = fields.get(name)
    of = found?.['x-ref'] ?? ''
    const next = checker.catalog.entities.get(of)
    fields = new Map((next ? allFields(next) : []).map(({ name: key, field }) => [key, field]))
  }
  return found
}
