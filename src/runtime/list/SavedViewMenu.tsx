import { Dropdown } from 'antd'
import { Suspense, useState } from 'react'
import { isAborted, toFailure } from '../../headless/failure'
import type { SavedView } from '../../schema/model'
import type { ListTexts } from '../../headless/list/texts'
import { useHost } from '../hostContext'
import { lazyPart } from '../part/lazyPart'
import type { ListController } from './controller'

const KeepView = lazyPart(() => import('./KeepView'), 'over')

interface SavedViewMenuProps {
  list: ListController
  view: SavedView
  /** The list shows something else than the view keeps. */
  changed: boolean
  texts: ListTexts
}

/** What can be done with the saved view that is shown. */
const SavedViewMenu = ({ list, view, changed, texts }: SavedViewMenuProps) => {
  const host = useHost()
  const words = texts.saved
  const [renaming, setRenaming] = useState(false)
  const tell = (error: unknown): void => {
    if (!isAborted(error)) host.notify('error', toFailure(error, host.locale).message)
  }
  const keep = (): void => {
    const { title, roles, opensFirst } = view
    list.keepView({ title, roles, opensFirst, view }).then(() => host.notify('success', words.done(title)), tell)
  }
  const remove = async (): Promise<void> => {
    const { title, roles, opensFirst } = view
    if (roles.length > 0 && !(await host.confirm({ title: words.removeAsk(title), content: words.removeShared, danger: true })))
      return
    await list.removeView(view).then(
      () =>
        host.notify('success', words.removed(title), {
          label: words.undo,
          run: () => list.keepView({ title, roles, opensFirst, from: view }).catch(tell),
        }),
      tell,
    )
  }
  const run: Record<string, () => void> = {
    keep,
    back: () => list.setSaved(view.id),
    rename: () => setRenaming(true),
    link: () => void host.copy(window.location.href),
    remove: () => void remove(),
  }
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...(view.editable && changed ? [{ key: 'keep', label: words.keepChanges }] : []),
            ...(changed ? [{ key: 'back', label: words.back }] : []),
            ...(view.editable ? [{ key: 'rename', label: words.change }] : []),
            { key: 'link', label: words.link },
            ...(view.editable ? [{ key: 'remove', label: words.remove, danger: true }] : []),
          ],
          onClick: ({ key }) => run[key]?.(),
        }}
      >
        <button type="button" className="sb-view sb-view-menu" aria-label={words.menu(view.title)}>
          •••
        </button>
      </Dropdown>
      {renaming && (
        <Suspense fallback={null}>
          <KeepView list={list} view={view} rename texts={texts} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  )
}
export default SavedViewMenu
