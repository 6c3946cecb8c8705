import { Button, Checkbox, Input, Segmented, Table, Tag, Upload } from 'antd'
import { Fragment, useMemo, useState } from 'react'
import type { Host } from '../../../headless/host'
import { useHost } from '../../../runtime/hostContext'
import { usePhone } from '../../../runtime/media'
import { momentText } from '../../../runtime/reading/moment'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { designerTexts } from '../texts'
import { roleName, type Target, type TargetKind, type TargetState } from '../types'
import { exportChanges, importChanges } from '../review/exportImport'
import { ImportedTag } from '../review/ImportedTag'
import { Faults } from './Faults'
import { NewPageDialog } from './NewPageDialog'

/** Values of dictionaries hold at once; they have a page of their own. */
const DICTIONARIES = '/setModule/crm/dictionary'

type KindChoice = TargetKind | 'all'

const isChanged = (target: Target): boolean =>
  target.made ||
  target.released !== undefined ||
  target.gray !== undefined ||
  target.scheduled !== undefined ||
  target.drafts.length + target.variants.length + target.unused + target.orphans + target.faults > 0

/** The targets that fit what was typed: every word in title, path, name or entity. */
export const findTargets = (targets: readonly Target[], typed: string, kind: KindChoice, changed: boolean): Target[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return targets.filter((target) => {
    if ((kind !== 'all' && target.kind !== kind) || (changed && !isChanged(target))) return false
    const text = [target.target, target.title.zh, target.title.en, target.path, target.entity, target.pageKind]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Everything that can be changed, with what is changed and what waits. */
export const TargetList = ({ onOpen }: { onOpen(target: string): void }) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const answer = useCall<{ targets: readonly Target[]; roles: TargetState['roles'] }>({
    method: 'GET',
    path: '/v2/sys/schema/targets',
  })
  return (
    <>
      <header className="sb-design-title">
        <h1>{texts.title}</h1>
        <Button onClick={() => void exportChanges(host)}>{texts.exportDrafts}</Button>
        <Upload
          accept=".json"
          showUploadList={false}
          beforeUpload={(file) => {
            void importChanges(host, file).then((done) => done && answer.reload())
            return false
          }}
        >
          <Button>{texts.importSet}</Button>
        </Upload>
      </header>
      <p className="sb-design-lead">{texts.help}</p>
      <Loaded call={answer}>{({ targets, roles }) => <Targets targets={targets} roles={roles} onOpen={onOpen} />}</Loaded>
    </>
  )
}

interface TargetsProps {
  targets: readonly Target[]
  roles: TargetState['roles']
  onOpen(target: string): void
}

const Targets = ({ targets, roles, onOpen }: TargetsProps) => {
  const host = useHost()
  const { locale } = host
  const texts = designerTexts[locale]
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<KindChoice>('all')
  const [changed, setChanged] = useState(false)
  const [making, setMaking] = useState(false)
  const phone = usePhone()
  const kindText = ({ kind: of, pageKind }: Target): string =>
    pageKind === undefined ? texts.kinds[of] : `${texts.kinds[of]} · ${texts.pageKinds[pageKind] ?? pageKind}`
  const found = useMemo(() => findTargets(targets, typed, kind, changed), [targets, typed, kind, changed])
  return (
    <>
      <div className="sb-design-bar">
        <Input.Search
          allowClear
          className="sb-design-search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Segmented
          value={kind}
          onChange={(next: KindChoice) => setKind(next)}
          options={[
            { value: 'all', label: texts.allKinds },
            ...(['page', 'entity', 'module', 'template'] as const).map((value) => ({ value, label: texts.kinds[value] })),
          ]}
        />
        <Checkbox checked={changed} onChange={(event) => setChanged(event.target.checked)}>
          {texts.onlyChanged}
        </Checkbox>
        <span className="sb-design-grow" />
        {host.canOpen(DICTIONARIES) && (
          <Button type="link" onClick={() => host.navigate(DICTIONARIES)}>
            {texts.dictionaries}
          </Button>
        )}
        <Button type="primary" onClick={() => setMaking(true)}>
          {texts.newPage}
        </Button>
      </div>
      {making && <NewPageDialog targets={targets} onClose={() => setMaking(false)} onMade={onOpen} />}
      <Table<Target>
        size="small"
        rowKey="target"
        dataSource={found}
        locale={{ emptyText: texts.none }}
        pagination={{ pageSize: 20, showSizeChanger: false, showTotal: texts.count, hideOnSinglePage: false }}
        {...(phone ? {} : { scroll: { x: 'max-content' } })}
        columns={[
          {
            title: texts.name,
            render: (_, target) => (
              <>
                <Button type="link" className="sb-design-open" onClick={() => onOpen(target.target)}>
                  {target.title[locale]}
                </Button>
                {phone && (
                  <div className="sb-design-below">
                    <span className="sb-design-help">{kindText(target)}</span>
                    <States host={host} target={target} roles={roles} />
                  </div>
                )}
              </>
            ),
          },
          ...(phone
            ? []
            : [
                { title: texts.path, render: (_: unknown, target: Target) => <code>{target.path ?? target.target}</code> },
                { title: texts.kind, render: (_: unknown, target: Target) => kindText(target) },
                {
                  title: texts.state,
                  render: (_: unknown, target: Target) => <States host={host} target={target} roles={roles} />,
                },
              ]),
        ]}
      />
    </>
  )
}

const States = ({ host, target, roles }: { host: Host; target: Target; roles: TargetState['roles'] }) => {
  const { locale } = host
  const nameOf = (role: string): string => roleName(roles, role, locale)
  const texts = designerTexts[locale]
  return (
    <>
      {target.made && <Tag>{texts.made}</Tag>}
      {target.drafts.map(({ role, by, origin }) => (
        <Fragment key={role ?? ''}>
          <Tag color="blue">{texts.draftBy(by.name[locale], role === null ? null : nameOf(role))}</Tag>
          <ImportedTag origin={origin} />
        </Fragment>
      ))}
      {target.gray && <Tag color="purple">{texts.grayBy(target.gray.by.name[locale])}</Tag>}
      {target.scheduled && <Tag color="cyan">{texts.scheduledAt(momentText(host, target.scheduled.at))}</Tag>}
      {target.unused > 0 && <Tag color="red">{texts.unused(target.unused)}</Tag>}
      {target.released && target.unused < target.released.changes && (
        <Tag color="green">{texts.released(target.released.by.name[locale], momentText(host, target.released.at))}</Tag>
      )}
      {target.variants.length > 0 && <Tag>{texts.variants(target.variants.map(nameOf))}</Tag>}
      {target.orphans > 0 && <Tag color="orange">{texts.orphans(target.orphans)}</Tag>}
      {target.faults > 0 && <Faults page={target.target.slice('page:'.length)} count={target.faults} />}
    </>
  )
}
