import { Tabs } from 'antd'
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '../../../runtime/part/lazyPart'
import type { PageBundle } from '../../../runtime/host'
import { useHost } from '../../../runtime/hostContext'
import { Skeleton } from '../../../runtime/state'
import { entityPath } from '../../../schema/entity/fields'
import type { EntityDocument } from '../../../schema/generated/entity'
import type { PageDocument } from '../../../schema/generated/page'
import { isObject, joinAddress, splitAddress, type JsonObject } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import { addressOf } from '../document/address'
import { flatOutline, outlineOf } from '../document/outline'
import type { DesignSession } from '../document/session'
import { Labels } from '../language/labels'
import { Language } from '../language/meta'
import { PropertyPanel } from '../panel/PropertyPanel'
import { Preview, type PreviewSettings } from '../preview/Preview'
import { PreviewBar } from '../preview/PreviewBar'
import { ConflictDialog } from '../review/ConflictDialog'
import { History } from '../review/History'
import { designerTexts } from '../texts'
import { kindOf, type TargetState, type Chosen, type DesignerTab } from '../types'
import { DesignProvider, type Design } from './design'
import { EditorHead } from './EditorHead'
import { itemActions } from './itemActions'
import { OrphanReport } from './OrphanReport'
import { OutlineTree } from './OutlineTree'
import { ProblemList } from './ProblemList'
import { usePermissions } from './usePermissions'
import { useProblems } from './useProblems'

const JsonEditor = lazyPart(() => import('../json/JsonEditor'))
const TREE_HEIGHT = 300

interface Props {
  session: DesignSession
  state: TargetState
  chosen: Chosen
  onGo(next: Chosen | null): void
  onReload(): void
}

/** The document as a tree or as text, the chosen part beside it, and the page as it would be. */
export const Workbench = ({ session, state, chosen, onGo, onReload }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = designerTexts[locale]
  const current = useSyncExternalStore(session.subscribe, session.snapshot)
  const document = current.history.present
  const kind = kindOf(state.target)
  const entities = useMemo(() => entitiesOf(kind, document, current.bundle), [kind, document, current.bundle])
  const pageKind = document.kind
  const language = useMemo(() => new Language(kind, { kind: pageKind }), [kind, pageKind])
  const labels = useMemo(() => new Labels(document, entities, locale), [document, entities, locale])
  const outline = useMemo(() => outlineOf(document, language, labels), [document, language, labels])
  const nodes = useMemo(() => new Map(flatOutline(outline).map((node) => [node.address, node])), [outline])
  const permissions = usePermissions(host.user.staffId)
  const local = useProblems(kind, state.target, document, current.bundle)
  const problems = useMemo(() => together(local, current.problems), [local, current.problems])
  const faulty = useMemo(
    () => new Set(problems.map((problem) => nearest(addressOf(document, problem.at), nodes))),
    [problems, document, nodes],
  )
  const [picked, setPicked] = useState('')
  const at = nearest(picked, nodes)
  const node = nodes.get(at) ?? outline
  const actions = useMemo(
    () => itemActions({ document: () => session.document, edit: session.edit, choose: setPicked, language }),
    [session, language],
  )
  const design = useMemo(
    (): Design => ({
      document,
      language,
      labels,
      entities: state.entities,
      dictionaryNames: state.dictionaries,
      dictionaries: current.bundle?.dictionaries ?? {},
      permissions,
      base: isObject(state.base) ? state.base : null,
      edit: session.edit,
    }),
    [document, language, labels, state, current.bundle, permissions, session],
  )
  const unsaved = current.saving !== 'saved'
  useEffect(() => host.setUnsaved(unsaved), [host, unsaved])
  const setTab = (tab: DesignerTab): void => onGo({ ...chosen, tab })
  const goTo = (problem: Problem): void => {
    setPicked(nearest(addressOf(document, problem.at), nodes))
    if (chosen.tab === 'history') setTab('outline')
  }
  return (
    <DesignProvider value={design}>
      <div
        className="sb-design-work"
        onBlur={() => void session.flush()}
        onKeyDown={(event) => {
          const key = event.key.toLowerCase()
          // The text has an undo of its own, which knows its cursor.
          if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y') || chosen.tab === 'json') return
          event.preventDefault()
          if (key === 'y' || event.shiftKey) session.redo()
          else session.undo()
        }}
      >
        <EditorHead session={session} state={state} chosen={chosen} onGo={onGo} onReload={onReload} />
        {current.orphans.length > 0 && (
          <OrphanReport
            document={document}
            orphans={current.orphans}
            onRepair={session.repairOrphan}
            onDrop={session.dropOrphan}
            onDropAll={session.dropOrphans}
          />
        )}
        <div className="sb-design-columns">
          <div className="sb-design-side">
            <Tabs
              size="small"
              activeKey={chosen.tab}
              onChange={(tab) => setTab(tab === 'json' || tab === 'history' ? tab : 'outline')}
              items={(['outline', 'json', 'history'] as const).map((tab) => ({ key: tab, label: texts[tab] }))}
            />
            {chosen.tab === 'outline' && (
              <>
                <OutlineTree outline={outline} chosen={at} faulty={faulty} height={TREE_HEIGHT} actions={actions} />
                <PropertyPanel key={at} node={node} actions={actions} />
              </>
            )}
            {chosen.tab === 'json' && (
              <Suspense fallback={<Skeleton rows={10} columns={1} rowHeight={24} label={texts.loading} />}>
                <JsonEditor chosen={at} problems={problems} onChosen={setPicked} />
              </Suspense>
            )}
            {chosen.tab === 'history' && <History state={state} session={session} onReload={onReload} />}
            {chosen.tab !== 'history' && problems.length > 0 && <ProblemList problems={problems} onGo={goTo} />}
          </div>
          <PreviewPane state={state} document={document} bundle={current.bundle} />
        </div>
        {current.conflict && <ConflictDialog conflict={current.conflict} onSettle={session.settle} />}
      </div>
    </DesignProvider>
  )
}

/** The designed entity itself is the newest of its kind. */
const entitiesOf = (kind: string, document: JsonObject, bundle: PageBundle | null): Readonly<Record<string, EntityDocument>> => {
  const known = bundle?.entities ?? {}
  return kind === 'entity' && typeof document.name === 'string'
    ? { ...known, [document.name]: document as unknown as EntityDocument }
    : known
}

/** The innermost part of the outline that an address lies in. */
const nearest = (at: string, nodes: ReadonlyMap<string, unknown>): string => {
  const steps = splitAddress(at)
  for (let length = steps.length; length > 0; length--) {
    const here = joinAddress('', ...steps.slice(0, length))
    if (nodes.has(here)) return here
  }
  return ''
}

const together = (local: readonly Problem[], gateway: readonly Problem[]): readonly Problem[] => {
  const key = ({ code, at }: Problem): string => `${code} ${at}`
  const known = new Set(local.map(key))
  return [...local, ...gateway.filter((problem) => !known.has(key(problem)))]
}

const numbers = new WeakMap<object, number>()
let last = 0
const numberOf = (document: object): number => {
  const known = numbers.get(document)
  if (known !== undefined) return known
  numbers.set(document, ++last)
  return last
}

const PreviewPane = ({ state, document, bundle }: { state: TargetState; document: JsonObject; bundle: PageBundle | null }) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const [settings, setSettings] = useState<PreviewSettings>({
    locale: host.locale,
    dark: host.theme === 'dark',
    phone: false,
    viewer: null,
    record: null,
  })
  const change = useCallback((part: Partial<PreviewSettings>) => setSettings((known) => ({ ...known, ...part })), [])
  const working = useMemo(
    () =>
      bundle && { ...bundle, page: document as unknown as PageDocument, revision: `${bundle.revision} ${numberOf(document)}` },
    [bundle, document],
  )
  // Typing never waits for the preview: it follows as soon as there is time.
  const shown = useDeferredValue(working)
  if (!shown) {
    return (
      <section className="sb-design-preview" aria-label={texts.preview}>
        <p className="sb-design-lead">{texts.noPreview}</p>
      </section>
    )
  }
  return (
    <section className="sb-design-preview" aria-label={texts.preview}>
      <PreviewBar settings={settings} roles={state.roles} records={recordsOf(shown)} onChange={change} />
      {settings.viewer && <small className="sb-design-help">{texts.hiddenParts}</small>}
      <Preview bundle={shown} settings={settings} />
    </section>
  )
}

const recordsOf = ({ page, entities }: PageBundle): { path: string; title: string; optional: boolean } | null => {
  if (page.kind !== 'detail' && page.kind !== 'form') return null
  const entity = page.entity === undefined ? undefined : entities[page.entity]
  return entity ? { path: entityPath(entity), title: entity.titleField, optional: page.kind === 'form' } : null
}
