import { Select } from 'antd'
import { memo } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import type { Node, ProcessDocument } from '../../../../schema/generated/process'
import { namedFields, rightsOf, type Right } from '../../../../schema/process'
import { processTexts } from '../texts'
import { everyNode, withChangedNode } from '../tree/tree'
import { nodeName, textIn } from '../words'
import { useCatalogue } from './catalogue'
import { RIGHTS, withRight } from './FieldRights'

interface Props {
  document: ProcessDocument
  onChange(nodes: Node[]): void
}

const NEXT: Readonly<Record<Right, Right>> = { H: 'R', R: 'E', E: 'M', M: 'H' }

/** Fields down, steps across: each cell says what may be done there, a click says the next. Heads set a row or a column at once. */
export const RightsGrid = memo(function RightsGrid({ document, onChange }: Props) {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const steps = everyNode(document.nodes)
    .map(({ node }) => node)
    .filter(({ kind }) => kind === 'start' || kind === 'approve' || kind === 'handle')
  const fields = namedFields(document)
  const rights = new Map(steps.map((node) => [node.id, rightsOf(document, node.id)]))
  const put = (ids: readonly string[], names: readonly string[], right: Right | undefined): void =>
    onChange(
      ids.reduce<Node[]>(
        (nodes, id) =>
          withChangedNode(nodes, id, (node) => {
            const fieldRights = names.reduce((given, name) => withRight(given, name, right), node.fieldRights)
            const { fieldRights: _before, ...rest } = node
            return fieldRights ? { ...rest, fieldRights } : rest
          }),
        document.nodes,
      ),
    )
  const setAll = (label: string, ids: readonly string[], names: readonly string[]) => (
    <Select<Right | 'unset' | null>
      size="small"
      variant="borderless"
      className="sb-process-setall"
      aria-label={`${texts.setAll}: ${label}`}
      value={null}
      placeholder={texts.setAll}
      popupMatchSelectWidth={false}
      options={[
        ...RIGHTS.map((value) => ({ value, label: `${value} ${texts.rightNames[value]}` })),
        { value: 'unset' as const, label: texts.unsetRight },
      ]}
      onChange={(next) => put(ids, names, next === 'unset' || next === null ? undefined : next)}
    />
  )
  if (fields.length === 0) return <p className="sb-design-lead">{texts.noFields}</p>
  const everyField = fields.map(([name]) => name)
  return (
    <div className="sb-process-grid">
      <p className="sb-design-lead">{texts.rightsHelp}</p>
      <div className="sb-process-grid-room">
        <table aria-label={texts.rightsTitle}>
          <thead>
            <tr>
              <th scope="col">{texts.field}</th>
              {steps.map((node) => (
                <th key={node.id} scope="col">
                  <span>{nodeName(node, { locale, catalogue })}</span>
                  {setAll(nodeName(node, { locale, catalogue }), [node.id], everyField)}
                </th>
              ))}
              <th scope="col">
                <span className="sb-design-help">{texts.setAll}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([name, field, rows]) => {
              const label = textIn(field['x-label'], locale) || name
              return (
                <tr key={name}>
                  <th scope="row" className={rows === undefined ? '' : 'sb-process-cell'} title={name}>
                    {label}
                  </th>
                  {steps.map((node) => {
                    const given = node.fieldRights?.[name]
                    const right = rights.get(node.id)?.[name] ?? 'R'
                    return (
                      <td key={node.id}>
                        <button
                          type="button"
                          className={`sb-process-mark sb-process-${right}${given === undefined ? ' sb-process-usual' : ''}`}
                          aria-label={`${label}, ${nodeName(node, { locale, catalogue })}: ${texts.rightNames[right]}`}
                          title={`${texts.rightNames[right]}${given === undefined ? ` (${texts.unsetRight})` : ''}`}
                          onClick={() => put([node.id], [name], NEXT[right])}
                          onKeyDown={({ key }) => {
                            const typed = RIGHTS.find((one) => one === key.toUpperCase())
                            if (typed) put([node.id], [name], typed)
                            if (key === 'Delete' || key === 'Backspace') put([node.id], [name], undefined)
                          }}
                        >
                          {right}
                        </button>
                      </td>
                    )
                  })}
                  <td>
                    {setAll(
                      label,
                      steps.map(({ id }) => id),
                      [name],
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
})
