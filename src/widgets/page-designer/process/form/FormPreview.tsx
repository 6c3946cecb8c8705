import { Select } from 'antd'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import type { PageBundle } from '../../../../headless/host'
import { useHost } from '../../../../runtime/hostContext'
import type { PageDocument } from '../../../../schema/generated/page'
import type { ProcessDocument } from '../../../../schema/generated/process'
import { formPage, rightsOf } from '../../../../schema/process'
import { useDesign } from '../../editor/design'
import { Preview, type PreviewSettings } from '../../preview/Preview'
import { PreviewBar } from '../../preview/PreviewBar'
import { processTexts } from '../texts'
import { everyNode } from '../tree/tree'
import { nodeName } from '../words'
import { useCatalogue } from '../panel/catalogue'

const ONLOOKER = ''
const NOBODY: readonly never[] = []

/** The form as people get it at a step, drawn by what draws it for them. */
export const FormPreview = memo(function FormPreview({ process }: { process: ProcessDocument }) {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const { labels, dictionaries } = useDesign()
  const steps = everyNode(process.nodes)
    .map(({ node }) => node)
    .filter(({ kind }) => kind === 'start' || kind === 'approve' || kind === 'handle')
  const [at, setAt] = useState<string | null>(null)
  const node = steps.find(({ id }) => id === at) ?? (at === ONLOOKER ? undefined : steps[0])
  const [settings, setSettings] = useState<PreviewSettings>({
    locale,
    dark: host.theme === 'dark',
    phone: false,
    viewer: null,
    record: null,
  })
  const { name, label, form } = process
  const nodeId = node?.id ?? null
  const bundle = useMemo((): PageBundle => {
    const rights = rightsOf(process, nodeId)
    const page = { ...formPage({ name, label, form }, rights), name: `form.${name}` } as unknown as PageDocument
    return { page, where: `form:${name}`, revision: revisionOf(form, nodeId), entities: labels.entities, dictionaries }
  }, [process, name, label, form, nodeId, labels, dictionaries])
  // typing never waits for the preview
  const shown = useDeferredValue(bundle)
  return (
    <section className="sb-design-preview" aria-label={texts.preview}>
      <div className="sb-design-bar">
        <label className="sb-design-switch">
          {texts.previewAs}
          <Select<string>
            size="small"
            popupMatchSelectWidth={false}
            value={nodeId ?? ONLOOKER}
            options={[
              ...steps.map((step) => ({ value: step.id, label: nodeName(step, { locale, catalogue }) })),
              { value: ONLOOKER, label: texts.previewOnlooker },
            ]}
            onChange={setAt}
          />
        </label>
      </div>
      <PreviewBar
        settings={settings}
        target={null}
        roles={NOBODY}
        records={null}
        onChange={(part) => setSettings((known) => ({ ...known, ...part }))}
      />
      {Object.keys(form.fields).length === 0 ? (
        <p className="sb-design-lead">{texts.noFields}</p>
      ) : (
        <Preview bundle={shown} settings={settings} />
      )}
    </section>
  )
})

const revisions = new WeakMap<object, number>()
let last = 0
/** A number that changes with the form and the step. */
const revisionOf = (form: object, node: string | null): string => {
  const known = revisions.get(form) ?? ++last
  revisions.set(form, known)
  return `${known} ${node ?? ''}`
}
