import { Suspense, useRef, useState } from 'react'
import type { ListBodyModel, ListLayout, SavedView } from '../../schema/model'
import type { ListController, ListState } from './controller'
import type { Grouping } from '../../headless/list/groupings'
import type { ListTexts } from '../../headless/list/texts'
import { lazyPart } from '../part/lazyPart'
import { useKeepKey } from './useKeepKey'

const ColumnSettings = lazyPart(() => import('./ColumnSettings'), 'over')
const GroupMenu = lazyPart(() => import('./GroupMenu'), 'over')
const ExportDialog = lazyPart(() => import('./ExportDialog'), 'over')
const KeepView = lazyPart(() => import('./KeepView'), 'over')
const ImportWizard = lazyPart(() => import('./ImportWizard'), 'over')

interface ToolsProps {
  list: ListController
  state: ListState
  body: ListBodyModel
  label: string
  dialog: 'export' | 'import' | null
  onDialog(dialog: 'export' | 'import' | null): void
  texts: ListTexts
  number(value: number): string
  /** In a tab of another page nothing is imported: the file would not know the record. */
  embedded: boolean
  /** How else the rows can be seen. */
  others: readonly ListLayout[]
  /** What the rows of the table can be grouped by, and what they are. */
  groupings: readonly Grouping[]
  grouping: Grouping | undefined
  /** What is shown can be kept as a view; `view`: it differs from this one. */
  keep?: { view: SavedView | undefined }
  /** Route of the list, and an import of the download centre that it was opened for. */
  page?: string
  task?: string
}

/** Export, import, refresh and the table's settings. What an action of the page offers already is not offered twice. */
export const Tools = ({
  list,
  state,
  body,
  label,
  dialog,
  onDialog,
  texts,
  number,
  embedded,
  others,
  groupings,
  grouping,
  keep,
  page,
  task,
}: ToolsProps) => {
  const [settings, setSettings] = useState(false)
  const [keeping, setKeeping] = useState(false)
  const [grouper, setGrouper] = useState<HTMLElement | null>(null)
  const keeper = useRef<HTMLButtonElement>(null)
  useKeepKey(keeper)
  const offered = (operation: 'export' | 'import'): boolean =>
    body.operations[operation] &&
    !body.actions.some(({ effect }) => effect.type === 'operation' && effect.operation === operation)
  return (
    <span className="sb-bar sb-bar-end">
      {!embedded && offered('import') && body.calls.importPreview && (
        <button type="button" className="sb-tool" onClick={() => onDialog('import')}>
          {texts.import}
        </button>
      )}
      {offered('export') && (
        <button type="button" className="sb-tool" disabled={state.total === 0} onClick={() => onDialog('export')}>
          {texts.export}
        </button>
      )}
      {others.map((other) => (
        <button key={other} type="button" className="sb-tool" onClick={() => list.setLayout(other)}>
          {texts.layouts[other]}
        </button>
      ))}
      {groupings.length > 0 && (
        <button
          type="button"
          className="sb-tool"
          aria-haspopup="menu"
          data-on={grouping !== undefined || undefined}
          onClick={(event) => setGrouper(event.currentTarget)}
        >
          {texts.groups.title}
          {grouping && `: ${grouping.column.title}`}
        </button>
      )}
      {keep && (
        <button
          ref={keeper}
          type="button"
          className="sb-tool"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+S Meta+S"
          title="Ctrl S"
          onClick={() => setKeeping(true)}
        >
          {texts.saved.keep}
        </button>
      )}
      <button type="button" className="sb-tool" aria-haspopup="dialog" onClick={() => setSettings(true)}>
        {texts.settings}
      </button>
      <button type="button" className="sb-tool" onClick={() => void list.reload()}>
        {texts.refresh}
      </button>
      <Suspense fallback={null}>
        {grouper && (
          <GroupMenu
            anchor={grouper}
            groupings={groupings}
            chosen={grouping?.field ?? ''}
            texts={texts}
            onPick={list.setGroup}
            onClose={() => setGrouper(null)}
          />
        )}
        {settings && (
          <ColumnSettings
            columns={body.columns}
            settings={state.settings}
            texts={texts}
            onChange={list.saveSettings}
            onClose={() => setSettings(false)}
          />
        )}
        {keeping && <KeepView list={list} view={keep?.view} rename={false} texts={texts} onClose={() => setKeeping(false)} />}
        {dialog === 'export' && (
          <ExportDialog list={list} body={body} label={label} texts={texts} number={number} onClose={() => onDialog(null)} />
        )}
        {dialog === 'import' && (
          <ImportWizard
            key={task}
            body={body}
            texts={texts}
            page={page}
            task={task}
            onDone={() => void list.reload()}
            onClose={() => onDialog(null)}
          />
        )}
      </Suspense>
    </span>
  )
}
