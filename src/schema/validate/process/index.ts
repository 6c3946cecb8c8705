/**
 * The check of approval processes. Whoever reads documents among which processes may be imports it once for what it does: `import '…/validate/process'`.
 */
import { pointer } from '../../diagnosis'
import { outline, process as validate } from '../../generated/processValidator'
import type { ProcessDocument } from '../../generated/process'
import { fieldsOf, formEntity, PROCESS_ROOTS, rowEntities } from '../../process'
import type { Checker } from '../checker'
import { checkCount } from '../cost'
import { provideProcesses } from '../part'
import { RuleCheck } from '../rules'
import { checkForm } from './form'
import { checkNodes } from './nodes'
import { checkRights } from './rights'
import { checkSubProcesses } from './subProcesses'

/** Everything in an approval process that names something else, and what does not fit together. `module`: whose effects they are. */
export function checkProcess(checker: Checker, process: ProcessDocument, module: string): void {
  const entity = formEntity(process)
  const within = checkForm(checker, process, entity, rowEntities(process))
  const rules = new RuleCheck(within, entity, undefined, module, PROCESS_ROOTS)
  checkCount(checker, '/form/fields', Object.keys(process.form.fields).length, 'fields')
  checkFacts(checker, process, rules)
  checkNodes(checker, process, rules)
  checkRights(checker, process)
  checkSubProcesses(checker, process, rules)
  rules.refusals(process.checks, '/checks')
  for (const [word, effects] of Object.entries(process.effects ?? {})) {
    rules.effects(effects, pointer('/effects', word))
    effects?.forEach(({ do: verb, on }, index) => {
      if (verb === 'set' && !on)
        checker.add('field-kind-mismatch', pointer('/effects', word, index), {
          zh: '流程里的“set”须用 on 指明改哪些记录：申请本身的字段只由表单填写。',
          en: '"set" of a process needs "on", the records that it changes: fields of the application are filled in by its form alone.',
        })
    })
  }
}

provideProcesses({ shape: { validate, outline }, check: checkProcess })

/** What a process says of itself by its fields. */
function checkFacts(checker: Checker, process: ProcessDocument, rules: RuleCheck): void {
  const fields = new Map(fieldsOf(process).flatMap((field) => (field.row === undefined ? [[field.key, field] as const] : [])))
  const of = `form.${process.name}`
  checker.code('processGroup', process.group, '/group', 'field-kind-mismatch')
  checker.code('serviceName', process.service, '/service', 'field-kind-mismatch')
  if (process.path !== undefined) checker.route(process.path, '/path')
  rules.reads(process.title, '/title')
  rules.reads(process.amount, '/amount')
  rules.reads(process.currency, '/currency')
  if (process.wantedBy !== undefined) checker.field(fields, process.wantedBy, '/wantedBy', of)
  process.summary?.forEach((name, index) => checker.field(fields, name, pointer('/summary', index), of))
  process.startScope?.forEach((who, index) => {
    if ('permission' in who) checker.permission(who.permission, pointer('/startScope', index, 'permission'))
  })
  const { object, decides } = process
  if (object && checker.field(fields, object.field, '/object/field', of))
    isReference(checker, fields.get(object.field)?.ref, object.field, '/object/field')
  if (!decides) return
  checker.entity(decides.entity, '/decides/entity')
  const decided = checker.catalog.entities.get(decides.entity)
  if (checker.field(fields, decides.field, '/decides/field', of) && fields.get(decides.field)?.ref !== decides.entity)
    checker.add('field-kind-mismatch', '/decides/field', {
      zh: `字段“${decides.field}”须引用“${decides.entity}”。`,
      en: `The field "${decides.field}" has to refer to "${decides.entity}".`,
    })
  if (!decided) return
  const known = (decided['x-states'] ?? []).flatMap(({ transitions }) => transitions.map(({ id }) => id))
  for (const word of ['on', 'agreed', 'rejected', 'withdrawn'] as const) {
    const id = decides[word]
    if (id === undefined || known.includes(id)) continue
    checker.add(
      'unknown-transition',
      pointer('/decides', word),
      { zh: `“${decides.entity}”没有流转“${id}”。`, en: `"${decides.entity}" has no transition "${id}".` },
      { value: id, known },
    )
  }
}

function isReference(checker: Checker, ref: string | undefined, name: string, at: string): void {
  if (ref !== undefined) return
  checker.add('field-kind-mismatch', at, { zh: `“${name}”不是引用字段。`, en: `"${name}" is not a reference.` })
}
