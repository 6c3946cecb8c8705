import { Segmented } from 'antd'
import { useHost } from '../../../../runtime/hostContext'
import type { Node, ProcessDocument } from '../../../../schema/generated/process'
import { namedFields, rightsOf, type Right } from '../../../../schema/process'
import { processTexts } from '../texts'
import { textIn } from '../words'

export const RIGHTS: readonly Right[] = ['H', 'R', 'E', 'M']

/** The rights of a step without one, or with one set; undefined: none is left. */
export const withRight = (given: Node['fieldRights'], field: string, right: Right | undefined): Node['fieldRights'] => {
  const next = Object.fromEntries([
    ...Object.entries(given ?? {}).filter(([name]) => name !== field),
    ...(right === undefined ? [] : [[field, right] as const]),
  ]) as Record<string, Right>
  return Object.keys(next).length === 0 ? undefined : next
}

interface Props {
  document: ProcessDocument
  node: Node
  onChange(rights: Node['fieldRights']): void
}

/** What may be done with each field at one step; what is not set follows the usual. */
export const FieldRights = ({ document, node, onChange }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const usual = rightsOf({ form: document.form, nodes: document.nodes }, node.id)
  const fields = namedFields(document)
  if (fields.length === 0) return <p className="sb-design-lead">{texts.noFields}</p>
  return (
    <div className="sb-process-rights" role="group" aria-label={texts.rightsTitle}>
      <small className="sb-design-help">{texts.rightsHelp}</small>
      {fields.map(([name, field, rows]) => {
        const given = node.fieldRights?.[name]
        const label = textIn(field['x-label'], locale) || name
        return (
          <div key={name} className={rows === undefined ? 'sb-process-right' : 'sb-process-right sb-process-cell'}>
            <span title={name}>{label}</span>
            <Segmented<Right>
              size="small"
              aria-label={label}
              className={given === undefined ? 'sb-process-usual' : ''}
              value={given ?? usual[name] ?? 'R'}
              options={RIGHTS.map((value) => ({ value, label: value, title: texts.rightNames[value] }))}
              onChange={(right) => onChange(withRight(node.fieldRights, name, right))}
            />
          </div>
        )
      })}
    </div>
  )
}
