import { ExperimentOutlined } from '@ant-design/icons'
import { Alert, Button, Dropdown, Tabs, Tag, Upload } from 'antd'
import { useCallback, useMemo, useState, useSyncExternalStore, type SetStateAction } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { dequal } from 'dequal/lite'
import type { Node, ProcessDocument } from '../../../schema/generated/process'
import type { JsonObject } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import { Canvas } from './canvas/Canvas'
import type { Trail } from './canvas/context'
import { DryRunPanel } from './facts/DryRunPanel'
import { EndEffects } from './facts/EndEffects'
import { Facts, formAddress } from './facts/Facts'
import { Versions } from './facts/Versions'
import { exportProcess, readProcess } from './file'
import { FormEditor } from './form/FormEditor'
import { BranchPanel } from './panel/BranchPanel'
import { useCatalogue } from './panel/catalogue'
import { NodePanel } from './panel/NodePanel'
import { RightsGrid } from './panel/RightsGrid'
import { StaffContext, useStaffNames } from './panel/staff'
import { processTexts } from './texts'
import { branchKey, findNode, keyOfPointer, withChangedBranch, withChangedNode, withShiftedBranch } from './tree/tree'
import type { FormDetail, ProcessDetail, ProcessVersion } from './types'
import { useProcessProblems } from './useProcessProblems'
import { PublishDialog } from './work/PublishDialog'
import { PublishSession } from './work/session'
import { useProcessDesign } from './work/useProcessDesign'
import { WorkFrame } from './work/WorkFrame'
import { fieldLabels, nodeName, staffOf, textIn, type Words } from './words'

interface Props {
  /** Null: it is new. */
  detail: ProcessDetail | null
  begun: ProcessDocument
  onLeave(): void
  onReload(): void
}

const TABS = ['flow', 'form', 'rights', 'effects', 'facts', 'versions'] as const
type Tab = (typeof TABS)[number]

/** One process being drawn: its flow, form, rights, effects and settings, checked while they change, published as a version. */
export const ProcessEditor = ({ detail, begun, onLeave, onReload }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const [session] = useState(
    () =>
      new PublishSession(host.drafts, `process.${detail?.code ?? ''}`, begun as unknown as JsonObject, detail?.versionNo ?? 0),
  )
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  const document = state.history.present as unknown as ProcessDocument
  const [tab, setTab] = useState<Tab>(detail === null && begun.name === '' ? 'facts' : 'flow')
  const [chosen, setChosen] = useState<string | null>(null)
  const [running, setRunning] = useState(false)
  const [trail, setTrail] = useState<ReadonlyMap<string, Trail> | null>(null)
  const held = useMemo(() => detail?.admins.map(({ id }) => id) ?? [], [detail])
  const [adminIds, setAdminIds] = useState<readonly string[]>(held)
  const [formId, setFormId] = useState<string | null>(detail?.formId ?? null)
  const [publishing, setPublishing] = useState(false)
  const [refused, setRefused] = useState<{ of: ProcessDocument; problems: readonly Problem[] } | null>(null)

  const ids = useMemo(() => [...staffOf(document), ...adminIds], [document, adminIds])
  const staff = useStaffNames(host, ids)
  const design = useProcessDesign(catalogue, document, session.edit)
  const words = useMemo(
    (): Words => ({ locale, catalogue, names: staff.names, fields: fieldLabels(document.form, locale) }),
    [locale, catalogue, staff.names, document.form],
  )
  const checked = useProcessProblems(document)
  const problems = useMemo(
    () =>
      refused?.of === document
        ? [...refused.problems, ...checked.filter(({ at }) => !refused.problems.some((one) => one.at === at))]
        : checked,
    [refused, document, checked],
  )
  const byKey = useMemo(() => {
    const found = new Map<string, Problem[]>()
    for (const problem of problems) {
      const key = keyOfPointer(document, problem.at) ?? ''
      found.set(key, [...(found.get(key) ?? []), problem])
    }
    return found
  }, [problems, document])
  const faults = useMemo(
    () => new Map([...byKey].filter(([key]) => key !== '').map(([key, of]) => [key, of.length] as const)),
    [byKey],
  )

  const unsaved = session.unsaved || !dequal(adminIds, held)
  const title = textIn(document.label, locale) || texts.newProcess

  const edit = useCallback(
    (next: ProcessDocument, key: string | null = null) => session.edit(next as unknown as JsonObject, key),
    [session],
  )
  const setNodes = useCallback(
    (nodes: readonly Node[], key: string | null = null): void => {
      setTrail(null)
      edit({ ...(session.document as unknown as ProcessDocument), nodes: [...nodes] }, key)
    },
    [edit, session],
  )
  const choose = useCallback((key: SetStateAction<string | null>): void => {
    setChosen(key)
    setRunning(false)
  }, [])
  const chooseForm = async (id: string | null): Promise<void> => {
    setFormId(id)
    if (id === null) return edit({ ...document, form: { fields: {} } })
    try {
      const form = await host.request<FormDetail>({ method: 'GET', path: `/v2/workflow/form/update/${encodeURIComponent(id)}` })
      edit({ ...(session.document as unknown as ProcessDocument), form: form.definition })
    } catch (error) {
      setFormId(null)
      tellFailure(host, error, 'process designer')
    }
  }
  const goTo = (problem: Problem): void => {
    const key = keyOfPointer(document, problem.at)
    if (key !== null) {
      setTab('flow')
      choose(key)
    } else if (problem.at.startsWith('/form')) setTab('form')
    else if (problem.at.startsWith('/effects')) setTab('effects')
    else setTab('facts')
  }
  const load = async (file: File): Promise<void> => {
    const read = readProcess(await file.text(), locale)
    if (typeof read === 'string') return host.notify('error', read)
    // the code of a published process stays
    edit(detail ? { ...read, name: detail.code } : read)
    host.notify('success', texts.imported)
  }
  const { at: place, found: node } = useMemo(() => {
    const [id, branch] = (chosen ?? '').split('/')
    return { at: branch, found: id === undefined || id === '' ? undefined : findNode(document.nodes, id)?.node }
  }, [chosen, document.nodes])
  const branch = place === undefined ? undefined : node?.branches?.find(({ id }) => id === place)
  const side = running ? (
    <DryRunPanel document={document} onResult={setTrail} />
  ) : node && branch ? (
    <BranchPanel
      key={branchKey(node.id, branch.id)}
      document={document}
      node={node}
      branch={branch}
      problems={byKey.get(branchKey(node.id, branch.id)) ?? []}
      onChange={(next) =>
        setNodes(
          withChangedBranch(document.nodes, node.id, branch.id, () => next),
          `branch ${branch.id}`,
        )
      }
      onShift={(by) => setNodes(withShiftedBranch(document.nodes, node.id, branch.id, by))}
    />
  ) : node ? (
    <NodePanel
      key={node.id}
      document={document}
      node={node}
      problems={byKey.get(node.id) ?? []}
      onChange={(next) =>
        setNodes(
          withChangedNode(document.nodes, node.id, () => next),
          `node ${node.id}`,
        )
      }
    />
  ) : (
    <p className="sb-design-lead">{texts.nothingChosen}</p>
  )
  // what other processes use too is changed where they are named
  const shared = formId !== null && (catalogue.forms.find(({ id }) => id === formId)?.uses ?? 0) > (detail ? 1 : 0)
  const shown = TABS.filter((one) => one !== 'versions' || detail !== null)

  return (
    <StaffContext value={staff}>
      <WorkFrame
        session={session}
        design={design}
        title={title}
        code={document.name}
        versionNo={detail?.versionNo ?? null}
        unsaved={unsaved}
        publishText={texts.publish}
        dropText={texts.dropText}
        onLeave={onLeave}
        onDropped={() => setAdminIds(held)}
        onPublish={() => setPublishing(true)}
        actions={
          <>
            <Button
              size="small"
              icon={<ExperimentOutlined />}
              onClick={() => {
                setTab('flow')
                setRunning(true)
              }}
            >
              {texts.dryRun}
            </Button>
            <Button size="small" onClick={() => exportProcess(document)}>
              {texts.exportJson}
            </Button>
            <Upload
              accept=".json"
              showUploadList={false}
              beforeUpload={(file) => {
                void load(file)
                return false
              }}
            >
              <Button size="small">{texts.importJson}</Button>
            </Upload>
          </>
        }
        notes={
          <>
            {detail?.newerShipped && (
              <Alert
                type="info"
                showIcon
                message={texts.newerShipped}
                action={
                  detail.shipped && (
                    <Button size="small" onClick={() => detail.shipped && edit(detail.shipped)}>
                      {texts.takeShipped}
                    </Button>
                  )
                }
              />
            )}
            {detail && <RunningTags detail={detail} />}
          </>
        }
      >
        <Tabs
          size="small"
          activeKey={tab}
          onChange={(key) => setTab(TABS.find((one) => one === key) ?? 'flow')}
          items={shown.map((key) => ({ key, label: texts.tabs[key] }))}
          tabBarExtraContent={
            problems.length === 0 ? (
              <span className="sb-design-help">{texts.noProblems}</span>
            ) : (
              <Dropdown
                trigger={['click']}
                menu={{
                  className: 'sb-process-problems',
                  items: problems.map((problem, index) => {
                    const key = keyOfPointer(document, problem.at)
                    const of = key === null ? undefined : findNode(document.nodes, key.split('/')[0] ?? '')?.node
                    return {
                      key: String(index),
                      label: (
                        <>
                          <Tag color={problem.severity === 'error' ? 'red' : 'orange'}>
                            {of ? nodeName(of, words) : texts.ofProcess}
                          </Tag>
                          {problem.message[locale]}
                        </>
                      ),
                    }
                  }),
                  onClick: ({ key }) => {
                    const problem = problems[Number(key)]
                    if (problem) goTo(problem)
                  },
                }}
              >
                <Button size="small" type="link" danger>
                  {texts.problems(problems.length)}
                </Button>
              </Dropdown>
            )
          }
        />
        {tab === 'flow' && (
          <div className="sb-process-columns">
            <Canvas
              nodes={document.nodes}
              words={words}
              chosen={chosen}
              faults={faults}
              trail={trail}
              onChoose={choose}
              onEdit={setNodes}
              history={{
                undoes: state.history.past.length > 0,
                redoes: state.history.future.length > 0,
                undo: session.undo,
                redo: session.redo,
              }}
            />
            <aside className="sb-process-side">{side}</aside>
          </div>
        )}
        {tab === 'form' && (
          <FormEditor
            process={document}
            problems={problems}
            readOnly={shared}
            onChange={(form) => edit({ ...document, form }, 'form')}
            {...(formId === null ? {} : { onOpen: () => host.navigate(formAddress(formId)) })}
          />
        )}
        {tab === 'rights' && <RightsGrid document={document} onChange={(nodes) => setNodes(nodes)} />}
        {tab === 'effects' && <EndEffects document={document} onChange={(next) => edit(next, 'effects')} />}
        {tab === 'facts' && (
          <Facts
            document={document}
            isNew={detail === null}
            adminIds={adminIds}
            formId={formId}
            onChange={(next) => edit(next, 'facts')}
            onAdmins={setAdminIds}
            onForm={(id) => void chooseForm(id)}
          />
        )}
        {tab === 'versions' && detail && (
          <Versions
            processId={detail.id}
            words={words}
            onRestore={(old, no) => {
              edit(old)
              setTab('flow')
              host.notify('success', texts.restoreDone(no))
            }}
          />
        )}
        {publishing && (
          <PublishDialog<{ id: string; versionNo: number }>
            title={texts.publishTitle}
            okText={texts.publish}
            lead={texts.publishNew}
            path="/v2/workflow/process/save"
            body={
              {
                ...(detail ? { id: detail.id } : {}),
                document,
                adminIds,
                ...(formId === null ? {} : { formId }),
              } as unknown as JsonObject
            }
            versionNo={detail?.versionNo ?? null}
            errors={problems.filter(({ severity }) => severity === 'error')}
            onGo={(problem) => {
              setPublishing(false)
              goTo(problem)
            }}
            onRefused={(found) => setRefused({ of: document, problems: found })}
            onClose={() => setPublishing(false)}
            onTakeTheirs={() => {
              session.drop()
              session.keep()
              onReload()
            }}
            onPublished={({ id, versionNo }) => {
              host.notify('success', texts.published(versionNo))
              setPublishing(false)
              session.published(document as unknown as JsonObject)
              session.keep()
              host.setUnsaved(false)
              if (detail === null)
                host.navigate(`/setModule/process/configer/design?id=${encodeURIComponent(id)}`, { replace: true })
              else onReload()
            }}
          />
        )}
      </WorkFrame>
    </StaffContext>
  )
}

/** How many applications still run on which older version. */
const RunningTags = ({ detail }: { detail: ProcessDetail }) => {
  const texts = processTexts[useHost().locale]
  const { data } = useCall<readonly ProcessVersion[]>({
    method: 'GET',
    path: `/v2/workflow/process/historyVersion/${encodeURIComponent(detail.id)}`,
  })
  return (data ?? [])
    .filter(({ running, no }) => Number(running) > 0 && no !== detail.versionNo)
    .map(({ no, running }) => (
      <Tag key={no} color="blue">
        {texts.running(Number(running), no)}
      </Tag>
    ))
}
