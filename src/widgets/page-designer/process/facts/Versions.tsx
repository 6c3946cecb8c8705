import { Button, Drawer, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { useCall } from '../../../../runtime/reading/useCall'
import type { ProcessDocument } from '../../../../schema/generated/process'
import { Canvas } from '../canvas/Canvas'
import { processTexts } from '../texts'
import type { ProcessVersion } from '../types'
import { VersionList } from '../work/VersionList'
import { fieldLabels, type Words } from '../words'

interface Props {
  processId: string
  words: Words
  /** Begins again with the content of an old version. */
  onRestore(document: ProcessDocument, no: number): void
}

/** The versions of a process: who, when, why, what changed, how many applications still run on it. */
export const Versions = ({ processId, words, onRestore }: Props) => {
  const texts = processTexts[useHost().locale]
  const [looked, setLooked] = useState<ProcessVersion | null>(null)
  const answer = useCall<readonly ProcessVersion[]>({
    method: 'GET',
    path: `/v2/workflow/process/historyVersion/${encodeURIComponent(processId)}`,
  })
  return (
    <div className="sb-process-versions">
      <p className="sb-design-lead">{texts.versionsHelp}</p>
      <Loaded call={answer}>
        {(versions) => (
          <VersionList
            versions={versions}
            isCurrent={({ current }) => current}
            tags={({ running, no }) => Number(running) > 0 && <Tag color="blue">{texts.running(Number(running), no)}</Tag>}
            actions={(version) => (
              <Button size="small" type="link" onClick={() => setLooked(version)}>
                {texts.look}
              </Button>
            )}
          />
        )}
      </Loaded>
      <Drawer
        open={looked !== null}
        width="min(960px, 100vw)"
        title={looked ? texts.lookTitle(looked.no) : ''}
        onClose={() => setLooked(null)}
        destroyOnHidden
      >
        {looked && (
          <Looked
            version={looked}
            words={words}
            onRestore={(document) => {
              setLooked(null)
              onRestore(document, looked.no)
            }}
          />
        )}
      </Drawer>
    </div>
  )
}

const NOTHING = new Map<string, number>()

const Looked = ({
  version,
  words,
  onRestore,
}: {
  version: ProcessVersion
  words: Words
  onRestore(document: ProcessDocument): void
}) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const [chosen, setChosen] = useState<string | null>(null)
  const answer = useCall<{ document: ProcessDocument }>({
    method: 'GET',
    path: `/v2/workflow/process/historyVersion/view/${encodeURIComponent(version.id)}`,
  })
  const form = answer.data?.document.form
  const own = useMemo(() => (form ? { ...words, fields: fieldLabels(form, locale) } : words), [form, words, locale])
  return (
    <Loaded call={answer}>
      {({ document }) => (
        <>
          <Canvas
            nodes={document.nodes}
            words={own}
            chosen={chosen}
            faults={NOTHING}
            trail={null}
            readOnly
            onChoose={setChosen}
            onEdit={() => undefined}
          />
          {!version.current && (
            <Button type="primary" className="sb-process-start" onClick={() => onRestore(document)}>
              {texts.restore}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}
