import { Alert, Skeleton } from 'antd'
import { Suspense, useEffect, useMemo, useState, type Ref } from 'react'
import type { FormHandle } from '../../../runtime/form'
import type { PageBundle } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { loadSeldom } from '../../../runtime/page/loadSeldom'
import { lazyPart } from '../../../runtime/part/lazyPart'
import type { Refs } from '../../../headless/row'
import { pageScope } from '../../../headless/scope'
import { lacksSeldom } from '../../../schema/expression'
import type { FormModel, FormNodeModel } from '../../../schema/model'
import { compileForm } from './fields'
import { partTexts } from './texts'
import type { Values } from './types'

const FormView = lazyPart(async () => ({ default: (await import('../../../runtime/form')).FormView }))

/** True once what draws the form is here, or did not arrive: fetched while the application is still being read. */
export const useFormPart = (): boolean => {
  const [settled, setSettled] = useState(FormView.isHere)
  useEffect(() => {
    if (!settled) void FormView.fetch().then(() => setSettled(true))
  }, [settled])
  return settled
}

/** The schema with a note under each of the named fields, wherever it stands. */
const withNotes = (node: FormNodeModel, notes: Readonly<Record<string, string>>): FormNodeModel =>
  node.properties
    ? {
        ...node,
        properties: Object.fromEntries(
          Object.entries(node.properties).map(([name, child]) => {
            const note = child.type === 'void' ? undefined : notes[name]
            return [name, note === undefined ? withNotes(child, notes) : { ...child, description: note }]
          }),
        ),
      }
    : node

interface ProcessFormProps {
  bundle: PageBundle
  values: Values
  /** Id of the application that exists already: then nothing is filled in by itself. */
  instanceId?: string
  /** What the records are called that the values name. */
  refs?: Refs | undefined
  /** What stands under a field, by its key: what somebody changed. */
  notes?: Readonly<Record<string, string>>
  handle: Ref<FormHandle>
  onSubmit(): void
  onValues?(read: () => Values): void
}

/** The form of an application, drawn as every form page is, with buttons that stand around it. */
export const ProcessForm = ({ bundle, values, refs, instanceId, notes, handle, onSubmit, onValues }: ProcessFormProps) => {
  const host = useHost()
  const texts = partTexts[host.locale]
  const result = useMemo(() => compileForm(bundle, host), [bundle, host])
  const [whole, setWhole] = useState(() => !lacksSeldom())
  const [failed, setFailed] = useState<string | null>(null)
  const scope = useMemo(() => ({ ...pageScope(host, ''), query: {} }), [host])
  useEffect(() => {
    if (whole) return
    loadSeldom().then(
      () => setWhole(true),
      (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)),
    )
  }, [whole])
  const model = useMemo((): FormModel | null => {
    if (!result.ok || result.model.kind !== 'form') return null
    return {
      ...result.model,
      schema: notes ? withNotes(result.model.schema, notes) : result.model.schema,
      viewCall: undefined,
      ...(instanceId === undefined ? {} : { record: () => instanceId, initial: () => ({}) }),
    } as FormModel
  }, [result, notes, instanceId])
  const bones = <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
  if (failed !== null) return <Alert type="error" showIcon message={texts.formBroken} description={failed} />
  if (!model) {
    const problem = result.ok ? result.model.problems[0] : result.problems[0]
    return <Alert type="error" showIcon message={texts.formBroken} description={problem?.message[host.locale]} />
  }
  if (!whole) return bones
  return (
    <Suspense fallback={bones}>
      <FormView
        model={model}
        scope={scope}
        values={values}
        refs={refs}
        quiet
        handle={handle}
        onDone={() => undefined}
        onSubmit={onSubmit}
        {...(onValues ? { onValues } : {})}
      />
    </Suspense>
  )
}
