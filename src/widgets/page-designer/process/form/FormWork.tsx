import { RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, Button, Tabs } from 'antd'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { useCall } from '../../../../runtime/reading/useCall'
import type { Form, ProcessDocument } from '../../../../schema/generated/process'
import type { JsonObject } from '../../../../schema/overlay'
import type { Problem } from '../../../../schema/problem'
import { CODE } from '../facts/Facts'
import { useCatalogue } from '../panel/catalogue'
import { ChoiceRow, LineRow, TextRow } from '../panel/Row'
import { processTexts } from '../texts'
import type { FormDetail, ProcessDetail } from '../types'
import { useProcessProblems } from '../useProcessProblems'
import { problemOf } from '../problems'
import { PublishDialog } from '../work/PublishDialog'
import { PublishSession } from '../work/session'
import { useProcessDesign } from '../work/useProcessDesign'
import { VersionList } from '../work/VersionList'
import { WorkFrame } from '../work/WorkFrame'
import { choicesOf, textIn } from '../words'
import { CopyFields } from './CopyFields'
import { FormEditor } from './FormEditor'
import { ImportFields } from './ImportFields'

interface Props {
  detail: FormDetail | null
  onLeave(): void
  onReload(): void
}

/** What a form is besides its fields. */
interface Head {
  code: string
  label: { zh: string; en: string }
  service: string | null
}

/** The form as a process around which nothing stands, so that everything that is drawn of processes can be drawn of it. */
const around = ({ code, label }: Head, form: Form): ProcessDocument => ({
  formatVersion: 3,
  name: code,
  label,
  group: 'ops',
  prefix: 'F',
  form,
  nodes: [
    { id: 'start', kind: 'start', label: { zh: '发起', en: 'Start' } },
    { id: 'end', kind: 'end' },
  ],
})

/** Where the designer tells what is missing of the head. */
const HEAD = '/head'

/** A form being designed, saved as a whole: the processes that use it get a version with it. */
export const FormWork = ({ detail, onLeave, onReload }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const [session] = useState(() => {
    const head: Head = {
      code: detail?.code ?? '',
      label: detail?.name ?? { zh: '', en: '' },
      service: detail?.serviceName ?? null,
    }
    const begun = { head, form: detail?.definition ?? { fields: {} } }
    return new PublishSession(host.drafts, `form.${detail?.code ?? ''}`, begun as unknown as JsonObject, detail?.versionNo ?? 0)
  })
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  const { head, form } = state.history.present as unknown as { head: Head; form: Form }
  const process = useMemo(() => around(head, form), [head, form])
  const put = useCallback(
    (next: Partial<{ head: Head; form: Form }>, key: string | null): void =>
      session.edit({ ...session.document, ...next } as JsonObject, key),
    [session],
  )
  const edit = useCallback((next: JsonObject) => put({ form: (next as unknown as ProcessDocument).form }, null), [put])
  const design = useProcessDesign(catalogue, process, edit)
  const checked = useProcessProblems(process)
  const [refused, setRefused] = useState<{ of: Form; problems: readonly Problem[] } | null>(null)
  const problems = useMemo(
    () => [...checked.filter(({ at }) => at.startsWith('/form')), ...(refused?.of === form ? refused.problems : [])],
    [checked, refused, form],
  )
  const [tab, setTab] = useState<'form' | 'facts' | 'versions'>(detail === null ? 'facts' : 'form')
  const [seenBy, setSeenBy] = useState<string | null>(detail?.processes[0]?.code ?? null)
  const user = useCall<ProcessDetail>(
    seenBy === null ? null : { method: 'GET', path: `/v2/workflow/process/update/${encodeURIComponent(seenBy)}` },
  )
  const versions = useMemo(
    () =>
      (detail?.versions ?? []).map(({ savedAt, savedBy, ...version }) => ({
        ...version,
        publishedAt: savedAt,
        publishedBy: savedBy,
      })),
    [detail],
  )
  const [saving, setSaving] = useState(false)
  const [importing, setImporting] = useState(false)
  const [copying, setCopying] = useState(false)
  const { unsaved } = session
  const whole = CODE.test(head.code) && head.label.zh !== '' && head.label.en !== ''
  const errors = problems.filter(({ severity }) => severity === 'error')
  return (
    <WorkFrame
      session={session}
      design={design}
      title={textIn(head.label, locale) || texts.newForm}
      code={head.code}
      versionNo={detail?.versionNo ?? null}
      unsaved={unsaved}
      publishText={texts.formPublish}
      onLeave={onLeave}
      onPublish={() => setSaving(true)}
      links={detail?.processes.map(({ id, code, nameZh, nameEn }) => (
        <Button
          key={id}
          size="small"
          type="link"
          className="sb-process-link"
          onClick={() => host.navigate(`/setModule/process/configer/design?id=${encodeURIComponent(code)}`)}
        >
          {locale === 'zh' ? nameZh : nameEn}
        </Button>
      ))}
      actions={
        <>
          <Button
            size="small"
            icon={<UndoOutlined />}
            aria-label={texts.undo}
            title={`${texts.undo} (Ctrl+Z)`}
            disabled={state.history.past.length === 0}
            onClick={session.undo}
          />
          <Button
            size="small"
            icon={<RedoOutlined />}
            aria-label={texts.redo}
            title={`${texts.redo} (Ctrl+Shift+Z)`}
            disabled={state.history.future.length === 0}
            onClick={session.redo}
          />
        </>
      }
      notes={
        // of a form that nobody has begun yet nothing is wrong
        (detail !== null || unsaved) &&
        errors.length > 0 && (
          <Alert
            type="error"
            showIcon
            message={texts.problems(errors.length)}
            description={
              <ul className="sb-design-differences">
                {errors.slice(0, 5).map(({ message }, index) => (
                  <li key={index}>{message[locale]}</li>
                ))}
              </ul>
            }
          />
        )
      }
    >
      <Tabs
        size="small"
        activeKey={tab}
        onChange={(key) => setTab(key as typeof tab)}
        items={[
          { key: 'form', label: texts.fields },
          { key: 'facts', label: texts.tabs.facts },
          ...(detail ? [{ key: 'versions', label: texts.tabs.versions }] : []),
        ]}
      />
      {tab === 'form' && (
        <FormEditor
          process={process}
          {...(user.data ? { seenBy: user.data.document } : {})}
          problems={problems}
          onChange={(next) => put({ form: next }, 'form')}
          more={
            <>
              <Button size="small" onClick={() => setCopying(true)}>
                {texts.copyFrom}
              </Button>
              {detail && (
                <Button
                  size="small"
                  onClick={() => setImporting(true)}
                  disabled={unsaved}
                  title={unsaved ? texts.unsaved : undefined}
                >
                  {texts.importExcel}
                </Button>
              )}
              {detail && (
                <ChoiceRow
                  label={texts.usedIn}
                  value={seenBy ?? undefined}
                  otherwise={undefined}
                  {...(detail.processes.length === 0 ? { help: texts.usedNowhere } : {})}
                  options={detail.processes.map(({ code, nameZh, nameEn }) => ({
                    value: code,
                    label: locale === 'zh' ? nameZh : nameEn,
                  }))}
                  onChange={(next) => setSeenBy(next ?? null)}
                />
              )}
            </>
          }
        />
      )}
      {tab === 'facts' && (
        <div className="sb-process-facts">
          <section aria-label={texts.settings}>
            <TextRow
              label={texts.name}
              value={head.label}
              onChange={(label) => put({ head: { ...head, label: label ?? { zh: '', en: '' } } }, 'head')}
            />
            <LineRow
              label={texts.code}
              help={texts.codeHelp}
              mono
              disabled={detail !== null}
              wrong={!CODE.test(head.code)}
              value={head.code}
              onChange={(code) => put({ head: { ...head, code: code.trim() } }, 'head')}
            />
            <ChoiceRow
              label={texts.service}
              value={head.service ?? undefined}
              options={choicesOf(catalogue, 'serviceName', locale)}
              onChange={(service) => put({ head: { ...head, service: service ?? null } }, 'head')}
            />
          </section>
        </div>
      )}
      {tab === 'versions' && detail && (
        <div className="sb-process-versions">
          <VersionList
            versions={versions}
            isCurrent={({ no }) => no === detail.versionNo}
            actions={({ no, definition }) =>
              no !== detail.versionNo && (
                <Button
                  size="small"
                  type="link"
                  onClick={() => {
                    put({ form: definition }, null)
                    setTab('form')
                    host.notify('success', texts.restoreDone(no))
                  }}
                >
                  {texts.restore}
                </Button>
              )
            }
          />
        </div>
      )}
      {saving && (
        <PublishDialog<{ id: string; versionNo: number; processes: readonly unknown[] }>
          title={texts.formPublish}
          okText={texts.formPublish}
          lead={texts.formPublishHelp(detail?.processes.length ?? 0)}
          path="/v2/workflow/form/save"
          body={
            {
              ...(detail ? { id: detail.id } : { code: head.code }),
              name: head.label,
              definition: form,
              ...(head.service === null ? {} : { serviceName: head.service }),
            } as unknown as JsonObject
          }
          versionNo={detail?.versionNo ?? null}
          errors={[...(whole ? [] : problemOf({ pointer: HEAD, text: texts.headMissing })), ...errors]}
          onGo={({ at }) => {
            setSaving(false)
            setTab(at === HEAD ? 'facts' : 'form')
          }}
          onRefused={(found) => setRefused({ of: form, problems: found })}
          onClose={() => setSaving(false)}
          onTakeTheirs={() => {
            session.drop()
            session.keep()
            onReload()
          }}
          onPublished={({ id, versionNo, processes }) => {
            host.notify('success', texts.formSaved(versionNo, processes.length))
            setSaving(false)
            session.published(session.document)
            host.setUnsaved(false)
            if (detail) onReload()
            else host.navigate(`/setModule/process/formword/design?id=${encodeURIComponent(id)}`, { replace: true })
          }}
        />
      )}
      {copying && (
        <CopyFields
          form={form}
          without={detail?.id ?? null}
          onClose={() => setCopying(false)}
          onCopied={(next, count) => {
            put({ form: next }, null)
            setCopying(false)
            host.notify('success', texts.copied(count))
          }}
        />
      )}
      {importing && detail && <ImportFields formId={detail.id} onClose={() => setImporting(false)} onDone={onReload} />}
    </WorkFrame>
  )
}
