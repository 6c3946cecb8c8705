import { Tabs } from 'antd'
import { memo, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '../../../runtime/part/lazyPart'
import type { PageBundle } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import { Skeleton } from '../../../runtime/state'
import { entityPath } from '../../../schema/entity/fields'
import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { EntityDocument } from '../../../schema/generated/entity'
import type { PageDocument } from '../../../schema/generated/page'
import { isObject, joinAddress, splitAddress, type JsonObject } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import { addressOf, withValue } from '../document/address'
import { flatOutline, outlineOf } from '../document/outline'
import type { DesignSession } from '../document/session'
import { Labels } from '../language/labels'
import { Language } from '../language/meta'
import { PropertyPanel } from '../panel/PropertyPanel'
import { Preview, type PreviewSettings } from '../preview/Preview'
import { documentFor } from '../preview/documentFor'
import { PreviewBar } from '../preview/PreviewBar'
import { ConflictDialog } from '../review/ConflictDialog'
import { History } from '../review/History'
import { designerTexts } from '../texts'
import { kindOf, TABS, type TargetState, type Chosen } from '../types'
import { DesignContext, ProblemsContext, SurroundingsContext, type Design, type Surroundings } from './design'
import { EditorHead } from './EditorHead'
import { itemActions } from './itemActions'
import { OrphanReport } from './OrphanReport'
import { UnusedReport } from './UnusedReport'
import { OutlineTree } from './OutlineTree'
import { ProblemList } from './ProblemList'
import { usePermissions } from './usePermissions'
import { useProblems } from './useProblems'
import { useSettled } from './useSettled'
import { useUndoKeys } from './useUndoKeys'

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
  const around = useMemo(() => current.bundle?.entities ?? wholeEntities(state.entities), [current.bundle, state.entities])
  const entities = useMemo(() => entitiesOf(kind, document, around), [kind, document, around])
  const pageKind = document.kind
  const language = useMemo(() => new Language(kind, { kind: pageKind }), [kind, pageKind])
  const labels = useMemo(() => new Labels(document, entities, locale), [document, entities, locale])
  const outline = useMemo(() => outlineOf(document, language, labels), [document, language, labels])
  const nodes = useMemo(() => new Map(flatOutline(outline).map((node) => [node.address, node])), [outline])
  const permissions = usePermissions(host.user.staffId)
  const local = useProblems(kind, state.target, document, current.bundle)
  const problems = useMemo(() => together(local, current.problems), [local, current.problems])
  const byNode = useMemo(() => byAddress(problems, document), [problems, document])
  const faulty = useMemo(() => new Set([...byNode.keys()].map((at) => nearest(at, nodes))), [byNode, nodes])
  const [picked, setPicked] = useState('')
  const at = nearest(picked, nodes)
  const node = nodes.get(at) ?? outline
  const actions = useMemo(
    () =>
      itemActions({
        document: () => session.document,
        edit: session.edit,
        choose: setPicked,
        language,
        labels: () => new Labels(session.document, entitiesOf(kind, session.document, around), locale),
      }),
    [session, language, kind, locale, around],
  )
  const own = useMemo(() => withValues(state.dictionaries), [state])
  const dictionaries = current.bundle?.dictionaries ?? own
  const surroundings = useMemo(
    (): Surroundings => ({
      language,
      entities: state.entities,
      dictionaryNames: state.dictionaries,
      dictionaries,
      permissions,
      roles: state.roles,
      base: isObject(state.base) ? state.base : null,
      edit: session.edit,
      change: (at, value) => session.edit(withValue(session.document, at, value), at),
    }),
    [language, state, dictionaries, permissions, session],
  )
  const design = useMemo((): Design => ({ ...surroundings, document, labels }), [surroundings, document, labels])
  const typing = current.history.last !== null
  const settled = useSettled(outline, typing)
  const root = useRef<HTMLDivElement>(null)
  // The text has an undo of its own, which knows its cursor.
  useUndoKeys(root, session, chosen.tab !== 'json')
  const unsaved = current.saving !== 'saved'
  useEffect(() => host.setUnsaved(unsaved), [host, unsaved])
  const goTo = (problem: Problem): void => {
    setPicked(nearest(addressOf(document, problem.at), nodes))
    if (chosen.tab === 'history') onGo({ ...chosen, tab: 'outline' })
  }
  return (
    <SurroundingsContext value={surroundings}>
      <DesignContext value={design}>
        <div ref={root} className="sb-design-work" onBlur={() => void session.flush()}>
          <EditorHead session={session} state={state} chosen={chosen} onGo={onGo} onReload={onReload} />
          {state.unused.length > 0 && <UnusedReport state={state} onReload={onReload} />}
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
              <Side chosen={chosen} onGo={onGo} />
              {chosen.tab === 'outline' && (
                <>
                  <OutlineTree outline={settled} chosen={at} faulty={faulty} height={TREE_HEIGHT} actions={actions} />
                  <ProblemsContext value={byNode}>
                    <PropertyPanel key={at} node={node} actions={actions} />
                  </ProblemsContext>
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
      </DesignContext>
    </SurroundingsContext>
  )
}

/** The ways to look at the document. */
const Side = memo(function Side({ chosen, onGo }: Pick<Props, 'chosen' | 'onGo'>) {
  const texts = designerTexts[useHost().locale]
  return (
    <Tabs
      size="small"
      activeKey={chosen.tab}
      onChange={(key) => onGo({ ...chosen, tab: TABS.find((tab) => tab === key) ?? 'outline' })}
      items={TABS.map((tab) => ({ key: tab, label: texts[tab] }))}
    />
  )
})

/** Dictionaries that came with their values, by their names. */
const withValues = (dictionaries: TargetState['dictionaries']): PageBundle['dictionaries'] =>
  Object.fromEntries(
    dictionaries.flatMap((known) => (known.items ? [[known.name, { ...known, items: known.items } as DictionaryDocument]] : [])),
  )

/** Entities that came whole, by their names. */
const wholeEntities = (entities: TargetState['entities']): PageBundle['entities'] =>
  Object.fromEntries(
    entities.flatMap((known) =>
      known.properties ? [[known.name, { ...known, properties: known.properties } as EntityDocument]] : [],
    ),
  )

/** The designed entity itself is the newest of its kind. */
const entitiesOf = (kind: string, document: JsonObject, known: PageBundle['entities']): PageBundle['entities'] => {
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

/** Problems by the addresses of what they speak of. */
const byAddress = (problems: readonly Problem[], document: JsonObject): ReadonlyMap<string, readonly Problem[]> => {
  const found = new Map<string, Problem[]>()
  for (const problem of problems) {
    const at = addressOf(document, problem.at)
    found.set(at, [...(found.get(at) ?? []), problem])
  }
  return found
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

interface PreviewPaneProps {
  state: TargetState
  document: JsonObject
  bundle: PageBundle | null
}

const PreviewPane = memo(function PreviewPane({ state, document, bundle }: PreviewPaneProps) {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const narrow = usePhone()
  const [settings, setSettings] = useState<PreviewSettings>({
    locale: host.locale,
    dark: host.theme === 'dark',
    phone: narrow,
    viewer: null,
    record: null,
  })
  const change = useCallback((part: Partial<PreviewSettings>) => setSettings((known) => ({ ...known, ...part })), [])
  const { viewer } = settings
  const seen = useMemo(() => (viewer ? documentFor(viewer, state, document) : document), [viewer, state, document])
  const working = useMemo(
    () => bundle && { ...bundle, page: seen as unknown as PageDocument, revision: `${bundle.revision} ${numberOf(seen)}` },
    [bundle, seen],
  )
  // Typing never waits for the preview: it follows as soon as there is time.
  const shown = useDeferredValue(working)
  const [pageKind, entity] = [shown?.page.kind, shown ? entityOf(shown) : undefined]
  const records = useMemo(() => recordsOf(pageKind, entity), [pageKind, entity])
  if (!shown) {
    return (
      <section className="sb-design-preview" aria-label={texts.preview}>
        <p className="sb-design-lead">{texts.noPreview}</p>
      </section>
    )
  }
  return (
    <section className="sb-design-preview" aria-label={texts.preview}>
      <PreviewBar settings={settings} target={state.target} roles={state.roles} records={records} onChange={change} />
      {viewer && (
        <small role="status" className="sb-design-help">
          {texts.asOther}
        </small>
      )}
      <Preview bundle={shown} settings={settings} />
    </section>
  )
})

const entityOf = ({ page, entities }: PageBundle): EntityDocument | undefined =>
  'entity' in page && page.entity !== undefined ? entities[page.entity] : undefined

const recordsOf = (kind: string | undefined, entity: EntityDocument | undefined) =>
  entity && (kind === 'detail' || kind === 'form')
    ? { path: entityPath(entity), title: entity.titleField, optional: kind === 'form' }
    : null
