import { Button } from 'antd'
import { useHost } from '../../../../runtime/hostContext'
import type { Branch, Node, ProcessDocument } from '../../../../schema/generated/process'
import type { Problem } from '../../../../schema/problem'
import { useDesign } from '../../editor/design'
import { Control } from '../../panel/Control'
import { KindIcon } from '../canvas/kindIcon'
import { processTexts } from '../texts'
import { addressOfBranch } from '../tree/tree'
import { TextRow } from './Row'
import { ProblemNotes } from './ProblemNotes'

interface Props {
  document: ProcessDocument
  node: Node
  branch: Branch
  problems: readonly Problem[]
  onChange(branch: Branch): void
  onShift(by: 1 | -1): void
}

/** A branch: its name, when it is taken, and its place among the others, in which conditions are asked. */
export const BranchPanel = ({ document, node, branch, problems, onChange, onShift }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const { language } = useDesign()
  const at = addressOfBranch(document.nodes, node.id, branch.id)
  const position = node.branches?.indexOf(branch) ?? 0
  const isDefault = node.kind === 'condition' && node.branches?.at(-1) === branch
  return (
    <section className="sb-flow-panel" aria-label={branch.label?.[locale] ?? branch.id}>
      <header>
        <KindIcon node={node} />
        <h3>{texts.branch}</h3>
        <code>{branch.id}</code>
      </header>
      <ProblemNotes problems={problems} />
      <TextRow
        label={texts.name}
        value={branch.label}
        onChange={(label) => {
          const { label: _before, ...rest } = branch
          onChange(label ? { ...rest, label } : rest)
        }}
      />
      {node.kind === 'parallel' ? (
        <p className="sb-design-lead">{texts.branchAll}</p>
      ) : isDefault ? (
        <p className="sb-design-lead">{texts.branchDefault}</p>
      ) : (
        <>
          {node.kind === 'condition' && <small className="sb-design-help">{texts.branchOrder(position + 1)}</small>}
          <Control
            at={`${at}/when`}
            name="when"
            word={language.resolve(language.definition('Branch').properties?.when ?? {})}
            value={branch.when}
            onChange={(when) => {
              const { when: _before, ...rest } = branch
              onChange(typeof when === 'string' ? { ...rest, when } : rest)
            }}
          />
        </>
      )}
      <div className="sb-design-row-actions">
        <Button size="small" disabled={position === 0 || isDefault} onClick={() => onShift(-1)}>
          {texts.left}
        </Button>
        <Button
          size="small"
          disabled={isDefault || position >= (node.branches?.length ?? 0) - (node.kind === 'condition' ? 2 : 1)}
          onClick={() => onShift(1)}
        >
          {texts.right}
        </Button>
      </div>
    </section>
  )
}
