import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ListBodyModel } from '../../schema/model'
import type { ListController, ListState } from './controller'
import type { ListTexts } from './texts'

const ColumnSettings = lazy(() => import('./ColumnSettings'))
const ExportDialog = lazy(() => import('./ExportDialog'))
const ImportWizard = lazy(() => import('./ImportWizard'))

interface ToolsProps {
  list: ListController
  state: ListState
  body: ListBodyModel
  label: string
  dialog: 'export' | 'import' | null
  onDialog(dialog: 'export' | 'import' | null): void
  texts: ListTexts
  number(value: number): string
}

/** Export, import, refresh and the table's settings. What an action of the page offers already is not offered twice. */
export const Tools = ({ list, state, body, label, dialog, onDialog, texts, number }: ToolsProps) => {
  const [settings, setSettings] = useState(false)
  const offered = (operation: 'export' | 'import'): boolean =>
    body.operations[operation] &&
    !body.actions.some(({ effect }) => effect.type === 'operation' && effect.operation === operation)
  return (
    <span className="sb-bar sb-bar-end">
      {offered('import') && body.calls.importPreview && <Button onClick={() => onDialog('import')}>{texts.import}</Button>}
      {offered('export') && (
        <Button disabled={state.total === 0} onClick={() => onDialog('export')}>
          {texts.export}
        </Button>
      )}
      <Button aria-haspopup="dialog" onClick={() => setSettings(true)}>
        {texts.settings}
      </Button>
      <Button loading={state.busy && state.phase === 'ready' ? { delay: 300 } : false} onClick={() => void list.reload()}>
        {texts.refresh}
      </Button>
      <Suspense fallback={null}>
        {settings && (
          <ColumnSettings
            columns={body.columns}
            settings={state.settings}
            texts={texts}
            onChange={list.saveSettings}
            onClose={() => setSettings(false)}
          />
        )}
        {dialog === 'export' && (
          <ExportDialog list={list} body={body} label={label} texts={texts} number={number} onClose={() => onDialog(null)} />
        )}
        {dialog === 'import' && (
          <ImportWizard body={body} texts={texts} onDone={() => void list.reload()} onClose={() => onDialog(null)} />
        )}
      </Suspense>
    </span>
  )
}
