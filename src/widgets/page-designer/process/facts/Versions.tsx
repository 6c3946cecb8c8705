import { Button, Drawer, Tag, Timeline } from 'antd'
import { useMemo, useState } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { momentText } from '../../../../runtime/reading/moment'
import { useCall } from '../../../../runtime/reading/useCall'
import type { ProcessDocument } from '../../../../schema/generated/process'
import { Canvas } from '../canvas/Canvas'
import { processTexts } from '../texts'
import type { ProcessVersion } from '../types'
import { fieldLabels, textIn, type Words } from '../words'

interface Props {
  processId: string
  words: Words
  /** Begins again with the content of an old version. */
  onRestore(document: ProcessDocument, no: number): void
}

/** The versions of a process: who, when, why, what changed, how many applications still run on it. */
export const Versions = ({ processId, words, onRestore }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
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
          <Timeline
            items={versions.map((version, index) => ({
              key: version.id,
              color: version.current ? 'green' : 'gray',
              children: (
                <article aria-label={texts.version(version.no)}>
                  <header className="sb-design-bar">
                    <strong>{texts.version(version.no)}</strong>
                    {version.current && <Tag color="green">{texts.current}</Tag>}
                    {Number(version.running) > 0 && <Tag color="blue">{texts.running(Number(version.running), version.no)}</Tag>}
                    <span className="sb-design-help">
                      {texts.by(version.publishedBy ?? texts.system, momentText(host, version.publishedAt))}
                    </span>
                    <Button size="small" type="link" onClick={() => setLooked(version)}>
                      {texts.look}
                    </Button>
                  </header>
                  {version.note && <p>{version.note}</p>}
                  {version.changes.length > 0 ? (
                    <ul className="sb-design-differences">
                      {version.changes.map(({ id, text }) => (
                        <li key={id}>{textIn(text, locale)}</li>
                      ))}
                    </ul>
                  ) : (
                    <small className="sb-design-help">
                      {index === versions.length - 1 ? texts.firstVersion : texts.noChanges}
                    </small>
                  )}
                </article>
              ),
            }))}
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
